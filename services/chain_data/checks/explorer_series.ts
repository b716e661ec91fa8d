/** The explorer index's daily series: filled from the first day on, and checked again in turn. */
import { GENESIS_DAY } from "../day_query_schema.ts";
import type { ChainDataDeps } from "../deps.ts";
import type { CallOptions } from "../../platform/rate_limit/call_budget.ts";
import { dayAt, parseDay } from "../../platform/days.ts";
import {
  EMPTY_SERIES,
  newestDay,
  overlay,
  sameSeries,
  seriesOf,
} from "../series/series.ts";
import type { ExplorerMetric } from "../series/series_id.ts";
import { ofUpstream } from "../../platform/http/origin.ts";

type StoredSeries = NonNullable<
  Awaited<ReturnType<ChainDataDeps["store"]["series"]["find"]>>
>;

type IndexDeps = Pick<ChainDataDeps, "now" | "store" | "upstream">;

/** Days in one call. */
const CALL_DAYS = 366;

/** Days before the newest that every run reads again. */
const TAIL_DAYS = 14;

/** Runs in which the whole history is checked again: less than a month of them. */
const ROUND_RUNS = 28;

/** Finds an index series; one of another upstream counts as none. */
export async function findExplorerSeries(
  deps: Pick<ChainDataDeps, "store" | "upstream">,
  metric: ExplorerMetric,
): Promise<StoredSeries | null> {
  const id = { subject: "explorer-index", metric } as const;
  return ofUpstream(deps.upstream.explorer, await deps.store.series.find(id));
}

/** Reads the days that are new, and the last two weeks again. */
export async function readNewDays(
  deps: IndexDeps,
  metric: ExplorerMetric,
  options: () => CallOptions,
): Promise<void> {
  const stored = await findExplorerSeries(deps, metric);
  const newest = newestDay(stored?.series ?? EMPTY_SERIES);
  const from = newest === null ? parseDay(GENESIS_DAY) : newest - TAIL_DAYS;
  // Today is still being counted.
  const yesterday = dayAt(deps.now().getTime()) - 1;
  await readDays(deps, metric, { from, to: yesterday }, options);
}

/** Checks the next part of the history again; all of it comes up within a month. */
export async function recheckDays(
  deps: IndexDeps,
  metric: ExplorerMetric,
  options: () => CallOptions,
): Promise<void> {
  const genesis = parseDay(GENESIS_DAY);
  const yesterday = dayAt(deps.now().getTime()) - 1;
  const cursor = await deps.store.rechecks.find(metric) ?? genesis;
  // Every run reads the last days anyway: a round ends where they begin.
  const from = cursor > yesterday - TAIL_DAYS ? genesis : cursor;
  const to = from + Math.ceil((yesterday - genesis + 1) / ROUND_RUNS) - 1;
  await readDays(deps, metric, { from, to: Math.min(to, yesterday) }, options);
  await deps.store.rechecks.put(metric, to + 1);
}

/** Reads days call by call; each is stored at once, so that a killed run goes on from there. */
async function readDays(
  deps: IndexDeps,
  metric: ExplorerMetric,
  { from, to }: { from: number; to: number },
  options: () => CallOptions,
): Promise<void> {
  for (let start = from; start <= to; start += CALL_DAYS) {
    const end = Math.min(start + CALL_DAYS - 1, to);
    await readCall(deps, metric, { ...options(), from: start, to: end });
  }
}

/** Reads days in one call and lays them over the stored ones; a row that went missing stays. */
async function readCall(
  deps: IndexDeps,
  metric: ExplorerMetric,
  days: CallOptions & { from: number; to: number },
): Promise<void> {
  const id = { subject: "explorer-index", metric } as const;
  const { explorer } = deps.upstream;
  const fetchedAt = deps.now().getTime();
  const { body, source } = await explorer.readDaily(metric, days);
  for (;;) {
    const stored = await deps.store.series.find(id);
    const held = ofUpstream(explorer, stored);
    const series = overlay(held?.series ?? EMPTY_SERIES, seriesOf(body));
    const unchanged = held !== null && sameSeries(series, held.series);
    const reachesNow = days.to >= dayAt(fetchedAt) - 1;
    const replaced = await deps.store.series.replace(id, {
      series,
      fetchedAt,
      // Until a first fill gets here, what is stored is cut short.
      wholeAt: reachesNow ? fetchedAt : held?.wholeAt ?? 0,
      changedAt: unchanged ? held.changedAt : fetchedAt,
      origin: explorer.baseUrl,
      source,
      versionstamp: stored?.versionstamp ?? null,
    });
    if (replaced) return;
  }
}
