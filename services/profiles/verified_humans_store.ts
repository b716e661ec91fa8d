/** Store of Verified Human numbers: one counter, each number granted once. */
import { readEvidence } from "./human_evidence_store.ts";
import { isClaimed, type Profile, type StoredProfile } from "./profile.ts";
import { withAudit } from "../platform/kv/audit_store.ts";
import { checkAndSet } from "../platform/kv/commit.ts";
import * as keys from "./keys.ts";
import { evidenceFor } from "./human_evidence.ts";
import { type ProofRecord, proofSignalsOf } from "./proofs/human_proofs.ts";

/** When and by which request a number is granted. */
interface Cause {
  readonly at: number;
  readonly requestId: string | null;
}

/** Store of Verified Human numbers. */
export function humanStore(kv: Deno.Kv) {
  /** The last grant of this process. Grants run one at a time because they share a counter. */
  let last: Promise<unknown> = Promise.resolve();

  function grantNext(
    address: string,
    { at, requestId }: Cause,
    { isByOperator }: { readonly isByOperator: boolean },
  ): Promise<Profile | null> {
    const key = keys.profile(address);
    return checkAndSet<StoredProfile, Profile | null>(
      kv,
      key,
      async ({ value }) => {
        if (!isClaimed(value)) return { value: null };
        if (value.verifiedHuman !== null) return { value };
        const [accounts, proofs] = await Promise.all([
          readEvidence(kv, value),
          kv.get<ProofRecord>(keys.humanProofs(address)),
        ]);
        const checked: Profile = { ...value, spentKinds: accounts.spent };
        const evidence = isByOperator
          ? { rule: "operator", kinds: [] } as const
          : evidenceFor(checked, {
            proofs: proofSignalsOf(proofs.value),
            now: at,
          });
        if (evidence === null) {
          // Stored, so that the next read does not try again.
          return {
            value: checked,
            write: (atomic) => atomic.set(key, checked),
          };
        }
        const count = await kv.get<number>(keys.humanCount());
        const number = (count.value ?? 0) + 1;
        const profile: Profile = {
          ...checked,
          verifiedHuman: number,
          numberEvidence: { ...evidence, at },
        };
        return {
          value: profile,
          write(atomic) {
            // The accounts earned this number, whatever it rests on: a person who has
            // a proof gets no second one for them.
            accounts.check(atomic);
            accounts.record(atomic, number);
            return withAudit(atomic, address, {
              at,
              event: "human.grant",
              requestId,
              number,
            })
              .check(count, proofs)
              .set(key, profile)
              .set(keys.humanCount(), number)
              .set(keys.human(number), address);
          },
        };
      },
    );
  }

  function grantInTurn(
    ...grant: Parameters<typeof grantNext>
  ): Promise<Profile | null> {
    const granted = last.then(() => grantNext(...grant));
    last = granted.catch(() => {});
    return granted;
  }

  return {
    /**
     * Returns the number of a profile, and grants the next one if it has none,
     * without looking at its accounts. Null if the address is unclaimed. Numbers
     * are 1, 2, 3…; only the import of a backup skips some.
     */
    async grant(address: string, cause: Cause): Promise<number | null> {
      const profile = await grantInTurn(address, cause, { isByOperator: true });
      return profile && profile.verifiedHuman;
    },

    /**
     * Grants the next number if the evidence suffices, and records what it rests on.
     * Returns the resulting profile.
     */
    grantByEvidence(address: string, cause: Cause): Promise<Profile | null> {
      return grantInTurn(address, cause, { isByOperator: false });
    },
  };
}
