/** Store of cohorts: an address joins that of its funder. */
import {
  type Cohort,
  MAX_MEMBERS,
  type Member,
  tiesIn,
  withMember,
} from "./cohort.ts";
import { SIGNALS_EXPIRE_MS } from "../../profiles/follows/follow_edges.ts";
import {
  ANY,
  areDistinct,
  type Rule,
  type StoredRecords,
} from "../../platform/kv/store_rule.ts";
import type { ChainSignals } from "../../model/signals.ts";

/** Keys. */
const keys = {
  /** The scored wallets that an address funded first. */
  cohort: (funder: string) => ["cohorts", funder],
};

/** The ties of an address, and the write that makes it a member. */
interface PreparedCohort {
  /** Members that are tied to it. */
  readonly ties: number;
  /** Adds the write to a transaction. It fails if the cohort has changed since it was read. */
  readonly join: (atomic: Deno.AtomicOperation) => Deno.AtomicOperation;
  /** Returns the cohort as a transaction of this version leaves it. */
  readonly after: (
    versionstamp: string,
  ) => readonly Deno.KvEntryMaybe<Cohort>[];
}

/** Returns the key of the cohort of an address; none without a known funder. */
export function cohortKeys(
  { funding }: Pick<ChainSignals, "funding">,
): Deno.KvKey[] {
  return funding === null ? [] : [keys.cohort(funding.funder)];
}

/** Counts the members of a cohort that are tied to an address. */
export function countTies(
  cohort: Cohort | null,
  address: string,
  signals: Pick<ChainSignals, "funding" | "sweptTo">,
): number {
  const member = memberOf(address, signals);
  return cohort && member ? tiesIn(member, cohort) : 0;
}

/**
 * Prepares the entry of an address in its cohort, from the record of `cohortKeys`.
 * The write belongs to the transaction that stores its signals.
 */
export function prepareCohort(
  entry: Deno.KvEntryMaybe<Cohort> | undefined,
  address: string,
  signals: ChainSignals,
): PreparedCohort {
  const member = memberOf(address, signals);
  if (entry === undefined || member === null) {
    return { ties: 0, join: (atomic) => atomic, after: () => [] };
  }
  const { key } = entry;
  const value = withMember(entry.value ?? { members: [] }, member);
  const expireIn = SIGNALS_EXPIRE_MS;
  return {
    ties: tiesIn(member, value),
    join: (atomic) => atomic.check(entry).set(key, value, { expireIn }),
    after: (versionstamp) => [{ key, value, versionstamp }],
  };
}

function memberOf(
  address: string,
  { funding, sweptTo }: Pick<ChainSignals, "funding" | "sweptTo">,
): Member | null {
  return funding && { address, fundedAt: funding.at, sweptTo };
}

const cohort: Rule<Cohort> = {
  name: "cohort-members",
  of: keys.cohort(ANY),
  invariant: `a cohort has at most ${MAX_MEMBERS} wallets, each once`,
  holds: ({ value: { members } }) =>
    members.length <= MAX_MEMBERS &&
    areDistinct(members.map(({ address }) => address)),
};

/** The collections and the rules. */
export const COHORT_RECORDS: StoredRecords = {
  collections: {
    cohorts: { expireMs: SIGNALS_EXPIRE_MS, isIndependent: true },
  },
  rules: [cohort],
};
