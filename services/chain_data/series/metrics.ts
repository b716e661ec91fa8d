/** The answer of `GET /metrics`: one metric of one chain, folded into buckets. */
import {
  C_CHAIN,
  type Metric,
  METRICS,
  type MetricsAnswer,
  type MetricsQuery,
} from "../metrics_schema.ts";
import { GENESIS_DAY, type Range } from "../day_query_schema.ts";
import { findChain } from "../chains.ts";
import type { CacheableAnswer } from "../../platform/cache/cacheable_answer.ts";
import type { ChainDataDeps } from "../deps.ts";
import { hasValue, idleSeries, idleSince, isActive } from "./idle_chains.ts";
import {
  type DayWindow,
  foldBuckets,
  listGaps,
  newestCompleteDay,
} from "./buckets.ts";
import { dayAt, formatDay, parseDay, startOfDay } from "../../platform/days.ts";
import { Fault } from "../../platform/fault.ts";
import { UPSTREAM_FRESH_MS } from "../../platform/cache/freshness.ts";
import { type DailySeries, isEmpty, newestDay, overlay } from "./series.ts";
import { checkDays, rangeOf, windowOf } from "./window.ts";
import type { FreshnessOptions } from "../../platform/cache/read_through.ts";
import { readSeries } from "./series_reader.ts";

/** The default range. */
const RANGE: Range = "1y";

type MetricsDeps = Pick<ChainDataDeps, "now" | "share" | "store" | "upstream">;

/**
 * Reads a metric of a chain. Throws a fault if the chain is unknown, if the
 * upstream is down, or if it has no values of the metric for an active chain.
 */
export async function readMetrics(
  deps: MetricsDeps,
  query: MetricsQuery,
  freshness: FreshnessOptions,
): Promise<CacheableAnswer<MetricsAnswer>> {
  const { metric, chainId, interval } = query;
  const { unit, kind, fold } = METRICS[metric];
  const today = dayAt(deps.now().getTime());
  checkDays(query, today);
  const chain = await findChain(deps, chainId);
  const found = await findValues(deps, query, { today, freshness });
  const { series, window, extent, whole, fetchedAt, changedAt, source } = found;
  const points = foldBuckets(series, window, { interval, fold, today });
  const through = newestCompleteDay(whole, today);
  const answer: MetricsAnswer = {
    metric,
    chainId,
    chainName: chain.chainName,
    unit,
    token: chain.token,
    kind,
    interval,
    range: rangeOf(query, RANGE),
    aggregation: fold,
    series: points,
    lastPeriodComplete: points.at(-1)?.complete ?? false,
    gaps: listGaps(series, window, extent),
    dataThrough: through === null ? null : formatDay(through),
    fetchedAt: new Date(fetchedAt).toISOString(),
    source,
  };
  // A new day changes the range and which days are complete, even without new data.
  return {
    answer,
    fetchedAt,
    changedAt: Math.max(changedAt, startOfDay(today)),
  };
}

/** The values of a metric over a window. Gaps can lie between the first and newest day of `extent`. */
interface Found {
  readonly series: DailySeries;
  readonly window: DayWindow;
  readonly extent: DailySeries;
  /** All known days of the metric, also outside the window. */
  readonly whole: DailySeries;
  readonly fetchedAt: number;
  readonly changedAt: number;
  readonly source: string;
}

/**
 * Finds the values of a metric. If the window has only zeroes or no values, the
 * chain's `txCount` distinguishes an idle chain from a missing metric. The
 * C-Chain's `txCount` gives the newest day that upstream has published.
 */
async function findValues(
  deps: MetricsDeps,
  query: MetricsQuery,
  { today, freshness }: { today: number; freshness: FreshnessOptions },
): Promise<Found> {
  const { metric, chainId } = query;
  const read = (subject: number, metric: Metric) =>
    readSeries(deps, { subject, metric }, freshness);
  const windowFrom = ({ firstDay, values }: DailySeries) =>
    windowOf(query, {
      usual: RANGE,
      interval: query.interval,
      first: values.length === 0 ? parseDay(GENESIS_DAY) : firstDay,
      today,
    });

  const found = await read(chainId, metric);
  const own = {
    ...found,
    window: windowFrom(found.series),
    extent: found.series,
    whole: found.series,
  };
  if (isActive(found.series, own.window)) return own;

  const txCount = await read(chainId, "txCount");
  const widest = isEmpty(found.series) ? txCount.series : found.series;
  const window = windowFrom(widest);
  if (isActive(txCount.series, window)) {
    if (hasValue(found.series, window)) return own;
    throw missingMetric(deps, query);
  }
  const cChain = await read(C_CHAIN, "txCount");
  const idleFrom = (start: number) =>
    idleSeries(found.series, {
      kind: METRICS[metric].kind,
      start,
      txCount: txCount.series,
      published: newestDay(cChain.series) ?? -Infinity,
    });
  const series = idleFrom(window.start);
  const idleForGood = idleFrom(
    Math.max(parseDay(GENESIS_DAY), idleSince(txCount.series)),
  );
  if (isEmpty(series) && isEmpty(found.series) && !isEmpty(txCount.series)) {
    throw missingMetric(deps, query);
  }
  return {
    series,
    window,
    extent: txCount.series,
    whole: overlay(idleForGood, found.series),
    fetchedAt: Math.min(found.fetchedAt, txCount.fetchedAt, cChain.fetchedAt),
    changedAt: Math.max(found.changedAt, txCount.changedAt, cChain.changedAt),
    source: found.source,
  };
}

function missingMetric(
  { upstream }: MetricsDeps,
  { metric, chainId }: MetricsQuery,
): Fault {
  const { host } = new URL(upstream.metrics.baseUrl);
  return new Fault(
    `Cannot read ${metric} of chain ${chainId}: ${host} has no values, ` +
      `although the chain was active`,
    { kind: "upstreamLacks", upstream: host, retryAfterMs: UPSTREAM_FRESH_MS },
  );
}
