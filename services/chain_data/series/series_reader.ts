/** Daily series: read from the store while good, else from upstream, whole or not at all. */
import type { ChainDataDeps } from "../deps.ts";
import type { CallOptions } from "../../platform/rate_limit/call_budget.ts";
import { DAY_MS } from "../../platform/days.ts";
import { upstreamDown } from "../../platform/fault.ts";
import {
  covers,
  EMPTY_SERIES,
  newestDay,
  sameSeries,
  seriesOf,
  withTail,
} from "./series.ts";
import { type MetricsSeriesId, nameSeries } from "./series_id.ts";
import { ofUpstream } from "../../platform/http/origin.ts";
import {
  type FreshnessOptions,
  readerCallOptions,
  readThrough,
} from "../../platform/cache/read_through.ts";

type SeriesDeps = Pick<ChainDataDeps, "now" | "store" | "upstream">;
type StoredSeries = NonNullable<
  Awaited<ReturnType<ChainDataDeps["store"]["series"]["find"]>>
>;

/** Days before the newest that every read takes again: upstream restates recent ones. */
const TAIL_DAYS = 14;

/** Age at which the whole history is read again, since older days are restated too. */
const WHOLE_MS = 7 * DAY_MS;

/** Reads a series, from upstream where the stored one is past its hour. */
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

/** Finds a stored series of any age; one of another upstream counts as none. */
export async function findSeries(
  deps: Pick<ChainDataDeps, "store" | "upstream">,
  id: MetricsSeriesId,
): Promise<StoredSeries | null> {
  return ofUpstream(deps.upstream.metrics, await deps.store.series.find(id));
}

/**
 * Reads a series from upstream and replaces the stored one: the whole history
 * at first and once a week, else its tail. Throws a fault, and leaves the store
 * as it was, where upstream gives less than it gave before.
 */
export async function refreshSeries(
  deps: SeriesDeps,
  id: MetricsSeriesId,
  options: CallOptions,
): Promise<StoredSeries> {
  const { metrics } = deps.upstream;
  const { host } = new URL(metrics.baseUrl);
  const stored = await deps.store.series.find(id);
  const held = ofUpstream(metrics, stored);
  const fetchedAt = deps.now().getTime();
  const fromDay = tailStart(held, fetchedAt);
  const { body, source } = await metrics.readDaily(id, {
    ...options,
    fromDay,
  });
  const read = seriesOf(body);
  const series = fromDay === undefined
    ? read
    : withTail(held!.series, read, fromDay);
  if (!covers(series, held?.series ?? EMPTY_SERIES)) {
    throw upstreamDown(host, `${nameSeries(id)} lacks days it had before`);
  }
  const unchanged = held !== null && sameSeries(series, held.series);
  const next: StoredSeries = {
    series,
    fetchedAt,
    wholeAt: fromDay === undefined ? fetchedAt : held!.wholeAt,
    changedAt: unchanged ? held.changedAt : fetchedAt,
    origin: metrics.baseUrl,
    source,
    versionstamp: stored?.versionstamp ?? null,
  };
  const replaced = await deps.store.series.replace(id, next);
  // Another process read the same series meanwhile, and its answer is as good.
  return replaced ? next : (await findSeries(deps, id)) ?? next;
}

/** Returns the day from which a tail is enough, undefined where all is to be read. */
function tailStart(
  held: StoredSeries | null,
  now: number,
): number | undefined {
  const newest = held && newestDay(held.series);
  if (newest === null || now - held!.wholeAt >= WHOLE_MS) return undefined;
  return newest - TAIL_DAYS;
}
