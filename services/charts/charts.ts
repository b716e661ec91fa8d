/** Charts of metrics: one chain, or several chains indexed to a common base. */
import {
  type ChartDeps,
  CHECKED_CHARTS,
  disputesByBucket,
} from "./checked_charts.ts";
import {
  C_CHAIN,
  type Metric,
  METRICS,
  type MetricsAnswer,
} from "../chain_data/metrics_schema.ts";
import { type Interval } from "../platform/days.ts";
import {
  type Chart,
  type ChartLine,
  CHECKED_SERIES_OF,
  type MetricChartQuery,
} from "./charts_schema.ts";
import type { CacheableAnswer } from "../platform/cache/cacheable_answer.ts";
import { joinAxes } from "./chart_axis.ts";
import { endOfBucket, formatDay, parseDay } from "../platform/days.ts";
import { baseOf } from "./indexing.ts";
import { readMetrics } from "../chain_data/series/metrics.ts";
import { readRevisions } from "../chain_data/series/revisions.ts";
import { MAX_REVISIONS } from "../chain_data/series/revisions_schema.ts";
import type { FreshnessOptions } from "../platform/cache/read_through.ts";

/** The query of one line. */
type LineQuery = MetricChartQuery & { readonly metric: Metric };

/**
 * Reads the chart of a metric of one chain, with the comparison to a second
 * source if there is one. Throws the faults of `readMetrics()`.
 */
export async function readMetricChart(
  deps: ChartDeps,
  query: LineQuery,
  freshness: FreshnessOptions,
): Promise<CacheableAnswer<Chart>> {
  return chartOf(query, [await readLine(deps, query, freshness)]);
}

/**
 * Reads a metric of several chains on one axis. Each line has the base that it is
 * indexed to. A fault of one chain fails the whole chart.
 */
export async function readComparison(
  deps: ChartDeps,
  { chainIds, ...query }: Omit<LineQuery, "chainId"> & {
    readonly chainIds: readonly number[];
  },
  freshness: FreshnessOptions,
): Promise<CacheableAnswer<Chart>> {
  const found = await Promise.all(
    chainIds.map((chainId) => readLine(deps, { ...query, chainId }, freshness)),
  );
  return chartOf(query, found);
}

/** A line, and the checked series of the same days if there is one. */
interface FoundLine extends CacheableAnswer<ChartLine> {
  readonly check: Chart | null;
}

async function readLine(
  deps: ChartDeps,
  query: LineQuery,
  freshness: FreshnessOptions,
): Promise<FoundLine> {
  const { answer, fetchedAt, changedAt } = await readMetrics(
    deps,
    { ...query, format: "json" },
    freshness,
  );
  const [check, earlier] = await Promise.all([
    readCheck(deps, { query, answer }, freshness),
    readEarlierValues(deps, answer),
  ]);
  return {
    answer: lineOf(answer, { check: check?.answer ?? null, earlier }),
    check: check?.answer ?? null,
    fetchedAt,
    changedAt: Math.max(changedAt ?? 0, check?.changedAt ?? 0),
  };
}

/** Reads the checked series of a metric over the same days; null if there is none. */
async function readCheck(
  deps: ChartDeps,
  { query: { from, to }, answer }: {
    readonly query: LineQuery;
    readonly answer: MetricsAnswer;
  },
  freshness: FreshnessOptions,
): Promise<CacheableAnswer<Chart> | null> {
  const { metric, chainId, interval, range, series } = answer;
  const name = CHECKED_SERIES_OF[metric];
  if (name === undefined || chainId !== C_CHAIN) return null;
  const [first, last] = [series[0], series.at(-1)];
  // A checked series has no weekly buckets, so the query selects the days of the shown weeks.
  const days = first && last
    ? { from: first.day, to: lastDayOf(last.day, interval) }
    : range
    ? { range }
    : { from, to };
  return await CHECKED_CHARTS[name](
    deps,
    { ...days, interval: interval === "month" ? "month" : "day" },
    freshness,
  );
}

function lastDayOf(day: string, interval: Interval): string {
  return formatDay(endOfBucket(parseDay(day), interval));
}

function chartOf(
  { metric, interval }: Pick<LineQuery, "metric" | "interval">,
  found: readonly FoundLine[],
): CacheableAnswer<Chart> {
  const { unit } = METRICS[metric];
  const isIndexed = found.length > 1;
  const lines = found.map(({ answer }) =>
    isIndexed ? { ...answer, base: baseOf(answer.points, unit) } : answer
  );
  const check = found.find(({ check }) => check !== null)?.check;
  return {
    answer: {
      name: metric,
      unit,
      interval,
      axis: joinAxes(lines.map(({ points }) => points), interval),
      lines,
      isIndexed,
      checks: check?.checks ?? null,
      recentAgreementPct: check?.recentAgreementPct ?? null,
    },
    fetchedAt: Math.min(...found.map(({ fetchedAt }) => fetchedAt)),
    changedAt: Math.max(...found.map(({ changedAt }) => changedAt ?? 0)),
  };
}

/** Reads the earlier values of revised days, the last one first, by day. */
async function readEarlierValues(
  deps: ChartDeps,
  { chainId, metric, interval, series }: MetricsAnswer,
): Promise<EarlierValues> {
  const revised = series.filter(({ revisedAt }) => revisedAt !== undefined);
  if (revised.length === 0 || interval !== "day") return new Map();
  const { answer: { revisions } } = await readRevisions(deps, {
    chainId,
    metric,
    from: revised[0]!.day,
    to: revised.at(-1)!.day,
    limit: MAX_REVISIONS,
    format: "json",
  });
  return Map.groupBy(revisions, ({ day }) => day);
}

type EarlierValues = ReadonlyMap<
  string,
  readonly { readonly oldValue: number | null }[]
>;

function lineOf(
  answer: MetricsAnswer,
  { check, earlier }: {
    readonly check: Chart | null;
    readonly earlier: EarlierValues;
  },
): ChartLine {
  const { chainId, chainName, token, gaps, dataThrough, fetchedAt, source } =
    answer;
  const { interval } = answer;
  const disputed = disputesByBucket(
    check?.checks?.disputedDays ?? [],
    interval,
  );
  const compared = new Map(
    check?.interval === interval
      ? check.lines[0]?.points.map((point) => [point.day, point])
      : [],
  );
  return {
    chainId,
    chainName,
    token,
    points: answer.series.map((point) => ({
      ...UNCHECKED,
      ...compared.get(point.day),
      ...point,
      inferred: point.inferred ?? false,
      withdrawn: point.disputed !== undefined,
      revisedAt: point.revisedAt ?? null,
      earlierValues: (earlier.get(point.day) ?? [])
        .map(({ oldValue }) => oldValue),
      disputedDays: disputed.get(point.day) ?? [],
      further: {},
    })),
    gaps,
    dataThrough,
    fetchedAt,
    source,
    base: null,
  };
}

const UNCHECKED = {
  crossCheckValue: null,
  differencePct: null,
  comparedDayCount: null,
  agrees: null,
};
