/** Sessions: a random token in the owner's browser, and its hash here. */
import type { AccountsDeps } from "./deps.ts";

type SessionDeps = Pick<AccountsDeps, "now" | "store">;

/** How long a session lasts, used or not. */
const SESSION_MS = 12 * 3_600_000;

/** A session as its owner's browser gets it. */
export interface StartedSession {
  /** The secret: 256 random bits; it is not stored. */
  readonly token: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** Starts a session of a wallet and ends the one that the same browser had. */
export async function startSession(
  { now, store }: SessionDeps,
  wallet: string,
  { replaces, requestId }: { replaces: string | undefined; requestId: string },
): Promise<StartedSession> {
  const token = newToken();
  const at = now().getTime();
  const expiresAt = at + SESSION_MS;
  await store.sessions.start(
    await hashToken(token),
    { wallet, createdAt: at, expiresAt },
    {
      replaces: replaces === undefined ? null : await hashToken(replaces),
      audit: { at, event: "session.start", requestId },
    },
  );
  return { token, expiresAt };
}

/** Finds the wallet of a session by its token; null where it is over. */
export async function findSession(
  { now, store }: SessionDeps,
  token: string,
): Promise<string | null> {
  const session = await store.sessions.find(await hashToken(token));
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
  await store.sessions.end(await hashToken(token), audit);
}

/** Makes a secret: 256 random bits as 43 characters of base64url. */
export function newToken(): string {
  return crypto.getRandomValues(new Uint8Array(32))
    .toBase64({ alphabet: "base64url", omitPadding: true });
}

/** SHA-256 in hex: all that is kept of a token, and the key of its record. */
export async function hashToken(token: string): Promise<string> {
  const bytes = new TextEncoder().encode(token);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
