/** Store of Verified Human numbers: one counter, each number granted once. */
import {
  type HumanEvidence,
  humanEvidenceKey,
  profileKey,
  readEvidence,
} from "./profiles_store.ts";
import {
  evidenceFor,
  isClaimed,
  type Profile,
  type StoredProfile,
} from "./profile.ts";
import { withAudit } from "../platform/kv/audit_store.ts";
import { checkAndSet } from "../platform/kv/commit.ts";
import {
  ANY,
  ANY_NUMBER,
  numberAt,
  type Rule,
  type StoredRecords,
} from "../platform/kv/store_rule.ts";
import { humanProofsKey } from "./human_proofs_store.ts";
import { type ProofRecord, proofSignalsOf } from "./human_proofs.ts";

/** Keys. */
const keys = {
  /** Number of Verified Human numbers granted so far. */
  humanCount: () => ["human_count"],
  /** Address with a Verified Human number. */
  human: (number: number) => ["humans", number],
  /** Prefix of all Verified Human numbers. */
  humans: () => ["humans"],
};

/** Numbers that the import of a backup skips: far more than are granted between two backups. */
const SKIPPED_NUMBERS = 1_000;

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
    const key = profileKey(address);
    return checkAndSet<StoredProfile, Profile | null>(
      kv,
      key,
      async ({ value }) => {
        if (!isClaimed(value)) return { value: null };
        if (value.verifiedHuman !== null) return { value };
        const [accounts, proofs] = await Promise.all([
          readEvidence(kv, value),
          kv.get<ProofRecord>(humanProofsKey(address)),
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

/** Store of Verified Human numbers. */
export type HumanStore = ReturnType<typeof humanStore>;

const numbered: Rule<StoredProfile> = {
  name: "profile-number",
  of: profileKey(ANY),
  invariant: "the Verified Human number of a profile is indexed to it",
  async holds({ key, value: { verifiedHuman } }, { find }) {
    return verifiedHuman === null ||
      await find<string>(keys.human(verifiedHuman)) === key[1];
  },
};

const human: Rule<string> = {
  name: "human",
  of: keys.human(ANY_NUMBER),
  invariant: "a Verified Human number is counted and in its profile",
  async holds({ key, value: address }, { find }) {
    const number = numberAt(key, 1);
    const profile = await find<StoredProfile>(profileKey(address));
    const count = await find<number>(keys.humanCount());
    return profile?.verifiedHuman === number && number <= (count ?? 0);
  },
};

const humanCount: Rule<number> = {
  name: "human-count",
  of: keys.humanCount(),
  invariant:
    "every Verified Human number up to the counter exists, except those that imports skipped",
  async holds({ value: count }, { list }) {
    let last = 0;
    for await (const { key } of list<string>(keys.humans())) {
      const number = numberAt(key, 1);
      if (number > count) continue;
      if ((number - last - 1) % SKIPPED_NUMBERS !== 0) return false;
      last = number;
    }
    return (count - last) % SKIPPED_NUMBERS === 0;
  },
};

const humanEvidence: Rule<HumanEvidence> = {
  name: "human-evidence",
  of: humanEvidenceKey(ANY, ANY),
  invariant: "a number that rests on an account exists",
  holds: async ({ value: { number } }, { find }) =>
    await find<string>(keys.human(number)) !== null,
};

/** The collections and the rules. */
export const HUMAN_RECORDS: StoredRecords = {
  collections: {
    human_count: {
      whenOutdated: {
        says:
          `counter of Verified Human numbers skips ${SKIPPED_NUMBERS} numbers, which may have been granted after the backup`,
        change: (count: number) => count + SKIPPED_NUMBERS,
      },
    },
    human_evidence: {},
    humans: {},
  },
  rules: [numbered, human, humanCount, humanEvidence],
};
