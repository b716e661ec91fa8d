/** The answer of `GET /disputes`, read from the store alone. */
import { readStored, SOURCES } from "./checked_sources.ts";
import { compareSources, type Comparison } from "./checks.ts";
import type { DisputesAnswer } from "./disputes_schema.ts";
import type { CacheableAnswer } from "../../platform/cache/cacheable_answer.ts";
import type { ChainDataDeps } from "../deps.ts";
import { CHECK_NAMES, type CheckName, CHECKS } from "./check_rules_schema.ts";
import { dayAt } from "../../platform/days.ts";

type StoredDeps = Pick<ChainDataDeps, "now" | "store" | "upstream">;

/** A stored checked series, compared over its whole history. */
export interface StoredCheck {
  readonly name: CheckName;
  /** When our source was last fetched, in epoch ms. */
  readonly fetchedAt: number;
  readonly comparison: Comparison;
}

/** Compares all stored checked series. It calls no upstream. */
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

/** Reads the open disputes, newest day first. */
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

/** Returns when a comparison last changed, in epoch ms; null for no comparisons. */
function lastChange(checks: readonly StoredCheck[]): number | null {
  if (checks.length === 0) return null;
  return Math.max(...checks.map(({ comparison }) => comparison.changedAt));
}
