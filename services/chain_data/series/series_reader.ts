/** Reads daily series of the Metrics API through the store. */
import type { ChainDataDeps } from "../deps.ts";
import type { CallOptions } from "../../platform/rate_limit/call_budget.ts";
import { DAY_MS } from "../../platform/days.ts";
import { upstreamDown } from "../../platform/fault.ts";
import { EMPTY_SERIES, newestDay, sameSeries, seriesOf } from "./series.ts";
import { type MetricsSeriesId, nameSeries } from "./series_id.ts";
import { firstWithdrawn, reconcile, sameWithdrawn } from "./withdrawals.ts";
import { listReplacedDays } from "./replaced_days.ts";
import type { StoredSeries } from "./series_store.ts";
import type { Publication } from "./publications_store.ts";
import { C_CHAIN } from "../metrics_schema.ts";
import { ofUpstream } from "../../platform/http/origin.ts";
import {
  type FreshnessOptions,
  readerCallOptions,
  readThrough,
} from "../../platform/cache/read_through.ts";

type SeriesDeps = Pick<ChainDataDeps, "now" | "store" | "upstream">;

/** Newest stored days that every refresh fetches again, because upstream restates recent days. */
const TAIL_DAYS = 14;

/** Age at which the whole history is fetched again, because upstream also restates older days. */
const WHOLE_MS = 7 * DAY_MS;

/** Reads a series. It is fetched if the stored one is not fresh. */
export function readSeries(
  deps: SeriesDeps & Pick<ChainDataDeps, "share">,
  id: MetricsSeriesId,
  freshness: FreshnessOptions,
): Promise<StoredSeries> {
  return readThrough(deps, nameSeries(id), {
    find: () => findSeries(deps, id),
    refresh: () => refreshSeries(deps, id, readerCallOptions(freshness.client)),
  }, freshness);
}

/**
 * Finds the newest publication: the newest day that upstream has published for
 * the C-Chain, and when that was last confirmed. Returns null before the first
 * read, and if it came from another upstream.
 */
export async function findPublication(
  { store, upstream }: Pick<ChainDataDeps, "store" | "upstream">,
): Promise<Publication | null> {
  return ofUpstream(upstream.metrics, await store.publications.find());
}

/** Finds a stored series of any age. Returns null if it came from another upstream. */
export async function findSeries(
  deps: Pick<ChainDataDeps, "store" | "upstream">,
  id: MetricsSeriesId,
): Promise<StoredSeries | null> {
  return ofUpstream(deps.upstream.metrics, await deps.store.series.find(id));
}

/**
 * Fetches a series and replaces the stored one. The first refresh, and one per
 * week, fetches the whole history; the others fetch the newest days, and those
 * that upstream withdraws. Throws a fault, without writing, if upstream withdraws
 * days in too many places.
 */
export async function refreshSeries(
  deps: SeriesDeps,
  id: MetricsSeriesId,
  options: CallOptions,
): Promise<StoredSeries> {
  const { metrics } = deps.upstream;
  const { host } = new URL(metrics.baseUrl);
  const stored = await deps.store.series.find(id);
  const current = ofUpstream(metrics, stored);
  const fetchedAt = deps.now().getTime();
  const fromDay = tailStart(current, fetchedAt);
  const { body, source } = await metrics.readDaily(id, {
    ...options,
    fromDay,
  });
  const merged = reconcile(current ?? { series: EMPTY_SERIES }, {
    read: seriesOf(body),
    days: { start: fromDay ?? -Infinity, end: Infinity },
    readAt: fetchedAt,
  });
  if (merged === null) {
    throw upstreamDown(host, `${nameSeries(id)} lacks days it had before`);
  }
  const { series, withdrawals } = merged;
  const published = (await findPublication(deps))?.newestDay ?? null;
  const revisions = [
    ...merged.revisions,
    ...await listReplacedDays(deps, id, {
      before: current?.series ?? EMPTY_SERIES,
      after: series,
      published: current && published,
      readAt: fetchedAt,
    }),
  ];
  const unchanged = current !== null &&
    sameSeries(series, current.series) &&
    sameWithdrawn(withdrawals, current.withdrawals);
  const next: StoredSeries = {
    series,
    withdrawals,
    fetchedAt,
    wholeAt: fromDay === undefined ? fetchedAt : current!.wholeAt,
    changedAt: unchanged ? current.changedAt : fetchedAt,
    origin: metrics.baseUrl,
    source,
    versionstamp: stored?.versionstamp ?? null,
  };
  const replaced = await deps.store.series.replace(id, next, revisions);
  await confirmPublication(deps, id, next);
  // On a conflict another process has just stored the same series.
  return replaced ? next : (await findSeries(deps, id)) ?? next;
}

/** Records the newest published day, if the series is the canary. */
async function confirmPublication(
  { store }: SeriesDeps,
  { subject, metric }: MetricsSeriesId,
  { series, fetchedAt, origin }: StoredSeries,
): Promise<void> {
  const newest = newestDay(series);
  if (subject !== C_CHAIN || metric !== "txCount" || newest === null) return;
  await store.publications.confirm({
    newestDay: newest,
    readAt: fetchedAt,
    origin,
  });
}

/** Returns the first day to fetch; undefined for the whole history. */
function tailStart(
  stored: StoredSeries | null,
  now: number,
): number | undefined {
  const newest = stored && newestDay(stored.series);
  if (newest === null || now - stored!.wholeAt >= WHOLE_MS) return undefined;
  return Math.min(newest - TAIL_DAYS, firstWithdrawn(stored!.withdrawals));
}
