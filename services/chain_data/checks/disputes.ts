/** The answer of `GET /disputes`, read from the store alone. */
import { currentReads, readStored, SOURCES } from "./checked_sources.ts";
import { compareSources, type Comparison } from "./checks.ts";
import type { DisputesAnswer } from "./disputes_schema.ts";
import type { CacheableAnswer } from "../../platform/cache/freshness.ts";
import type { ChainDataDeps } from "../deps.ts";
import {
  CHECK_NAMES,
  type CheckName,
  CHECKS,
} from "../catalogue/check_rules_schema.ts";
import { dayAt, parseDay, startOfDay } from "../../platform/days.ts";
import { instant } from "../../platform/instants.ts";
import { maxOf } from "../../platform/extremes.ts";

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
function foundAtOf({ changedAt }: StoredCheck, day: number): number {
  return Math.max(changedAt, startOfDay(day + 1));
}

/** Records which days are disputed now, and when each was found. */
export async function recordDisputes(deps: StoredDeps): Promise<void> {
  for (const check of await compareStoredSeries(deps)) {
    const { name, comparison: { tail } } = check;
    const found = tail.checks.disputedDays.map(({ day }) => parseDay(day))
      .map((day) => [day, foundAtOf(check, day)] as const);
    await deps.store.disputes.replace(name, new Map(found));
  }
}

/** Reads the open disputes, newest day first. */
export async function readDisputes(
  deps: StoredDeps,
): Promise<CacheableAnswer<DisputesAnswer>> {
  const checks = await compareStoredSeries(deps);
  const recorded = new Map(
    await Promise.all(
      CHECK_NAMES.map(async (name) =>
        [name, await deps.store.disputes.list(name)] as const
      ),
    ),
  );
  const foundAt = (check: StoredCheck, day: number) =>
    recorded.get(check.name)?.get(day) ?? foundAtOf(check, day);
  const disputes = checks.flatMap((check) => {
    const { name, comparison: { tail } } = check;
    return tail.checks.disputedDays.map((dispute) => ({
      series: name,
      ...dispute,
      foundAt: instant(foundAt(check, parseDay(dispute.day))),
      unit: CHECKS[name].unit,
      tolerancePct: CHECKS[name].tolerancePct.day,
      source: tail.source,
      crossCheckSource: tail.checks.source,
    }));
  }).sort((a, b) => b.day < a.day ? -1 : Number(b.day > a.day));
  const checkedAt = checks.length === 0
    ? null
    : maxOf(checks.map(({ fetchedAt }) => fetchedAt));
  return {
    answer: {
      count: disputes.length,
      disputes,
      checkedAt: instant(checkedAt),
    },
    fetchedAt: deps.now().getTime(),
    changedAt: lastChange(checks),
  };
}

/** Returns when a comparison last changed, in epoch ms; null for no comparisons. */
function lastChange(checks: readonly StoredCheck[]): number | null {
  if (checks.length === 0) return null;
  return maxOf(checks.map(({ comparison }) => comparison.changedAt));
}
