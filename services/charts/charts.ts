/** Charts of metrics: the series of one or several chains, and how they are drawn, indexed and compared. */
import {
  type ChartDeps,
  CHECKED_CHARTS,
  disputesByBucket,
} from "./checked_charts.ts";
import {
  C_CHAIN,
  type Fold,
  type Metric,
  METRICS,
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
  baseCountOf,
  type Change,
  type Chart,
  type ChartBase,
  type ChartLine,
  type ChartPoint,
  type ChartView,
  CHECKED_SERIES_OF,
  type LineChanges,
  shownValue,
  UNMARKED,
} from "./charts_schema.ts";
import {
  type DaysQuery,
  type Gap,
  GENESIS_DAY,
} from "../chain_data/catalogue/fields_schema.ts";
import type { CacheableAnswer, FreshnessOptions } from "../platform/cache.ts";
import { joinAxes } from "./value_axis.ts";
import { upgradesWithin } from "./network_upgrades_schema.ts";
import { datesOf, isBeforeFirst, shareOf, totalsOf } from "./across_chains.ts";
import { maxOf, meanOf, minOf } from "../platform/numbers.ts";
import { readCheckedMetrics } from "../chain_data/checks/index_checks.ts";
import { readMetrics } from "../chain_data/series/read_metrics.ts";
import { readRevisions } from "../chain_data/series/revisions.ts";
import { MAX_REVISIONS } from "../chain_data/series/revisions_schema.ts";
import { foldValues } from "../chain_data/series/buckets.ts";

/** The query of a metric chart. */
interface ChartQuery extends DaysQuery {
  readonly metric: Metric;
  readonly chainIds: readonly number[];
  readonly interval: Interval;
  readonly view: ChartView;
  /** The instant that the chart is frozen at; undefined for now. */
  readonly asOf?: string | undefined;
  /** Whether the values are in the unit of the API, for a file, and not in that of pages. */
  readonly isForFile?: boolean;
}

/**
 * Reads the chart of a metric of one or several chains on one axis, with the
 * comparison to a second source if there is one. A fault of one chain, as
 * `readMetrics()` throws it, fails the whole chart.
 */
export async function readMetricChart(
  deps: ChartDeps,
  { chainIds, view, ...query }: ChartQuery,
  freshness: FreshnessOptions,
): Promise<CacheableAnswer<Chart>> {
  const { metric, interval } = query;
  const found = await Promise.all(
    chainIds.map((chainId) => readLine(deps, { ...query, chainId }, freshness)),
  );
  const axis = joinAxes(found.map(({ answer }) => answer.points), interval);
  const check = found.find(({ check }) => check !== null)?.check;
  return {
    answer: {
      name: metric,
      unit: METRICS[metric].unit,
      interval,
      axis,
      lines: drawLines(found, { metric, interval, view, axis }),
      view,
      upgrades: chainIds.includes(C_CHAIN)
        ? upgradesWithin(axis, interval)
        : [],
      chainNames: found.map(({ answer }) => answer.chainName),
      checks: check?.checks ?? null,
      recentAgreementPct: check?.recentAgreementPct ?? null,
    },
    fetchedAt: minOf(found.map(({ fetchedAt }) => fetchedAt)),
    changedAt: maxOf(found.map(({ changedAt }) => changedAt ?? 0)),
  };
}

/** The drawn chart. */
interface Drawing {
  readonly metric: Metric;
  readonly interval: Interval;
  readonly view: ChartView;
  readonly axis: readonly string[];
}

/** A series, and the daily values before it. */
type DailyLine = Pick<FoundLine, "answer" | "from" | "daily">;

/** A bucket with its value. */
type Bucket = Pick<ChartPoint, "day" | "value" | "complete" | "inferred">;

type Drawn = readonly (number | null)[];

/** Returns the lines of a chart: one for each series, or their total. */
export function drawLines(
  found: readonly DailyLine[],
  drawing: Drawing,
): ChartLine[] {
  const { view: { values } } = drawing;
  if (values === "total") {
    return [lineOf(totalLine(found, drawing), drawing)];
  }
  if (values !== "share") return found.map((line) => lineOf(line, drawing));
  const total = totalLine(found, drawing);
  const totals = new Map(
    averaged(total, drawing).map((value, index) =>
      [total.answer.points[index]!.day, value] as const
    ),
  );
  return found.map((line) => {
    const shares = averaged(line, drawing).map((value, index) => {
      const { day } = line.answer.points[index]!;
      return value === null ? null : shareOf(value, totals.get(day) ?? null);
    });
    return { ...lineOf(line, drawing), drawn: shares };
  });
}

