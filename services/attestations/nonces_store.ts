/** The last nonce of each subject. Nonces of a subject always increase. */
import { checkAndSet } from "../platform/kv/commit.ts";
import { DAY_MS } from "../platform/days.ts";
import {
  ANY,
  type Rule,
  type StoredRecords,
} from "../platform/kv/store_rule.ts";

/** Keys. */
const keys = {
  /** The last nonce of the attestations of an address. */
  attestationNonce: (subject: string) => ["attestation_nonces", subject],
};

/** After 30 days every clock has passed a nonce that was derived from the time. */
const EXPIRE_MS = 30 * DAY_MS;

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
      return checkAndSet(kv, key, async (
        { value: last }: Deno.KvEntryMaybe<number>,
      ) => {
        const scored = await score();
        const nonce = Math.max(now() * 1000, (last ?? 0) + 1);
        return {
          value: { nonce, score: scored },
          write: (atomic) => atomic.set(key, nonce, { expireIn: EXPIRE_MS }),
        };
      });
    },
  };
}

const nonce: Rule<number> = {
  name: "attestation-nonce",
  of: keys.attestationNonce(ANY),
  invariant: "the last nonce of a subject is a positive integer",
  holds: ({ value }) => Number.isSafeInteger(value) && value > 0,
};

/** The collections and the rules. */
export const NONCE_RECORDS: StoredRecords = {
  collections: {
    attestation_nonces: { expireMs: EXPIRE_MS, isIndependent: true },
  },
  rules: [nonce],
};
