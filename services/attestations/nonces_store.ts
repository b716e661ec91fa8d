/** The last nonce of each subject, so that the next one is greater whoever signs it. */
import { checkAndSet } from "../platform/kv/commit.ts";
import * as keys from "./keys.ts";

/** Attestation nonces in a store. */
export function attestationNonceStore(kv: Deno.Kv) {
  return {
    /**
     * Takes the next nonce of a subject, which nobody else is ever given: the
     * microsecond at `now` (epoch ms), or the one after the last nonce where
     * that is later.
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
