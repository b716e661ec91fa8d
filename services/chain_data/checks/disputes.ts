/** Every open disagreement over all checked series. */
import { readStored, SOURCES } from "./checked_sources.ts";
import { compareSources, type Comparison } from "./checks.ts";
import type { DisputesAnswer } from "./disputes_schema.ts";
import type { CacheableAnswer } from "../../platform/cache/cacheable_answer.ts";
import type { ChainDataDeps } from "../deps.ts";
import { CHECK_NAMES, type CheckName, CHECKS } from "./check_rules_schema.ts";
import { dayAt } from "../../platform/days.ts";

type StoredDeps = Pick<ChainDataDeps, "now" | "store" | "upstream">;

/** A checked series as it is stored, compared over its whole history. */
export interface StoredCheck {
  readonly name: CheckName;
  /** When our source was last read, epoch ms. */
  readonly fetchedAt: number;
  readonly comparison: Comparison;
}

/** Compares every checked series that is stored; asks no upstream. */
export async function compareStoredSeries(
  deps: StoredDeps,
): Promise<StoredCheck[]> {
  const today = dayAt(deps.now().getTime());
  const checks = await Promise.all(CHECK_NAMES.map(async (name) => {
    const ours = await SOURCES[name].ours(deps, readStored(deps));
    if (ours === null) return [];
    const second = await SOURCES[name].second(deps);
    const interval = "day";
    const comparison = compareSources(name, { ours, second }, {
      query: {},
      interval,
      today,
    });
    return [{ name, fetchedAt: ours.fetchedAt, comparison }];
  }));
  return checks.flat();
}

/** Reads the open disagreements, the newest day first. */
export async function readDisputes(
  deps: StoredDeps,
): Promise<CacheableAnswer<DisputesAnswer>> {
  const checks = await compareStoredSeries(deps);
  const disputes = checks.flatMap(({ name, comparison: { tail } }) =>
    tail.checks.disputedDays.map((dispute) => ({
      series: name,
      ...dispute,
      unit: CHECKS[name].unit,
      tolerancePct: CHECKS[name].tolerancePct.day,
      source: tail.source,
      crossCheckSource: tail.checks.source,
    }))
  ).sort((a, b) => b.day < a.day ? -1 : Number(b.day > a.day));
  const checkedAt = checks.length === 0
    ? null
    : Math.max(...checks.map(({ fetchedAt }) => fetchedAt));
  return {
    answer: {
      count: disputes.length,
      disputes,
      checkedAt: checkedAt === null ? null : new Date(checkedAt).toISOString(),
    },
    fetchedAt: deps.now().getTime(),
    changedAt: lastChange(checks),
  };
}

/** Returns when any of the checks last changed, epoch ms; null where there is none. */
function lastChange(checks: readonly StoredCheck[]): number | null {
  if (checks.length === 0) return null;
  return Math.max(...checks.map(({ comparison }) => comparison.changedAt));
}