function lineOf(line: DailyLine, drawing: Drawing): ChartLine {
  const { metric, interval, view } = drawing;
  const { answer, from, daily } = line;
  const { unit, fold } = METRICS[metric];
  const values = averaged(line, drawing);
  const base = view.base === null
    ? null
    : baseOf(answer.points, unit, { base: view.base, interval });
  const days = interval === "day"
    ? [...daily.points, ...answer.points]
    : daily.points;
  return {
    ...answer,
    drawn: view.base === null
      ? values
      : values.map((value) =>
        value === null || base === null ? null : value / base.value * 100
      ),
    base,
    changes: changesOf(days, {
      from,
      fold,
      gaps: [...daily.gaps, ...answer.gaps],
    }),
  };
}

/** Returns the value of each point, or its moving average over complete days. */
function averaged(
  { answer: { points }, daily }: DailyLine,
  { view: { average } }: Drawing,
): Drawn {
  const [first] = points;
  if (average === null || first === undefined) {
    return points.map(({ value }) => value);
  }
  const length = Number(average);
  const start = parseDay(first.day) - length + 1;
  const days = parseDay(points.at(-1)!.day) - start + 1;
  const values = new Float64Array(days).fill(NaN);
  for (const { day, value, complete } of [...daily.points, ...points]) {
    const at = parseDay(day) - start;
    if (complete && at >= 0) values[at] = value;
  }
  const means = movingAverage(values, length);
  return points.map(({ day }) => {
    const mean = means[parseDay(day) - start]!;
    return Number.isNaN(mean) ? null : mean;
  });
}

/** Adds up all series, and the days before them. */
function totalLine(
  found: readonly DailyLine[],
  { axis }: Drawing,
): DailyLine {
  const series = found.map(({ answer }) => answer);
  const before = joinAxes(found.map(({ daily }) => daily.points), "day");
  const daily = totalsOf(
    found.map(({ answer: { dataThrough }, daily }) => ({
      ...daily,
      dataThrough,
    })),
    before,
  );
  const totals = totalsOf(series, axis);
  return {
    from: found.map(({ from }) => from).reduce((a, b) => a < b ? a : b),
    daily: { points: daily, gaps: gapsOf(found.map(({ daily }) => daily)) },
    answer: {
      chainId: null,
      chainName: `${series.length} chains together`,
      token: null,
      points: pointsOf(totals, series),
      gaps: gapsOf(series),
      ...datesOf(series),
      source: [...new Set(series.map(({ source }) => source))].join("; "),
    },
  };
}

/** Returns the points of a total, marked as any of its chains is marked. */
function pointsOf(
  totals: readonly Bucket[],
  series: readonly Series[],
): ChartPoint[] {
  const marked = Map.groupBy(
    series.flatMap(({ points }) => points.filter(isMarked)),
    ({ day }) => day,
  );
  return totals.map((total) => {
    const parts = marked.get(total.day) ?? [];
    const revisions = parts.flatMap(({ revisedAt }) => revisedAt ?? []);
    return {
      ...UNMARKED,
      ...total,
      withdrawn: parts.some(({ withdrawn }) => withdrawn),
      revisedAt: revisions.toSorted().at(-1) ?? null,
      agrees: parts.some(({ agrees }) => agrees === false) ? false : null,
      disputedDays: parts.flatMap(({ disputedDays }) => disputedDays),
    };
  });
}

function isMarked(point: ChartPoint): boolean {
  return point.withdrawn || point.revisedAt !== null ||
    point.agrees === false || point.disputedDays.length > 0;
}

/** Lists the gaps of all series once each. */
function gapsOf(series: readonly Pick<Series, "gaps">[]): Gap[] {
  const gaps = new Map(
    series.flatMap((line) =>
      line.gaps.map((gap) => [`${gap.from} ${gap.to}`, gap] as const)
    ),
  );
  return [...gaps.values()].toSorted((a, b) => a.from < b.from ? -1 : 1);
}

/**
 * Returns the mean of each day and the days before it, `length` in all. A mean is
 * NaN while one of these days is NaN or lies before the first: means are never
 * padded. Each window is summed anew, so errors of rounding do not add up.
 */
