/** The answer of `GET /disputes`, read from the store alone. */
import { currentReads, readStored, SOURCES } from "./checked_sources.ts";
import { compareSources, type Comparison, showDisputed } from "./comparison.ts";
import type {
  Dispute,
  DisputedDay,
  DisputesAnswer,
} from "./checked_series_schema.ts";
import { compareStoredChains } from "./index_checks.ts";
import type { CacheableAnswer } from "../../platform/cache.ts";
import type { ChainDataDeps } from "./deps.ts";
import {
  CHECK_NAMES,
  type CheckName,
  CHECKS,
  INDEX_CHECKS,
} from "../catalogue/cross_checks_schema.ts";
import { C_CHAIN } from "../catalogue/metrics_schema.ts";
import type { DisputedSeries } from "./disputes_store.ts";
import { dayAt, parseDay, startOfDay } from "../../platform/days.ts";
import { instant } from "../../platform/clock.ts";
import { maxOf } from "../../platform/numbers.ts";

type StoredDeps = Pick<ChainDataDeps, "now" | "store" | "upstream">;

/** A stored checked series, compared over its whole history. */
export interface StoredCheck {
  readonly name: CheckName;
  /** When our source was last fetched, in epoch ms. */
  readonly fetchedAt: number;
  readonly comparison: Comparison;
  /** When one of the sources last changed, in epoch ms. */
  readonly changedAt: number;
}

/** Compares all stored checked series. It calls no upstream. */
export async function compareStoredSeries(
  deps: StoredDeps,
): Promise<StoredCheck[]> {
  const checks = await Promise.all(
    CHECK_NAMES.map((name) => compareStored(deps, name)),
  );
  return checks.filter((check) => check !== null);
}

/** Compares one stored checked series; null if it was never read. It calls no upstream. */
export async function compareStored(
  deps: StoredDeps,
  name: CheckName,
): Promise<StoredCheck | null> {
  const reads = currentReads(deps, readStored(deps));
  const ours = await SOURCES[name].ours(reads);
  if (ours === null) return null;
  const second = await SOURCES[name].second(reads);
  const comparison = compareSources(name, { ours, second }, {
    query: {},
    interval: "day",
    today: dayAt(deps.now().getTime()),
  });
  const { fetchedAt } = ours;
  const changedAt = Math.max(ours.changedAt, second.changedAt ?? 0);
  return { name, fetchedAt, comparison, changedAt };
}

/**
 * Returns when a dispute that is not recorded yet was found, in epoch ms: when one
 * of the sources last changed, but not before the disputed day was over.
 */
function foundAtOf(
  { changedAt }: Pick<StoredCheck, "changedAt">,
  day: number,
): number {
  return Math.max(changedAt, startOfDay(day + 1));
}

/**
 * Records which days are disputed now, and when each was found. The series of all chains
 * are compared only if one of them may have changed: they are thousands of read units.
 */
export async function recordDisputes(
  deps: StoredDeps,
  { withChains = true }: { readonly withChains?: boolean } = {},
): Promise<void> {
  const comparisons = await listComparisons(deps, withChains);
  const recorded = await deps.store.disputes.listSeries();
  for (const check of comparisons) {
    // Of hundreds of series, few are or were disputed.
    if (check.disputedDays.length === 0 && !recorded.has(check.name)) continue;
    const found = check.disputedDays.map(({ day }) =>
      [parseDay(day), foundAtOf(check, parseDay(day))] as const
    );
    await deps.store.disputes.replace(check.name, new Map(found));
  }
}

/** A compared series of any chain: its disputed days, and the facts that each dispute shows. */
interface Compared {
  readonly name: DisputedSeries;
  readonly facts: Omit<Dispute, keyof DisputedDay | "foundAt">;
  readonly disputedDays: readonly DisputedDay[];
  readonly fetchedAt: number;
  readonly changedAt: number;
}

/** Compares the checked series, then the metrics of every chain unless they are left out. */
async function listComparisons(
  deps: StoredDeps,
  withChains = true,
): Promise<Compared[]> {
  const checks = await compareStoredSeries(deps);
  const chains = withChains ? await compareStoredChains(deps) : [];
  return [
    ...checks.map(({ name, comparison: { tail }, ...times }): Compared => ({
      ...times,
      name,
      disputedDays: tail.checks.disputedDays,
      facts: {
        series: name,
        chainId: C_CHAIN,
        chainName: "C-Chain",
        token: "AVAX",
        unit: CHECKS[name].unit,
        tolerancePct: CHECKS[name].tolerancePct.day,
        source: tail.source,
        crossCheckSource: tail.checks.source,
      },
    })),
    ...chains.map(({ chain, metric, comparison, ...check }): Compared => ({
      ...check,
      name: `${metric}/${chain.chainId}`,
      disputedDays: showDisputed(comparison),
      facts: {
        series: metric,
        chainId: chain.chainId,
        chainName: chain.chainName,
        token: chain.token,
        unit: INDEX_CHECKS[metric].unit,
        tolerancePct: INDEX_CHECKS[metric].tolerancePct,
        source: check.source,
        crossCheckSource: check.crossCheckSource,
      },
    })),
  ];
}

/** Reads the open disputes, newest day first. */
export async function readDisputes(
  deps: StoredDeps,
): Promise<CacheableAnswer<DisputesAnswer>> {
  const compared = await listComparisons(deps);
  const disputed = compared.filter(({ disputedDays }) =>
    disputedDays.length > 0
  );
  const recorded = new Map(
    await Promise.all(
      disputed.map(async ({ name }) =>
        [name, await deps.store.disputes.list(name)] as const
      ),
    ),
  );
  const disputes = disputed.flatMap((check) =>
    check.disputedDays.map((dispute): Dispute => {
      const day = parseDay(dispute.day);
      const foundAt = recorded.get(check.name)!.get(day) ??
        foundAtOf(check, day);
      const { series, ...facts } = check.facts;
      return { series, ...dispute, foundAt: instant(foundAt), ...facts };
    })
  ).sort((a, b) => b.day < a.day ? -1 : Number(b.day > a.day));
  const checkedAt = compared.length === 0
    ? null
    : maxOf(compared.map(({ fetchedAt }) => fetchedAt));
  return {
    answer: {
      count: disputes.length,
      disputes,
      checkedAt: instant(checkedAt),
    },
    fetchedAt: deps.now().getTime(),
    changedAt: compared.length === 0 ? null : Math.max(
      maxOf(compared.map(({ changedAt }) => changedAt)),
      startOfDay(dayAt(deps.now().getTime())),
    ),
  };
}
