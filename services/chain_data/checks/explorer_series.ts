/**
 * Daily series of the explorer index: of the C-Chain in parts, new days and old ones
 * again; of any other chain whole.
 */
import {
  INDEX_METRICS,
  type IndexMetric,
} from "../catalogue/cross_checks_schema.ts";
import { GENESIS_DAY } from "../catalogue/fields_schema.ts";
import { C_CHAIN } from "../catalogue/metrics_schema.ts";
import type { ChainDataDeps } from "./deps.ts";
import type { CallOptions } from "../../platform/rate_limit/call_budget.ts";
import { dayAt, parseDay } from "../../platform/days.ts";
import { type DailySeries, EMPTY_SERIES, newestDay } from "../series/series.ts";
import { TAIL_DAYS } from "../series/series_freshness.ts";
import {
  type ExplorerMetric,
  indexSeriesId,
  type SeriesId,
} from "../catalogue/series_id.ts";
import type { DailyRows } from "../series/daily_rows.ts";
import { findActivity, logUnused } from "../series/series_reader.ts";
import {
  firstHeldDay,
  mergeRead,
  type StoredSeries,
} from "../series/stored_series.ts";
import { ofUpstream } from "../../platform/http/upstream_answer.ts";

type ExplorerDeps = Pick<
  ChainDataDeps,
  "log" | "now" | "store" | "upstream"
>;

/** Days per call. */
const CALL_DAYS = 366;

/** Daily runs that recheck the whole history once. */
const ROUND_RUNS = 28;

/** Finds the stored series of a metric. Returns null if it came from another upstream. */
export async function findExplorerSeries(
  deps: Pick<ChainDataDeps, "store" | "upstream">,
  metric: ExplorerMetric,
): Promise<StoredSeries | null> {
  const id = { subject: "explorer-index", metric } as const;
  return ofUpstream(deps.upstream.explorer, await deps.store.series.find(id));
}

/** Fetches new days, and again the last two weeks and days that the index withdraws. */
export async function fetchNewDays(
  deps: ExplorerDeps,
  metric: ExplorerMetric,
  options: () => CallOptions,
): Promise<void> {
  const stored = await findExplorerSeries(deps, metric);
  const newest = newestDay(stored?.series ?? EMPTY_SERIES);
  const from = newest === null
    ? parseDay(GENESIS_DAY)
    : Math.min(newest - TAIL_DAYS, firstHeldDay(stored!));
  // Today is incomplete.
  const yesterday = dayAt(deps.now().getTime()) - 1;
  await fetchDays(deps, metric, { from, to: yesterday }, options);
}

/** Fetches the next part of the history again. All days are rechecked within a month. */
export async function recheckDays(
  deps: ExplorerDeps,
  metric: ExplorerMetric,
  options: () => CallOptions,
): Promise<void> {
  const genesis = parseDay(GENESIS_DAY);
  const yesterday = dayAt(deps.now().getTime()) - 1;
  const cursor = await deps.store.rechecks.find(metric) ?? genesis;
  // Every run fetches the last days anyway, so a round ends before them.
  const from = cursor > yesterday - TAIL_DAYS ? genesis : cursor;
  const to = from + Math.ceil((yesterday - genesis + 1) / ROUND_RUNS) - 1;
  await fetchDays(deps, metric, { from, to: Math.min(to, yesterday) }, options);
  await deps.store.rechecks.put(metric, to + 1);
}

/** Fetches days call by call. Each call is stored at once, so the next run continues after a killed one. */
async function fetchDays(
  deps: ExplorerDeps,
  metric: ExplorerMetric,
  { from, to }: { from: number; to: number },
  options: () => CallOptions,
): Promise<void> {
  for (let start = from; start <= to; start += CALL_DAYS) {
    const end = Math.min(start + CALL_DAYS - 1, to);
    const days = { from: start, to: end };
    const id = { subject: "explorer-index", metric } as const;
    await storeRead(
      deps,
      id,
      days,
      () => deps.upstream.explorer.readDaily(metric, { ...options(), ...days }),
    );
  }
}

/**
 * Lists the metrics of a chain that are read from the index by themselves. The C-Chain's
 * transactions and fees are checked series, which are read with their rows.
 */
export function indexMetricsOf(chainId: number): readonly IndexMetric[] {
  return chainId === C_CHAIN ? ["activeAddresses"] : INDEX_METRICS;
}

/** Returns whether the index has traffic of a chain: zeroes alone mean that it does not read it. */
export function isIndexed({ values }: DailySeries): boolean {
  return values.some((value) => value > 0);
}

/** Reads the whole history of a metric of a chain in one call, and merges it into the stored series. */
export function fetchIndexSeries(
  deps: ExplorerDeps,
  chainId: number,
  metric: IndexMetric,
  options: CallOptions,
): Promise<DailySeries> {
  const id = indexSeriesId(chainId, metric);
  const to = dayAt(deps.now().getTime()) - 1;
  return storeRead(
    deps,
    id,
    { from: -Infinity, to },
    () =>
      deps.upstream.chainIndex.readDaily(metric, chainId, { ...options, to }),
  );
}

/** Reads days in one call and merges them into the stored series, which it returns. */
async function storeRead(
  deps: ExplorerDeps,
  id: SeriesId,
  { from, to }: { readonly from: number; readonly to: number },
  read: () => Promise<DailyRows>,
): Promise<DailySeries> {
  const { explorer } = deps.upstream;
  const fetchedAt = deps.now().getTime();
  const { body, unread, source } = await read();
  const activity = await findActivity(deps, id);
  const readAt = deps.now().getTime();
  let series = EMPTY_SERIES;
  let doubts: StoredSeries["doubts"];
  await deps.store.series.update(id, (stored) => {
    const current = ofUpstream(explorer, stored);
    const reachesNow = to >= dayAt(fetchedAt) - 1;
    const merged = mergeRead(id, current, {
      body,
      unread,
      days: { start: from, end: to },
      activity,
      fetchedAt,
      // The first fill takes several calls. Until the last one the series is cut short.
      wholeAt: reachesNow ? fetchedAt : current?.wholeAt ?? 0,
      origin: explorer.baseUrl,
      source,
    });
    ({ series, doubts } = merged);
    return { ...merged, changedAt: merged.changedAt ?? readAt };
  }, { at: readAt });
  logUnused(deps, id, { unread, doubts });
  return series;
}