export function movingAverage(
  values: Float64Array,
  length: number,
): Float64Array {
  const means = new Float64Array(values.length).fill(NaN);
  let missing = -1;
  for (let at = 0; at < values.length; at++) {
    if (Number.isNaN(values[at]!)) missing = at;
    if (at - missing < length) continue;
    let sum = 0;
    for (let day = at - length + 1; day <= at; day++) sum += values[day]!;
    means[at] = sum / length;
  }
  return means;
}

/** A bucket, with its drawn values by column. */
type DrawnRow = Readonly<
  Record<string, string | number | boolean | null>
>;

/** The names of the columns, and the rows. */
interface DrawnTable {
  readonly columns: readonly string[];
  readonly rows: readonly DrawnRow[];
}

/**
 * Returns the drawn values of all lines on the shared days. A value is null if a
 * line has none. A row is complete if each line has a complete value or has not begun.
 */
export function drawnTable({ axis, interval, lines }: Chart): DrawnTable {
  const names = lines.map(({ chainId, chainName }) =>
    chainId === null ? chainName : `${chainName} (${chainId})`
  );
  const next = lines.map(() => 0);
  const rows = axis.map((day) => {
    const row: Record<string, string | number | boolean | null> = {
      period: day,
    };
    // A hidden bucket may begin before its gap.
    const lastDay = formatDay(endOfBucket(parseDay(day), interval));
    let complete = true;
    lines.forEach((line, index) => {
      const { points, drawn } = line;
      const place = next[index]!;
      const point = points[place];
      const isThere = point?.day === day;
      if (isThere) next[index]!++;
      row[names[index]!] = isThere ? drawn[place]! : null;
      complete &&= isThere ? point.complete : isBeforeFirst(lastDay, line);
    });
    return { ...row, complete };
  });
  return { columns: ["period", ...names, "complete"], rows };
}

/** The query of one line. */
interface LineQuery extends DaysQuery {
  readonly metric: Metric;
  readonly chainId: number;
  readonly interval: Interval;
  readonly asOf?: string | undefined;
  readonly isForFile?: boolean;
}

/** A series of one chain, before the view of the chart is applied. */
type Series = Omit<ChartLine, "drawn" | "base" | "changes">;

/** A series with what belongs to it. */
interface FoundLine extends CacheableAnswer<Series> {
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
  { isForFile = false, ...query }: LineQuery,
  freshness: FreshnessOptions,
): Promise<FoundLine> {
  const shown = (value: number) =>
    isForFile ? value : shownValue(query.metric, value);
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
    readDaily(deps, { answer, from, shown }, freshness),
  ]);
  return {
    answer: seriesOf(answer, { check: check?.answer ?? null, earlier, shown }),
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
  { answer, from, shown }: {
    readonly answer: MetricsAnswer;
    readonly from: string;
    readonly shown: (value: number) => number;
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
    value: shown(point.value),
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
  { check, earlier, shown }: {
    readonly check: Chart | null;
    readonly earlier: EarlierValues;
    readonly shown: (value: number) => number;
  },
): Series {
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
    check: answer.check,
    points: answer.series.map((point) => {
      const { day, value, complete } = point;
      const {
        crossCheckValue = null,
        differencePct = null,
        comparedDayCount = null,
        agrees = null,
      } = compared.get(day) ?? {};
      return {
        ...UNMARKED,
        day,
        value: shown(value),
        complete,
        inferred: point.inferred ?? false,
        withdrawn: point.disputed !== undefined,
        revisedAt: point.revisedAt ?? null,
        earlierValues: earlier.get(day)?.map(({ oldValue }) =>
          oldValue === null ? null : shown(oldValue)
        ) ?? UNMARKED.earlierValues,
        crossCheckValue,
        differencePct,
        comparedDayCount,
        agrees,
        disputedDays: disputed.get(day) ?? UNMARKED.disputedDays,
      };
    }),
    gaps,
    dataThrough,
    fetchedAt,
    source,
  };
}

/** Days of a year, so that a window and its comparison have the same length. */
const YEAR = 365;

/** Windows from this length are compared with the year before alone: the days before are nearly the same. */
const NEAR_YEAR = 350;

/** A day of the series. */
interface DailyPoint {
  readonly day: string;
  readonly value: number;
  readonly complete: boolean;
}

