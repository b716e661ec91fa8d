/** One-time messages that wait for their signature. */
import type { ActionName } from "./account_schema.ts";
import type { KeyLimitsBody } from "./key_limits_schema.ts";
import { takeOnce } from "../platform/kv/commit.ts";
import { HOUR_MS } from "../platform/days.ts";
import type { StoredRecords } from "../platform/kv/store_rule.ts";

/** Keys. */
const keys = {
  /** A one-time message, under its nonce. */
  challenge: (nonce: string) => ["challenges", nonce],
};

/** The parameters of any action. */
export type Params = Readonly<Record<string, string | number | KeyLimitsBody>>;

/** The stored data of a one-time message. */
export interface Challenge {
  /** Lower-case. */
  readonly address: string;
  readonly action: ActionName;
  readonly params: Params;
  /** Epoch ms. */
  readonly issuedAt: number;
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** How long a message is kept. */
const EXPIRE_MS = HOUR_MS;

/** One-time messages in a store. */
export function challengeStore(kv: Deno.Kv) {
  const expiry = { expireIn: EXPIRE_MS };

  return {
    /** Stores a challenge under its nonce. */
    async put(nonce: string, challenge: Challenge): Promise<void> {
      await kv.set(keys.challenge(nonce), challenge, expiry);
    },

    /** Takes a challenge: one of several callers gets it, the others get null. */
    take(nonce: string): Promise<Challenge | null> {
      return takeOnce(kv, keys.challenge(nonce), expiry);
    },
  };
}

/** The collections and the rules. */
export const CHALLENGE_RECORDS: StoredRecords = {
  collections: {
    challenges: { expireMs: EXPIRE_MS, isLeftOut: true, isUnchecked: true },
  },
  rules: [],
};
