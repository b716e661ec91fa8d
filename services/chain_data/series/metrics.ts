/** The answer of `GET /metrics`: one metric of one chain, folded into buckets. */
import {
  METRICS,
  type MetricsAnswer,
  type MetricsQuery,
} from "../metrics_schema.ts";
import { GENESIS_DAY, type Range } from "../day_query_schema.ts";
import { findChain } from "../chains.ts";
import type { CacheableAnswer } from "../../platform/cache/cacheable_answer.ts";
import type { ChainDataDeps } from "../deps.ts";
import type { SourcedSeries } from "../checks/checks.ts";
import {
  countInferred,
  foldBuckets,
  listGaps,
  newestCompleteDay,
} from "./buckets.ts";
import { dayAt, formatDay, parseDay, startOfDay } from "../../platform/days.ts";
import { Fault } from "../../platform/fault.ts";
import { UPSTREAM_FRESH_MS } from "../../platform/cache/freshness.ts";
import {
  inferableThrough,
  lastActiveDay,
  withInferredDays,
} from "./inferred_days.ts";
import { type DailySeries, isEmpty, newestDay } from "./series.ts";
import { checkDays, daysOf, rangeOf, windowOf } from "./window.ts";
import type { FreshnessOptions } from "../../platform/cache/read_through.ts";
import {
  findPublication,
  findSeries,
  readSeries,
  type WindowOf,
} from "./series_reader.ts";
import type { MetricsSeriesId } from "./series_id.ts";
import { CANARY } from "./series_freshness.ts";

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
  // Both in one round: a stored series is read before it is known that there is
  // such a chain.
  const finding = findChain(deps, chainId);
  const [chain, found] = await Promise.all([
    finding,
    findValues(deps, query, { today, freshness, chain: finding }),
  ]);
  const { series, gapsThrough, changedAt, source } = found;
  const window = windowOfQuery(query, today)(series);
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
    ...daysOf(query, selectionOf(series, today)),
    aggregation: fold,
    series: points,
    lastPeriodComplete: points.at(-1)?.complete ?? false,
    inferredDayCount: countInferred(series, window),
    gaps: listGaps(series, window, gapsThrough),
    dataThrough: through === null ? null : formatDay(through),
    fetchedAt: new Date(found.fetchedAt).toISOString(),
    confirmedAt: new Date(found.confirmedAt).toISOString(),
    source,
  };
  // A new day changes the range and which days are complete, even without new data.
  return {
    answer,
    fetchedAt: found.validAt,
    changedAt: Math.max(changedAt, startOfDay(today)),
  };
}

/** All days of a metric, with those that are inferred. */
interface Found extends Required<SourcedSeries> {
  /** Days without a value up to this day are gaps, even after the last published one. */
  readonly gapsThrough?: number;
}

/** Returns the window of a query over a series. */
function windowOfQuery(query: MetricsQuery, today: number): WindowOf {
  const { interval } = query;
  return (series) =>
    windowOf(query, { ...selectionOf(series, today), interval });
}

function selectionOf(series: DailySeries, today: number) {
  const first = isEmpty(series) ? parseDay(GENESIS_DAY) : series.firstDay;
  return { usual: RANGE, first, today };
}

/**
 * Finds the values of a metric. If it ended long before the newest day that
 * upstream has published, the chain's `txCount` distinguishes a chain that went
 * quiet from a metric that upstream lacks. The result does not depend on the
 * window, so each day has one value.
 */
async function findValues(
  deps: MetricsDeps,
  query: MetricsQuery,
  { today, freshness, chain }: {
    today: number;
    freshness: FreshnessOptions;
    chain: Promise<unknown>;
  },
): Promise<Found> {
  const { metric, chainId } = query;
  const windowFrom = windowOfQuery(query, today);
  const read = (id: MetricsSeriesId) =>
    readSeries(deps, id, freshness, windowFrom, chain);
  const found = await read({ subject: chainId, metric });
  const newest = newestDay(found.series);
  // Upstream publishes no day after tomorrow.
  if (newest !== null && newest > inferableThrough(today + 1)) return found;

  const published = await readPublished(deps, freshness);
  const through = inferableThrough(published.newestDay);
  if (newest !== null && newest > through) return found;
  const id = { subject: chainId, metric: "txCount" } as const;
  const txCount = metric === "txCount"
    ? found
    : await findSeries(deps, id) ?? await read(id);
  if (newest === null && lastActiveDay(txCount.series) !== null) {
    throw missingMetric(deps, query);
  }
  const newestTx = newestDay(txCount.series) ?? -Infinity;
  return {
    series: withInferredDays(found.series, {
      kind: METRICS[metric].kind,
      txCount: txCount.series,
      through,
    }),
    gapsThrough: Math.min(newestTx, through),
    fetchedAt: found.fetchedAt,
    confirmedAt: found.confirmedAt,
    validAt: found.validAt,
    changedAt: Math.max(
      found.changedAt,
      txCount.changedAt,
      published.publishedAt,
    ),
    source: found.source,
  };
}

/** Reads the newest day that upstream has published for the C-Chain, and since when. */
async function readPublished(
  deps: MetricsDeps,
  freshness: FreshnessOptions,
): Promise<{ newestDay: number; publishedAt: number }> {
  const publication = await findPublication(deps);
  if (publication) return publication;
  const { series, changedAt } = await readSeries(deps, CANARY, freshness);
  return { newestDay: newestDay(series) ?? -Infinity, publishedAt: changedAt };
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
