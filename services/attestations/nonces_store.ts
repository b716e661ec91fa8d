/** The last nonce of each subject. Nonces of a subject always increase. */
import { checkAndSet } from "../platform/kv/commit.ts";
import * as keys from "./keys.ts";

/** Attestation nonces in a store. */
export function attestationNonceStore(kv: Deno.Kv) {
  return {
    /**
     * Returns a new nonce of a subject: `now` (epoch ms) in microseconds, or the last
     * nonce plus one if that is greater. It is never returned twice.
     */
    take(subject: string, now: number): Promise<number> {
      const key = keys.attestationNonce(subject);
      const expireIn = keys.COLLECTIONS.attestation_nonces.expireMs;
      return checkAndSet<number, number>(kv, key, ({ value: last }) => {
        const nonce = Math.max(now * 1000, (last ?? 0) + 1);
        return {
          value: nonce,
          write: (atomic) => atomic.set(key, nonce, { expireIn }),
        };
      });
    },
  };
}
