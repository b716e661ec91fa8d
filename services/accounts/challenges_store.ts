/** One-time messages that wait for their signature. */
import type { Challenge } from "./challenge_message.ts";
import { takeOnce } from "../platform/kv/commit.ts";
import * as keys from "./keys.ts";

/** One-time messages in a store. */
export function challengeStore(kv: Deno.Kv) {
  const expiry = { expireIn: keys.COLLECTIONS.challenges.expireMs };

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
