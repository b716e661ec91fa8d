/** KV keys of accounts. */
import type { Collections } from "../platform/kv/collection.ts";
import { DAY_MS, HOUR_MS } from "../platform/days.ts";

/** The collections of accounts. */
export const COLLECTIONS = {
  api_keys: {
    whenOutdated: {
      says: "API keys wait until their owners sign in",
      // A key that was live in the backup may have been revoked since.
      change: (key: { readonly revokedAt: number | null }) =>
        key.revokedAt === null ? { ...key, isWaiting: true } : key,
    },
  },
  api_key_owners: { isUnchecked: true },
  api_key_revision: { isUnchecked: true },
  challenges: {
    expireMs: HOUR_MS,
    isLeftOut: true,
    isUnchecked: true,
  },
  sessions: { expireMs: DAY_MS, isLeftOut: true },
  wallet_keys: {},
} as const satisfies Collections;

/** An API key, under its hash. */
export const apiKey = (hash: string) => ["api_keys", hash];
/** The list of a wallet's keys. */
export const walletKeys = (wallet: string) => ["wallet_keys", wallet];
/** The revision of all keys; changes when a key is revoked or replaced, or its limits change. */
export const apiKeyRevision = () => ["api_key_revision"];
/** The wallet of a key, by the key's id. */
export const apiKeyOwner = (id: string) => ["api_key_owners", id];
/** A session, under the hash of its token. */
export const session = (hash: string) => ["sessions", hash];
/** A one-time message, under its nonce. */
export const challenge = (nonce: string) => ["challenges", nonce];
