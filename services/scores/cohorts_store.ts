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

/**
 * Reads the cohorts of an address. Its writes belong to the transaction that stores
 * its signals. Wallets without a known funder have no cohort.
 */
export async function prepareCohorts(
  kv: Deno.Kv,
  address: string,
  { funding, sweptTo, use }: ChainSignals,
): Promise<PreparedCohorts> {
  if (funding === null) return { alike: 0, join: (atomic) => atomic };
  const origins = [
    ["funder", funding.funder] as const,
    ...sweptTo === null ? [] : [["sweep", sweptTo] as const],
  ];
  const entries = await Promise.all(
    origins.map(([kind, origin]) => kv.get<Cohort>(keys.cohort(kind, origin))),
  );
  const { behavior } = use;
  const member: Member = { address, fundedAt: funding.at, behavior };
  const joined = entries
    .map((entry, nth) => ({ entry, origin: origins[nth]![1] }))
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
