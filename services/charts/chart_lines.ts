/** The lines of a metric chart: the series of each chain, and the days before it. */
import {
  type ChartDeps,
  CHECKED_CHARTS,
  disputesByBucket,
} from "./checked_charts.ts";
import {
  type DaysQuery,
  GENESIS_DAY,
} from "../chain_data/catalogue/day_query_schema.ts";
import type { Gap } from "../chain_data/catalogue/answer_fields_schema.ts";
import {
  C_CHAIN,
  type Metric,
  type MetricsAnswer,
  type Point,
} from "../chain_data/catalogue/metrics_schema.ts";
import {
  endOfBucket,
  formatDay,
  type Interval,
  parseDay,
  startOfBucket,
} from "../platform/days.ts";
import {
  type Chart,
  type ChartLine,
  CHECKED_SERIES_OF,
  shownValue,
} from "./charts_schema.ts";
import type { CacheableAnswer } from "../platform/cache/freshness.ts";
import { firstNeededDay } from "./changes.ts";
import { readCheckedMetrics } from "../chain_data/checks/index_checks.ts";
import { readMetrics } from "../chain_data/series/read_metrics.ts";
import { readRevisions } from "../chain_data/series/revisions.ts";
import { MAX_REVISIONS } from "../chain_data/series/revisions_schema.ts";
import type { FreshnessOptions } from "../platform/cache/read_through.ts";

/** The query of one line. */
interface LineQuery extends DaysQuery {
  readonly metric: Metric;
  readonly chainId: number;
  readonly interval: Interval;
  readonly asOf?: string | undefined;
}

/** A series of one chain, before the view of the chart is applied. */
export type Series = Omit<ChartLine, "drawn" | "base" | "changes">;

/** A series with what belongs to it. */
export interface FoundLine extends CacheableAnswer<Series> {
  /** The checked series of the same days; null if there is none. */
  readonly check: Chart | null;
  /** First day of the window. */
  readonly from: string;
  /** Daily values: of the days before the window, and of the window unless its buckets are days. */
  readonly daily: {
    readonly points: readonly Point[];
    readonly gaps: readonly Gap[];
  };
}

/** Reads a line. Throws the faults of `readMetrics()`. */
export async function readLine(
  deps: ChartDeps,
  query: LineQuery,
  freshness: FreshnessOptions,
): Promise<FoundLine> {
  const { answer, fetchedAt, changedAt } = await readCheckedMetrics(
    deps,
    {
      ...query,
      asOf: query.asOf,
      updatedAfter: undefined,
      format: "json",
    },
    freshness,
  );
  const from = formatDay(startOfBucket(parseDay(answer.from), answer.interval));
  const [check, earlier, daily] = await Promise.all([
    readCheck(deps, { query, answer }, freshness),
    readEarlierValues(deps, answer),
    readDaily(deps, { answer, from }, freshness),
  ]);
  return {
    answer: seriesOf(answer, { check: check?.answer ?? null, earlier }),
    check: check?.answer ?? null,
    from,
    daily,
    fetchedAt,
    changedAt: Math.max(changedAt ?? 0, check?.changedAt ?? 0),
  };
}

/** Reads the days that moving averages and changes need besides the buckets of the window. */
async function readDaily(
  deps: ChartDeps,
  { answer, from }: {
    readonly answer: MetricsAnswer;
    readonly from: string;
  },
  freshness: FreshnessOptions,
): Promise<FoundLine["daily"]> {
  const { metric, chainId, interval, range, to, dataThrough, asOf } = answer;
  const start = parseDay(from);
  // The last bucket is drawn whole, as the first one is.
  const end = lastDayOf(to, interval);
  const last = dataThrough === null
    ? to
    : dataThrough < end
    ? dataThrough
    : end;
  const first = range === "all"
    ? start
    : Math.max(firstNeededDay(start, parseDay(last)), parseDay(GENESIS_DAY));
  const through = interval === "day" ? start - 1 : parseDay(last);
  if (through < first) return { points: [], gaps: [] };
  const { answer: { series, gaps } } = await readMetrics(deps, {
    metric,
    chainId,
    interval: "day",
    from: formatDay(first),
    to: formatDay(through),
    asOf,
    updatedAfter: undefined,
    format: "json",
  }, freshness);
  const points = series.map((point) => ({
    ...point,
    value: shownValue(metric, point.value),
  }));
  return { points, gaps };
}

/** Reads the checked series of a metric over the same days; null if there is none. */
async function readCheck(
  deps: ChartDeps,
  { query: { from, to, asOf }, answer }: {
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
    { ...days, asOf, interval: interval === "month" ? "month" : "day" },
    freshness,
  );
}

function lastDayOf(day: string, interval: Interval): string {
  return formatDay(endOfBucket(parseDay(day), interval));
}

/** Reads the earlier values of revised days, the last one first, by day. */
async function readEarlierValues(
  deps: ChartDeps,
  { chainId, metric, interval, series, asOf }: MetricsAnswer,
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
  // What a frozen chart shows was seen before its instant.
  const seen = revisions.filter(({ seenAt }) => !asOf || seenAt <= asOf);
  return Map.groupBy(seen, ({ day }) => day);
}

type EarlierValues = ReadonlyMap<
  string,
  readonly { readonly oldValue: number | null }[]
>;

function seriesOf(
  answer: MetricsAnswer,
  { check, earlier }: {
    readonly check: Chart | null;
    readonly earlier: EarlierValues;
  },
): Series {
  const { chainId, chainName, token, gaps, dataThrough, fetchedAt, source } =
    answer;
  const { interval, metric } = answer;
  const shown = (value: number) => shownValue(metric, value);
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
    check: answer.check,
    points: answer.series.map((point) => {
      const { day } = point;
      const check = compared.get(day);
      return {
        day,
        value: shown(point.value),
        complete: point.complete,
        inferred: point.inferred ?? false,
        withdrawn: point.disputed !== undefined,
        revisedAt: point.revisedAt ?? null,
        earlierValues: earlier.get(day)?.map(({ oldValue }) =>
          oldValue === null ? null : shown(oldValue)
        ) ?? NONE,
        crossCheckValue: check?.crossCheckValue ?? null,
        differencePct: check?.differencePct ?? null,
        comparedDayCount: check?.comparedDayCount ?? null,
        agrees: check?.agrees ?? null,
        disputedDays: disputed.get(day) ?? NONE,
        further: NO_FURTHER,
      };
    }),
    gaps,
    dataThrough,
    fetchedAt,
    source,
  };
}

const NONE: readonly never[] = [];
const NO_FURTHER = {};
