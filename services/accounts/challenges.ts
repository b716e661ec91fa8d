/** One-time messages (EIP-4361) that a wallet signs to confirm an action. */
import { customAlphabet } from "nanoid";
import type {
  ActionName,
  ActionParams,
  ChallengeAnswer,
  ChallengeBody,
  KeyKind,
  Proof,
} from "./account_schema.ts";
import type { AccountsDeps } from "./deps.ts";
import type { Challenge, Params } from "./challenges_store.ts";
import { MINUTE_MS } from "../platform/days.ts";
import { Fault } from "../platform/fault.ts";
import { BASE62, kindOf } from "./key_format.ts";
import {
  checkLimits,
  describeLimits,
  limitParams,
  limitsOf,
} from "./key_limits.ts";
import { findSignatory, type Signed } from "./signatures.ts";

type ChallengeDeps = Pick<
  AccountsDeps,
  "chainId" | "now" | "publicUrl" | "store"
>;

/** How long a message is valid. */
export const CHALLENGE_MS = 10 * MINUTE_MS;

/** 142 random bits in the nonce alphabet of EIP-4361. */
const newNonce = customAlphabet(BASE62, 24);

/** Creates the message that a wallet signs to confirm an action. Throws for limits that the action would refuse. */
export async function createChallenge(
  deps: ChallengeDeps,
  body: ChallengeBody,
): Promise<ChallengeAnswer> {
  const issuedAt = deps.now().getTime();
  if ("limits" in body) {
    const kind = "kind" in body ? body.kind : await findKind(deps, body);
    checkLimits(limitsOf(body.limits), kind, issuedAt);
  }
  const { address, action, ...params } = body;
  const expiresAt = issuedAt + CHALLENGE_MS;
  const challenge = { address, action, params, issuedAt, expiresAt };
  const nonce = newNonce();
  const message = await writeMessage(deps, nonce, challenge);
  await deps.store.challenges.put(nonce, challenge);
  return { nonce, message, expiresAt: new Date(expiresAt).toISOString() };
}

/** Returns the kind of a wallet's working key; undefined if it has no such key. */
async function findKind(
  { now, store }: ChallengeDeps,
  { address, keyId }: { readonly address: string; readonly keyId: string },
): Promise<KeyKind | undefined> {
  const keys = await store.apiKeys.list(address, now().getTime());
  const key = keys.find(({ id }) => id === keyId);
  return key && kindOf(key.prefix);
}

/** The action that a signed message must confirm, and the wallet if it is known. */
interface Confirmed<Name extends ActionName> {
  readonly action: Name;
  readonly params: ActionParams<Name>;
  readonly wallet?: string;
  /** The network address of the request; null if unknown. */
  readonly hostname: string | null;
  /** Checks that call a node; run when all others have passed. */
  readonly lastCheck?: () => Promise<unknown>;
}

/** The wallet that signed a message. */
export interface Confirmation {
  readonly wallet: string;
  /**
   * What a smart account signed; null for a key pair. The account's contract
   * may stop accepting it.
   */
  readonly byContract: Signed | null;
}

/**
 * Consumes a message and returns the wallet that signed it. The message is
 * deleted before it is checked, so that a failure consumes it too. Every failure
 * throws the same fault.
 */
export async function confirm<Name extends ActionName>(
  deps: ChallengeDeps & Pick<AccountsDeps, "upstream">,
  { nonce, signature, message: claimed }: Proof,
  { action, params, wallet, hostname, lastCheck }: Confirmed<Name>,
): Promise<Confirmation> {
  const challenge = await deps.store.challenges.take(nonce);
  if (challenge === null) throw refused();
  const isExpected = deps.now().getTime() < challenge.expiresAt &&
    bindingOf(challenge.action, challenge.params) ===
      bindingOf(action, params) &&
    (wallet ?? challenge.address) === challenge.address;
  if (!isExpected) throw refused();
  // Rebuilt, so that a message for another domain or chain does not match.
  const message = await writeMessage(deps, nonce, challenge);
  if ((claimed ?? message) !== message) throw refused();
  const signed = { message, signature };
  const { address } = challenge;
  await lastCheck?.();
  const signatory = await findSignatory(deps, { address, hostname }, signed)
    .catch(toChallengeFault);
  if (signatory === null) throw refused();
  return {
    wallet: address,
    byContract: signatory === "contract" ? signed : null,
  };
}

function refused(): Fault {
  return new Fault(
    "Invalid signature: expected the wallet's signature of an unused message for this action, at most ten minutes old; request a new message",
    { kind: "signatureRefused" },
  );
}

/** The message is consumed, so another attempt needs a new one. */
function toChallengeFault(error: unknown): never {
  if (!(error instanceof Fault)) throw error;
  throw new Fault(
    `${error.message}; the signature could not be checked, sign another message`,
    error.failure,
    { cause: error },
  );
}

/** Formats the message, with the action and its parameters as a resource. */
async function writeMessage(
  { chainId, publicUrl }: ChallengeDeps,
  nonce: string,
  challenge: Challenge,
): Promise<string> {
  const { createSiweMessage } = await import("viem/siwe");
  const { address, action, params, issuedAt, expiresAt } = challenge;
  return createSiweMessage({
    address: address as `0x${string}`,
    chainId,
    domain: new URL(publicUrl).host,
    nonce,
    statement: statementOf(challenge),
    uri: publicUrl,
    version: "1",
    issuedAt: new Date(issuedAt),
    expirationTime: new Date(expiresAt),
    resources: [`${publicUrl}/api/account?${bindingOf(action, params)}`],
  });
}

type Statements = {
  readonly [Name in ActionName]: (params: ActionParams<Name>) => string;
};

/** EIP-4361 limits a statement to printable ASCII without quotation marks and line breaks. */
const STATEMENTS: Statements = {
  "session": () => "Sign in to Firn. This costs nothing and sends nothing.",
  "key.create": ({ keyName, kind, limits }) =>
    `Create the ${kind} API key '${keyName}' for this wallet. ${
      describeLimits(limits)
    }`.trimEnd(),
  "key.limit": ({ keyId, limits }) =>
    `Change the limits of the API key ${keyId}. ${
      describeLimits(limits) || "No limits."
    }`,
  "key.revoke": ({ keyId }) =>
    `Revoke the API key ${keyId}. It stops working at once.`,
  "key.rotate": ({ keyId, graceSeconds }) =>
    `Replace the API key ${keyId}. It stops working ` +
    `${graceSeconds === 0 ? "at once" : `in ${graceSeconds} seconds`}.`,
};

/** Returns the statement that the wallet's owner reads before signing. */
export function statementOf({ action, params }: Challenge): string {
  const state = STATEMENTS[action] as (params: Params) => string;
  return state(params);
}

/** Serialises an action with its parameters, independent of their order. Limits that do not apply are left out. */
export function bindingOf(action: ActionName, params: Params): string {
  const sorted = Object.entries(params)
    .flatMap(([name, value]) =>
      typeof value === "object" ? limitParams(value) : [[name, String(value)]]
    )
    .toSorted(([a = ""], [b = ""]) => a < b ? -1 : 1);
  return new URLSearchParams([["action", action], ...sorted]).toString();
}
