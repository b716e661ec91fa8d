/** One-time messages that wait for their signature: each is taken once. */
import type { Challenge } from "./challenge_message.ts";
import { checkAndSet } from "../platform/kv/commit.ts";
import { EXPIRE_MS } from "../platform/kv/expiry.ts";
import * as keys from "./keys.ts";

/** One-time messages in a store. */
export function challengeStore(kv: Deno.Kv) {
  return {
    /** Puts a challenge under its nonce. */
    async put(nonce: string, challenge: Challenge): Promise<void> {
      const expireIn = EXPIRE_MS.challenges!;
      await kv.set(keys.challenge(nonce), challenge, { expireIn });
    },

    /** Takes a challenge out of the store: of all who ask one gets it, and the others null. */
    take(nonce: string): Promise<Challenge | null> {
      const key = keys.challenge(nonce);
      return checkAndSet<Challenge, Challenge | null>(
        kv,
        key,
        ({ value: held }) =>
          held === null
            ? { value: null }
            : { value: held, write: (atomic) => atomic.delete(key) },
      );
    },
  };
}
