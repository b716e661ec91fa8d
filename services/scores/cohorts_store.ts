/** Store of cohorts: an address joins those of its funder and of its sweep target. */
import {
  alikeIn,
  type Cohort,
  isHub,
  type Member,
  withMember,
} from "./cohort.ts";
import * as keys from "./keys.ts";
import type { ChainSignals } from "./model/signals.ts";

/** The alike wallets of an address, and the writes that make it a member. */
export interface PreparedCohorts {
  readonly alike: number;
  readonly join: (atomic: Deno.AtomicOperation) => Deno.AtomicOperation;
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
  if (funding === null) return { alike: 0, join: (atomic) => atomic };
  const origins = [funding.funder, sweptTo];
  const { behavior } = use;
  const member: Member = { address, fundedAt: funding.at, behavior };
  const joined = entries
    .map((entry, nth) => ({ entry, origin: origins[nth]! }))
    .filter(({ entry, origin }) => !isHub(origin, entry.value));
  const alike = joined.map(({ entry }) =>
    entry.value === null ? 0 : alikeIn(member, entry.value)
  );
  return {
    alike: Math.max(0, ...alike),
    join(atomic) {
      for (const { entry } of joined) {
        const cohort = withMember(entry.value ?? { members: [] }, member);
        const { expireMs: expireIn } = keys.COLLECTIONS.cohorts;
        atomic.check(entry).set(entry.key, cohort, { expireIn });
      }
      return atomic;
    },
  };
}
