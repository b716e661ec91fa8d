/** One-time messages: written here whole, signed by a wallet, good once. */
import { customAlphabet } from "nanoid";
import type {
  ActionName,
  ActionParams,
  ChallengeAnswer,
  ChallengeBody,
  Proof,
} from "./account_schema.ts";
import type { AccountsDeps } from "./deps.ts";
import { bindingOf, type Challenge, statementOf } from "./challenge_message.ts";
import { Fault } from "../platform/fault.ts";
import { isSignedBy } from "./signatures.ts";

type ChallengeDeps = Pick<
  AccountsDeps,
  "chainId" | "now" | "publicUrl" | "store"
>;

/** How long a wallet has to sign. */
const CHALLENGE_MS = 10 * 60_000;

/** 142 random bits in the alphabet that EIP-4361 allows a nonce. */
const newNonce = customAlphabet(
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
  24,
);

/** Writes the message that confirms an action, for a wallet to sign. */
export async function createChallenge(
  deps: ChallengeDeps,
  { address, action, ...params }: ChallengeBody,
): Promise<ChallengeAnswer> {
  const issuedAt = deps.now().getTime();
  const expiresAt = issuedAt + CHALLENGE_MS;
  const challenge = { address, action, params, issuedAt, expiresAt };
  const nonce = newNonce();
  const message = await writeMessage(deps, nonce, challenge);
  await deps.store.challenges.put(nonce, challenge);
  return { nonce, message, expiresAt: new Date(expiresAt).toISOString() };
}

/** What a signed message has to be good for; any wallet's where none is named. */
export interface Confirmed<Name extends ActionName> {
  readonly action: Name;
  readonly params: ActionParams<Name>;
  readonly wallet?: string;
}

/**
 * Uses up a message and returns the wallet that signed it. The message is gone
 * before anything about it is checked, so that each failure costs it; all
 * failures throw one and the same fault.
 */
export async function confirm<Name extends ActionName>(
  deps: ChallengeDeps & Pick<AccountsDeps, "upstream">,
  { nonce, signature, message: claimed }: Proof,
  { action, params, wallet }: Confirmed<Name>,
): Promise<string> {
  const challenge = await deps.store.challenges.take(nonce);
  if (challenge === null) throw refused();
  const isMeant = deps.now().getTime() < challenge.expiresAt &&
    bindingOf(challenge.action, challenge.params) ===
      bindingOf(action, params) &&
    (wallet ?? challenge.address) === challenge.address;
  if (!isMeant) throw refused();
  // Written anew, so that a message of another domain or chain is none of ours.
  const message = await writeMessage(deps, nonce, challenge);
  if ((claimed ?? message) !== message) throw refused();
  const isSigned = await isSignedBy(deps, challenge.address, {
    message,
    signature,
  }).catch(toChallengeFault);
  if (!isSigned) throw refused();
  return challenge.address;
}

function refused(): Fault {
  return new Fault(
    "Cannot accept the signature: accepted is that of the wallet under an unused message of the last ten minutes for this very action; ask for another message",
    { kind: "signatureRefused" },
  );
}

/** The message is used up all the same, so whoever tries again needs another. */
function toChallengeFault(error: unknown): never {
  if (!(error instanceof Fault)) throw error;
  throw new Fault(
    `${error.message}; the signature could not be checked, please sign another message`,
    error.failure,
    { cause: error },
  );
}

/** EIP-4361, with the action and its parameters as a resource. */
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
