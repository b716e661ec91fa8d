/** Sessions: a random token in the browser, and its hash in the store. */
import { HOUR_MS } from "../platform/days.ts";
import { sha256Hex } from "../platform/bytes.ts";
import type { Confirmation } from "./challenges.ts";
import type { AccountsDeps } from "./deps.ts";
import { isSignedBy } from "./signatures.ts";

type SessionDeps = Pick<AccountsDeps, "now" | "store">;
type FindDeps = Pick<AccountsDeps, "now" | "store" | "upstream">;

/** Lifetime of a session. Use does not extend it. */
export const SESSION_MS = 12 * HOUR_MS;

/**
 * After this time, the contract of a smart account is asked again whether it
 * accepts the session's signature.
 */
const CONFIRMED_MS = HOUR_MS;

/** A new session, as sent to the browser. */
export interface StartedSession {
  /** The secret, 256 random bits. It is not stored. */
  readonly token: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}

/**
 * Starts a session of a wallet and ends the previous one of the same browser.
 * Keys of the wallet that come from a backup work again.
 */
export async function startSession(
  { now, store }: SessionDeps,
  { wallet, byContract }: Confirmation,
  { replaces, requestId }: { replaces: string | undefined; requestId: string },
): Promise<StartedSession> {
  const token = newToken();
  const at = now().getTime();
  const expiresAt = at + SESSION_MS;
  await store.apiKeys.release(wallet, { at, requestId });
  await store.sessions.start(
    sha256Hex(token),
    {
      wallet,
      createdAt: at,
      expiresAt,
      byContract: byContract && { ...byContract, confirmedAt: at },
    },
    {
      replaces: replaces === undefined ? null : sha256Hex(replaces),
      audit: { at, event: "session.start", requestId },
    },
  );
  return { token, expiresAt };
}

/** Finds the wallet of a session by its token; null without one, or if the session has ended. See `findSessionByHash`. */
export async function findSession(
  deps: FindDeps,
  token: string | undefined,
  options: FindOptions,
): Promise<string | null> {
  return token === undefined
    ? null
    : await findSessionByHash(deps, sha256Hex(token), options);
}

interface FindOptions {
  /** The network address of the request; null if unknown. */
  readonly hostname: string | null;
  /**
   * Whether a smart account's contract is asked even if it was asked within the
   * hour, as before a signed action.
   */
  readonly mustConfirm?: boolean;
}

/**
 * Finds the wallet of a session by the hash of its token; null if the session has
 * ended. The contract of a smart account is asked every hour whether it still
 * accepts the signature that started the session: its owners may have changed. If
 * not, the session ends. Throws the upstream's fault if a node does not respond.
 */
export async function findSessionByHash(
  deps: FindDeps,
  hash: string,
  { hostname, mustConfirm = false }: FindOptions,
): Promise<string | null> {
  const { store } = deps;
  const at = deps.now().getTime();
  const session = await store.sessions.find(hash);
  if (session === null || at >= session.expiresAt) return null;
  const { wallet, byContract } = session;
  if (byContract === null) return wallet;
  // Also if the clock was set back.
  const age = Math.abs(at - byContract.confirmedAt);
  if (!mustConfirm && age < CONFIRMED_MS) return wallet;
  if (await isSignedBy(deps, { address: wallet, hostname }, byContract)) {
    await store.sessions.markConfirmed(hash, at);
    return wallet;
  }
  const audit = { at, event: "session.end", requestId: null } as const;
  await store.sessions.end(hash, audit);
  return null;
}

/** Ends a session; its next request is refused. `check` may throw for its wallet, which keeps it. */
export async function endSession(
  { now, store }: SessionDeps,
  token: string,
  requestId: string,
  check: (wallet: string) => void = () => {},
): Promise<void> {
  const at = now().getTime();
  const hash = sha256Hex(token);
  const session = await store.sessions.find(hash);
  if (session === null) return;
  if (at < session.expiresAt) check(session.wallet);
  const audit = { at, event: "session.end", requestId } as const;
  await store.sessions.end(hash, audit);
}

/** Makes a secret: 256 random bits as 43 characters of base64url. */
export function newToken(): string {
  return crypto.getRandomValues(new Uint8Array(32))
    .toBase64({ alphabet: "base64url", omitPadding: true });
}
