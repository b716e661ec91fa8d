/** The last nonce of each subject. Nonces of a subject always increase. */
import { checkAndSet } from "../platform/kv/commit.ts";
import * as keys from "./keys.ts";

/** Attestation nonces in a store. */
export function attestationNonceStore(kv: Deno.Kv) {
  return {
    /**
     * Scores a subject, and returns the score with a new nonce: `now` (epoch ms) in
     * microseconds, or the last nonce plus one if that is greater. It is never
     * returned twice. A greater nonce has a later score, whatever the clocks of two
     * processes say: the last nonce is read first, and if another one is taken
     * meanwhile, the subject is scored again.
     */
    takeWith<Score>(
      subject: string,
      score: () => Promise<Score>,
      now: () => number,
    ): Promise<{ readonly nonce: number; readonly score: Score }> {
      const key = keys.attestationNonce(subject);
      const expireIn = keys.COLLECTIONS.attestation_nonces.expireMs;
      return checkAndSet(kv, key, async (
        { value: last }: Deno.KvEntryMaybe<number>,
      ) => {
        const scored = await score();
        const nonce = Math.max(now() * 1000, (last ?? 0) + 1);
        return {
          value: { nonce, score: scored },
          write: (atomic) => atomic.set(key, nonce, { expireIn }),
        };
      });
    },
  };
}
