/** One metric of one chain over a window, folded into buckets. */
import {
  METRICS,
  type MetricsAnswer,
  type MetricsQuery,
} from "./contract/chain.ts";
import { GENESIS_DAY, type Range } from "./contract/days.ts";
import { findChain } from "./chains.ts";
import type { Dated } from "./dated.ts";
import type { Deps } from "./deps.ts";
import { hasValue, idleSeries, isActive } from "./domain/activity.ts";
import { foldBuckets, listGaps, newestCompleteDay } from "./domain/buckets.ts";
import { dayAt, formatDay, parseDay, startOfDay } from "./domain/days.ts";
import { Fault } from "./domain/fault.ts";
import { FRESH_MS } from "./domain/freshness.ts";
import { type DailySeries, isEmpty } from "./domain/series.ts";
import { checkDays, rangeOf, windowOf } from "./domain/window.ts";
import type { Tolerance } from "./read_through.ts";
import { readSeries } from "./series.ts";

/** The range where none is asked for. */
const RANGE: Range = "1y";

type MetricsDeps = Pick<Deps, "now" | "share" | "store" | "upstream">;

/**
 * Reads a metric of a chain. Throws a fault for an unknown chain, for an
 * upstream that is down, and for a metric that upstream lacks of an active chain.
 */
export async function readMetrics(
  deps: MetricsDeps,
  query: MetricsQuery,
  tolerance: Tolerance,
): Promise<Dated<MetricsAnswer>> {
  const { metric, chainId, interval } = query;
  const { unit, kind, fold } = METRICS[metric];
  const today = dayAt(deps.now().getTime());
  checkDays(query, today);
  const chain = await findChain(deps, chainId);
  const found = await findValues(deps, query, { today, tolerance });
  const { series, window, fetchedAt, changedAt, source } = found;
  const points = foldBuckets(series, window, { interval, fold, today });
  const through = newestCompleteDay(series, today);
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
    gaps: listGaps(series, window),
    dataThrough: through === null ? null : formatDay(through),
    fetchedAt: new Date(fetchedAt).toISOString(),
    source,
  };
  // What is complete and where a range starts change with the day, data or no data.
  return {
    answer,
    fetchedAt,
    changedAt: Math.max(changedAt, startOfDay(today)),
  };
}

/**
 * Finds the values of a metric. Where the window shows nothing but zeroes or
 * nothing at all, the chain's `txCount` tells an idle chain from a missing metric.
 */
async function findValues(
  deps: MetricsDeps,
  query: MetricsQuery,
  { today, tolerance }: { today: number; tolerance: Tolerance },
) {
  const { metric, chainId } = query;
  const found = await readSeries(deps, { subject: chainId, metric }, tolerance);
  const windowFrom = (series: DailySeries) =>
    windowOf(query, {
      usual: RANGE,
      interval: query.interval,
      first: isEmpty(series) ? parseDay(GENESIS_DAY) : series.firstDay,
      today,
    });
  const window = windowFrom(found.series);
  if (isActive(found.series, window)) return { ...found, window };

  const activity = metric === "txCount" ? found : await readSeries(
    deps,
    { subject: chainId, metric: "txCount" },
    tolerance,
  );
  const series = isEmpty(found.series) ? activity.series : found.series;
  const widest = windowFrom(series);
  if (!isActive(activity.series, widest)) {
    return {
      ...found,
      series: idleSeries(found.series, {
        kind: METRICS[metric].kind,
        window: widest,
        txCount: activity.series,
        today,
      }),
      window: widest,
      fetchedAt: Math.min(found.fetchedAt, activity.fetchedAt),
      changedAt: Math.max(found.changedAt, activity.changedAt),
    };
  }
  if (hasValue(found.series, window)) return { ...found, window };
  const { host } = new URL(deps.upstream.metrics.baseUrl);
  throw new Fault(
    `Cannot read ${metric} of chain ${chainId}: ${host} has no value of it, ` +
      `though the chain was active`,
    { kind: "upstreamLacks", upstream: host, retryAfterMs: FRESH_MS },
  );
}
