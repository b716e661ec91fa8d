/** The geometry of a chart: its lines, rings and ticks in pixels. */
// @ts-types="@types/d3-scale"
import { scaleLinear, scaleLog } from "d3-scale";
import type {
  Chart,
  ChartLine,
  ChartPoint,
} from "../../services/charts/charts_schema.ts";
import {
  type Extent,
  extentOf,
  isShown,
  isWhole,
} from "../../services/charts/value_axis.ts";
import { isUnfinished } from "../../services/charts/hidden_parts.ts";
import { parseDay, startOfDay } from "../../services/platform/days.ts";
import {
  daysAcross,
  type DayTick,
  dayTicksOf,
  type Frame,
  round,
  type UpgradeMark,
  upgradeMarksOf,
} from "./day_axis.ts";
import { diamondPath, linePath, type Place } from "./line_path.ts";
import {
  disputeOf,
  formatTicks,
  isDisputed,
  isRevised,
} from "./chart_words.ts";

/** The drawing of a line. */
interface PlottedLine {
  /** Path between complete buckets. */
  readonly solid: string;
  /** Path of a dot at each complete bucket without neighbours, which no line shows. */
  readonly alone: string;
  /** Path to and from incomplete buckets. */
  readonly dashed: string;
  /** The buckets with a ring: those that are still filling. */
  readonly provisional: readonly Place[];
  /** Path of the diamonds at revised buckets. */
  readonly revised: string;
  /** The last complete point, else the last; null if none is drawn. */
  readonly end: Place | null;
}

/** A value of the axis. */
interface ValueTick {
  readonly y: number;
  readonly label: string;
}

/** The drawing of a chart. */
export interface Plot {
  readonly lines: readonly PlottedLine[];
  readonly rings: readonly (Place & { readonly words: string })[];
  readonly xTicks: readonly DayTick[];
  readonly upgrades: readonly UpgradeMark[];
  readonly yTicks: readonly ValueTick[];
}

/** Minimum distance between ticks of the value axis, in pixels. */
const Y_TICK = 64;

/** Computes the drawing of the lines of a chart on one value axis. */
export function plotChart(
  chart: Chart,
  frame: Frame,
  extent: Extent = extentOf(chart, chart.lines),
): Plot {
  const { axis } = chart;
  const x = daysAcross(chart, frame);
  const { y, ticks } = valuesUp(chart, frame, extent);
  const xs = axis.map((day) => round(x(startOfDay(parseDay(day)))));
  const lines = chart.lines.map((line) => placeLine(line, chart, { xs, y }));
  return {
    lines: lines.map(plotLine),
    rings: lines.flatMap((places, index) =>
      places.flatMap((place) =>
        place !== undefined && isDisputed(place.point)
          ? [{
            x: place.x,
            y: place.y,
            words: disputeOf(chart, chart.lines[index]!, place.point),
          }]
          : []
      )
    ),
    xTicks: dayTicksOf(chart, frame),
    upgrades: upgradeMarksOf(chart, frame),
    yTicks: ticks.map(({ value, label }) => ({ y: round(y(value)), label })),
  };
}

/** A drawn point. */
interface PlacedPoint extends Place {
  readonly point: ChartPoint;
}

/** Places the points of a line, by bucket; undefined for a bucket that is not drawn. */
function placeLine(
  { points, drawn }: ChartLine,
  { axis, view }: Chart,
  { xs, y }: {
    readonly xs: readonly number[];
    readonly y: (value: number) => number;
  },
): (PlacedPoint | undefined)[] {
  let next = 0;
  return axis.map((day, at) => {
    const point = points[next];
    if (point?.day !== day) return undefined;
    const value = drawn[next++]!;
    return isShown(value, view)
      ? { x: xs[at]!, y: round(y(value)), point }
      : undefined;
  });
}

/** Lists the labels of the value axis, to reserve space for them. */
export function valueLabelsOf(
  chart: Chart,
  up: Pick<Frame, "top" | "bottom">,
  extent: Extent = extentOf(chart, chart.lines),
): string[] {
  return valuesUp(chart, up, extent).ticks.map(({ label }) => label);
}

function valuesUp(
  { view, lines }: Chart,
  { top, bottom }: Pick<Frame, "top" | "bottom">,
  extent: Extent,
) {
  const count = Math.max(2, Math.round((bottom - top) / Y_TICK));
  const isLog = view.scale === "log";
  // An unfinished value outside of the complete ones is drawn at the edge.
  const y = isLog
    ? scaleLog([...extent], [bottom, top]).nice().clamp(true)
    : scaleLinear([...extent], [bottom, top]).nice(count).clamp(true);
  const linearTicks = () =>
    y.ticks(count).filter(isWhole(lines) ? Number.isInteger : () => true);
  const values = isLog ? logTicks(y.domain(), count) : linearTicks();
  const labels = formatTicks(values);
  return {
    y,
    ticks: values.map((value, index) => ({ value, label: labels[index]! })),
  };
}

/** Returns powers of ten, as many as fit, and 1, 2, 5 of each if there are few. */
function logTicks(domain: readonly number[], count: number): number[] {
  const [low, high] = domain.map((value) => Math.round(Math.log10(value)));
  const decades = high! - low!;
  const step = Math.max(1, Math.ceil(decades / (count + 1)));
  const steps = decades <= 2 ? [1, 2, 5] : [1];
  const ticks: number[] = [];
  for (let power = low!; power <= high!; power += step) {
    ticks.push(...steps.map((digit) => Number(`${digit}e${power}`)));
  }
  return ticks.filter((tick) => tick <= domain[1]!);
}

/**
 * Draws a line. It breaks at a bucket without a point, and is dashed next to an
 * incomplete bucket. An inferred bucket has no ring, unless nothing else shows it.
 */
function plotLine(
  places: readonly (PlacedPoint | undefined)[],
): PlottedLine {
  let dashed = "";
  let alone = "";
  const provisional: Place[] = [];
  places.forEach((place, index) => {
    const before = places[index - 1];
    if (place === undefined) return;
    if (before && !(place.point.complete && before.point.complete)) {
      dashed += `M${before.x},${before.y}L${place.x},${place.y}`;
    }
    const isAlone = before === undefined && places[index + 1] === undefined;
    if (isAlone && place.point.complete) alone += `M${place.x},${place.y}Z`;
    if (isUnfinished(place.point) || (!place.point.complete && isAlone)) {
      provisional.push({ x: place.x, y: place.y });
    }
  });
  // An unfinished bucket is far below the line that a label names.
  const last = places.findLast((place) => place?.point.complete) ??
    places.findLast((place) => place !== undefined);
  return {
    solid: linePath(
      places.map((place) => place?.point.complete ? place : undefined),
    ),
    alone,
    dashed,
    provisional,
    revised: diamondPath(
      places.flatMap((place) => place && isRevised(place.point) ? place : []),
    ),
    end: last === undefined ? null : { x: last.x, y: last.y },
  };
}
