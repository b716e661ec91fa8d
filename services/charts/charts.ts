/** Charts of metrics: one chain, or several chains compared. */
import type { ChartDeps } from "./checked_charts.ts";
import {
  C_CHAIN,
  type Metric,
  METRICS,
} from "../chain_data/catalogue/metrics_schema.ts";
import {
  endOfBucket,
  formatDay,
  type Interval,
  parseDay,
} from "../platform/days.ts";
import type { Chart, ChartLine, ChartPoint } from "./charts_schema.ts";
import type { DaysQuery } from "../chain_data/catalogue/day_query_schema.ts";
import type { ChartView } from "./chart_view_schema.ts";
import type { CacheableAnswer } from "../platform/cache/freshness.ts";
import { joinAxes } from "./value_axis.ts";
import { upgradesWithin } from "./upgrades.ts";
import { type FoundLine, readLine, type Series } from "./chart_lines.ts";
import type { FreshnessOptions } from "../platform/cache/read_through.ts";
import type { Gap } from "../chain_data/catalogue/answer_fields_schema.ts";
import { datesOf, isBeforeFirst, shareOf, totalsOf } from "./across_chains.ts";
import { changesOf } from "./changes.ts";
import { baseOf } from "./indexing.ts";
import { maxOf, minOf } from "../platform/extremes.ts";

/** The query of a metric chart. */
interface ChartQuery extends DaysQuery {
  readonly metric: Metric;
  readonly chainIds: readonly number[];
  readonly interval: Interval;
  readonly view: ChartView;
  /** The instant that the chart is frozen at; undefined for now. */
  readonly asOf?: string | undefined;
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
      ...total,
      withdrawn: parts.some(({ withdrawn }) => withdrawn),
      revisedAt: revisions.toSorted().at(-1) ?? null,
      earlierValues: [],
      crossCheckValue: null,
      differencePct: null,
      comparedDayCount: null,
      agrees: parts.some(({ agrees }) => agrees === false) ? false : null,
      disputedDays: parts.flatMap(({ disputedDays }) => disputedDays),
      further: {},
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