/** Returns the first day that the changes of a window need. */
export function firstNeededDay(from: number, to: number): number {
  return from - Math.max(to - from + 1, YEAR);
}

/**
 * Compares the complete days of a window with those before it. Returns null if there
 * is no complete day. The points are sorted and may begin before the window, after a
 * first gap. A window with a missing day is not compared: a sum over fewer days would
 * look like a fall.
 */
export function changesOf(
  points: readonly DailyPoint[],
  { from, fold, gaps = [] }: {
    readonly from: string;
    readonly fold: Fold;
    readonly gaps?: readonly Gap[];
  },
): LineChanges | null {
  const last = points.findLast(({ complete }) => complete);
  const first = points[0];
  if (last === undefined || first === undefined || last.day < from) return null;
  const values = new Map(
    points.filter(({ complete }) => complete)
      .map(({ day, value }) => [parseDay(day), value]),
  );
  // A series has begun before each of its gaps.
  const begun = minOf(
    [first.day, ...gaps.map((gap) => gap.from)].map(parseDay),
  );
  const start = Math.max(parseDay(from), begun);
  const end = parseDay(last.day);
  const length = end - start + 1;
  const own = foldWindow(values, start, end, fold);
  const against = (shift: number): Change | null => {
    if (start - shift < begun) return null;
    const earlier = foldWindow(values, start - shift, end - shift, fold);
    return {
      from: formatDay(start - shift),
      to: formatDay(end - shift),
      changePct: own.value === null || !earlier.value
        ? null
        : (own.value / earlier.value - 1) * 100,
      missingDays: earlier.missingDays,
    };
  };
  return {
    from: formatDay(start),
    to: last.day,
    fold,
    ...own,
    before: NEAR_YEAR <= length && length <= YEAR ? null : against(length),
    yearBefore: length > YEAR ? null : against(YEAR),
  };
}

/** Folds the days of a window. A running total needs its last day alone. */
function foldWindow(
  values: ReadonlyMap<number, number>,
  start: number,
  end: number,
  fold: Fold,
): { readonly value: number | null; readonly missingDays: number } {
  const found: number[] = [];
  for (let day = fold === "last" ? end : start; day <= end; day++) {
    const value = values.get(day);
    if (value !== undefined) found.push(value);
  }
  const missingDays = (fold === "last" ? 1 : end - start + 1) - found.length;
  return {
    value: missingDays === 0 ? foldValues(fold, found) : null,
    missingDays,
  };
}

/** Below this count, one more already changes the index by over one percent. */
const MIN_COUNT = 100;

/** A base below this share of the median exaggerates growth. */
const MIN_SHARE = 0.1;

/**
 * Returns the base that is 100, or null if the line has none. By default it is the
 * first complete bucket above 0, or the mean of that bucket and the complete ones
 * after it. A chosen day selects its bucket, which must be complete and above 0. An
 * incomplete base would exaggerate all later values.
 */
export function baseOf(
  points: readonly DailyPoint[],
  unit: string,
  { base, interval }: { readonly base: string; readonly interval: Interval },
): ChartBase | null {
  const whole = points.filter(({ complete }) => complete);
  const active = whole.filter(({ value }) => value > 0);
  const used = selectBuckets(whole, { base, interval });
  if (used === null || active.length === 0) return null;
  const value = meanOf(used.map((bucket) => bucket.value));
  if (value <= 0) return null;
  const typical = median(active.map((point) => point.value));
  const isSmall = (unit === "count" && value < MIN_COUNT) ||
    value < MIN_SHARE * typical;
  return { day: used[0]!.day, value, isSmall, bucketCount: used.length };
}

/** Selects the buckets whose mean is the base; null if the line does not have all of them. */
function selectBuckets(
  whole: readonly DailyPoint[],
  { base, interval }: { readonly base: string; readonly interval: Interval },
): readonly DailyPoint[] | null {
  const count = baseCountOf(base);
  if (count === null) {
    const day = formatDay(startOfBucket(parseDay(base), interval));
    const chosen = whole.find((bucket) => bucket.day === day);
    return chosen === undefined ? null : [chosen];
  }
  const first = whole.findIndex(({ value }) => value > 0);
  const used = whole.slice(first, first + count);
  return first === -1 || used.length < count ? null : used;
}

/** Returns the median; the upper one of an even number of values. */
function median(values: readonly number[]): number {
  return Float64Array.from(values).sort()[Math.floor(values.length / 2)]!;
}
