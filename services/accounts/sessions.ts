/** Sessions: a random token in the browser, and its hash in the store. */
import { HOUR_MS } from "../platform/days.ts";
import { sha256Hex } from "../platform/sha256.ts";
import type { AccountsDeps } from "./deps.ts";

type SessionDeps = Pick<AccountsDeps, "now" | "store">;

/** Lifetime of a session. Use does not extend it. */
const SESSION_MS = 12 * HOUR_MS;

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
  wallet: string,
  { replaces, requestId }: { replaces: string | undefined; requestId: string },
): Promise<StartedSession> {
  const token = newToken();
  const at = now().getTime();
  const expiresAt = at + SESSION_MS;
  await store.apiKeys.release(wallet, { at, requestId });
  await store.sessions.start(
    sha256Hex(token),
    { wallet, createdAt: at, expiresAt },
    {
      replaces: replaces === undefined ? null : sha256Hex(replaces),
      audit: { at, event: "session.start", requestId },
    },
  );
  return { token, expiresAt };
}

/** Finds the wallet of a session by its token; null if the session has ended. */
export async function findSession(
  { now, store }: SessionDeps,
  token: string,
): Promise<string | null> {
  const session = await store.sessions.find(sha256Hex(token));
  return session !== null && now().getTime() < session.expiresAt
    ? session.wallet
    : null;
}

/** Ends a session; its next request is refused. */
export async function endSession(
  { now, store }: SessionDeps,
  token: string,
  requestId: string,
): Promise<void> {
  const at = now().getTime();
  const audit = { at, event: "session.end", requestId } as const;
  await store.sessions.end(sha256Hex(token), audit);
}

/** Makes a secret: 256 random bits as 43 characters of base64url. */
export function newToken(): string {
  return crypto.getRandomValues(new Uint8Array(32))
    .toBase64({ alphabet: "base64url", omitPadding: true });
}
