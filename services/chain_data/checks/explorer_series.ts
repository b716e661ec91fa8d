/** Daily series of the explorer index: fetching new days and rechecking old ones. */
import { GENESIS_DAY } from "../catalogue/fields_schema.ts";
import type { ChainDataDeps } from "./deps.ts";
import type { CallOptions } from "../../platform/rate_limit/call_budget.ts";
import { dayAt, parseDay } from "../../platform/days.ts";
import { EMPTY_SERIES, newestDay } from "../series/series.ts";
import { TAIL_DAYS } from "../series/series_freshness.ts";
import type { ExplorerMetric } from "../catalogue/series_id.ts";
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
    await fetchCall(deps, metric, { ...options(), from: start, to: end });
  }
}

/** Fetches days in one call and merges them into the stored series. */
async function fetchCall(
  deps: ExplorerDeps,
  metric: ExplorerMetric,
  days: CallOptions & { from: number; to: number },
): Promise<void> {
  const id = { subject: "explorer-index", metric } as const;
  const { explorer } = deps.upstream;
  const fetchedAt = deps.now().getTime();
  const { body, unread, source } = await explorer.readDaily(metric, days);
  const activity = await findActivity(deps, id);
  const readAt = deps.now().getTime();
  let doubts: StoredSeries["doubts"];
  await deps.store.series.update(id, (stored) => {
    const current = ofUpstream(explorer, stored);
    const reachesNow = days.to >= dayAt(fetchedAt) - 1;
    const merged = mergeRead(id, current, {
      body,
      unread,
      days: { start: days.from, end: days.to },
      activity,
      fetchedAt,
      // The first fill takes several calls. Until the last one the series is cut short.
      wholeAt: reachesNow ? fetchedAt : current?.wholeAt ?? 0,
      origin: explorer.baseUrl,
      source,
    });
    ({ doubts } = merged);
    return { ...merged, changedAt: merged.changedAt ?? readAt };
  }, { at: readAt });
  logUnused(deps, id, { unread, doubts });
}
