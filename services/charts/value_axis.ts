/** The value axis of a chart: its range, and which lines can share it. */
import { METRICS } from "../chain_data/catalogue/metrics_schema.ts";
import {
  type Chart,
  type ChartLine,
  type ChartName,
  type ChartView,
  isChecked,
} from "./charts_schema.ts";
import {
  endOfBucket,
  formatDay,
  type Interval,
  parseDay,
} from "../platform/days.ts";
import { maxOf, minOf } from "../platform/numbers.ts";

/** The lowest and the highest value of an axis. */
export type Extent = readonly [low: number, high: number];

/** Lines share an axis if the highest values differ by at most this factor. */
const MAX_RATIO = 20;

/** Returns whether a chart shows a level, whose axis need not start at zero. */
function isLevel(name: ChartName): boolean {
  return name === "validators" ||
    (!isChecked(name) && METRICS[name].kind === "running total");
}

/** Returns whether a value can be drawn: a log axis has no 0. */
export function isShown(
  value: number | null,
  { scale }: Pick<ChartView, "scale">,
): value is number {
  return value !== null && (scale === "linear" || value > 0);
}

/** Returns whether all drawn values are whole numbers, so that an axis needs no fractions. */
export function isWhole(lines: readonly Pick<ChartLine, "drawn">[]): boolean {
  return lines.every(({ drawn }) =>
    drawn.every((value) => value === null || Number.isInteger(value))
  );
}

/** Counts the points that a log axis cannot show, because they are 0. */
export function countHidden({ lines, view }: Chart): number {
  if (view.scale === "linear") return 0;
  return lines.reduce(
    (sum, { drawn }) => sum + drawn.filter((value) => value === 0).length,
    0,
  );
}

/**
 * Returns the range of the value axis over some lines: that of the complete buckets,
 * else of all. It begins at 0, except of levels and on a log axis.
 */
export function extentOf(
  { name, view }: Pick<Chart, "name" | "view">,
  lines: readonly Pick<ChartLine, "drawn" | "points">[],
): Extent {
  const [least, most] = rangeOf(lines, view, true) ??
    rangeOf(lines, view, false) ?? [1, 1];
  if (view.scale === "log") {
    return least === most ? [least / 10, most * 10] : [least, most];
  }
  const isFromZero = view.values !== "absolute" || !isLevel(name) ||
    least === most;
  return [isFromZero ? 0 : least, most || 1];
}

/** Returns the lowest and the highest shown value of complete or of all buckets; null without any. */
function rangeOf(
  lines: readonly Pick<ChartLine, "drawn" | "points">[],
  view: ChartView,
  isOnlyComplete: boolean,
): Extent | null {
  let least = Infinity;
  let most = -Infinity;
  for (const { drawn, points } of lines) {
    for (const [place, value] of drawn.entries()) {
      if (!isShown(value, view)) continue;
      if (isOnlyComplete && !points[place]!.complete) continue;
      if (value < least) least = value;
      if (value > most) most = value;
    }
  }
  return most === -Infinity ? null : [least, most];
}

/**
 * Groups the lines of a chart by value axis. Absolute values have a common axis if
 * they have one unit and, on a linear axis, similar magnitudes: otherwise small
 * lines would lie on the axis. Indexes and shares always have a common axis.
 */
export function groupByAxis(chart: Chart): readonly (readonly number[])[] {
  const all = chart.lines.map((_, index) => index);
  const { view: { layout } } = chart;
  const isApart = all.length > 1 &&
    (layout === "panels" || !canShareAxis(chart));
  return isApart ? all.map((index) => [index]) : [all];
}

/** Returns whether all lines of a chart can share one value axis. */
export function canShareAxis({ name, view, lines }: Chart): boolean {
  if (view.values !== "absolute") return true;
  const units = new Set(lines.map(({ token }) => token));
  const isInTokens = !isChecked(name) &&
    ["avax", "wei"].includes(METRICS[name].unit);
  if (isInTokens && units.size > 1) return false;
  if (view.scale === "log") return true;
  const highest = lines.map(({ drawn }) =>
    drawn.reduce<number>((a, b) => Math.max(a, b ?? 0), 0)
  ).filter((most) => most > 0);
  return maxOf(highest) <= MAX_RATIO * minOf(highest);
}

/** Lists the first day of every bucket between the earliest and the latest point of all lines. */
export function joinAxes(
  lines: readonly (readonly { readonly day: string }[])[],
  interval: Interval,
): string[] {
  const ends = lines.flatMap((points) =>
    points.length === 0 ? [] : [points[0]!.day, points.at(-1)!.day]
  ).map(parseDay);
  const last = maxOf(ends);
  const axis: string[] = [];
  for (
    let day = minOf(ends);
    day <= last;
    day = endOfBucket(day, interval) + 1
  ) axis.push(formatDay(day));
  return axis;
}
