/** Store of cohorts: an address joins those of its funder and of its sweep target. */
import {
  alikeIn,
  type Cohort,
  isHub,
  type Member,
  withMember,
} from "./cohort.ts";
import * as keys from "../keys.ts";
import type { ChainSignals } from "../../model/signals.ts";
import { maxOf } from "../../platform/extremes.ts";

/** The alike wallets of an address, and the writes that make it a member. */
interface PreparedCohorts {
  readonly alike: number;
  /** Adds the writes to a transaction. It fails if a cohort has changed since it was read. */
  readonly join: (atomic: Deno.AtomicOperation) => Deno.AtomicOperation;
  /** Returns the cohorts as a transaction of this version leaves them. */
  readonly after: (
    versionstamp: string,
  ) => readonly Deno.KvEntryMaybe<Cohort>[];
}

/** Returns the keys of the cohorts of an address. Wallets without a known funder have no cohort. */
export function cohortKeys(
  { funding, sweptTo }: ChainSignals,
): Deno.KvKey[] {
  if (funding === null) return [];
  const funders = keys.cohort("funder", funding.funder);
  return sweptTo === null
    ? [funders]
    : [funders, keys.cohort("sweep", sweptTo)];
}

/**
 * Prepares the entry of an address in its cohorts, from their records in the order
 * of `cohortKeys`. The writes belong to the transaction that stores its signals.
 */
export function prepareCohorts(
  entries: readonly Deno.KvEntryMaybe<Cohort>[],
  address: string,
  { funding, sweptTo, use }: ChainSignals,
): PreparedCohorts {
  if (funding === null) {
    return { alike: 0, join: (atomic) => atomic, after: () => [] };
  }
  const origins = [funding.funder, sweptTo];
  const { behavior } = use;
  const member: Member = { address, fundedAt: funding.at, behavior };
  const joined = entries.filter(({ value }, nth) =>
    !isHub(origins[nth]!, value)
  ).map(({ key, value }) => ({
    key,
    alike: value === null ? 0 : alikeIn(member, value),
    value: withMember(value ?? { members: [] }, member),
  }));
  return {
    alike: Math.max(0, maxOf(joined.map(({ alike }) => alike))),
    join(atomic) {
      const { expireMs: expireIn } = keys.COLLECTIONS.cohorts;
      // Also those of hubs, which may be remembered.
      for (const entry of entries) atomic.check(entry);
      for (const { key, value } of joined) atomic.set(key, value, { expireIn });
      return atomic;
    },
    after: (versionstamp) =>
      entries.map((entry) => {
        const next = joined.find(({ key }) => key === entry.key);
        return next
          ? { key: entry.key, value: next.value, versionstamp }
          : entry;
      }),
  };
}
