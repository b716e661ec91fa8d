/** The geometry of a chart: its lines, rings and ticks in pixels. */
// @ts-types="@types/d3-scale"
import { scaleLinear, scaleLog, scaleUtc } from "d3-scale";
import type {
  Chart,
  ChartLine,
  ChartPoint,
} from "../../../services/charts/charts_schema.ts";
import {
  type Extent,
  extentOf,
  isShown,
} from "../../../services/charts/value_axis.ts";
import { parseDay, startOfDay } from "../../../services/platform/days.ts";
import { diamondPath, linePath, type Place } from "./line_path.ts";
import {
  disputeOf,
  formatTicks,
  isDisputed,
  isRevised,
} from "./chart_words.ts";

/** The rectangle of the plot, in pixels. */
export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The drawing of a line. */
export interface PlottedLine {
  /** Path between complete buckets. */
  readonly solid: string;
  /** Path to and from incomplete buckets. */
  readonly dashed: string;
  /** The incomplete buckets. */
  readonly provisional: readonly Place[];
  /** Path of the diamonds at revised buckets. */
  readonly revised: string;
  /** The last complete point, else the last; null if none is drawn. */
  readonly end: Place | null;
}

/** A tick of the day axis. */
export interface DayTick {
  readonly day: string;
  readonly x: number;
  readonly label: string;
}

/** A mark of a network upgrade on the day axis. */
export interface UpgradeMark {
  readonly x: number;
  readonly name: string;
  /** Whether there is room for the name beside the mark. */
  readonly isNamed: boolean;
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

/** Minimum distance between ticks, in pixels. */
const X_TICK = 84;
/** Width of the longest label of a day, with a gap. The scale may return closer ticks. */
const X_LABEL = 54;
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

/** Width of the name of an upgrade and its distance to the next, by character and in all, in pixels. */
const NAME_LETTER = 6.5;
const NAME_GAP = 10;

/** Places the network upgrades on the day axis. A name that would reach the next mark is left out. */
export function upgradeMarksOf(
  chart: Chart,
  across: Pick<Frame, "left" | "right">,
): UpgradeMark[] {
  const x = daysAcross(chart, across);
  const xs = chart.upgrades.map(({ day }) =>
    Math.min(round(x(dateOf(day))), across.right)
  );
  return chart.upgrades.map(({ name }, index) => {
    const end = xs[index]! + name.length * NAME_LETTER + NAME_GAP;
    return {
      x: xs[index]!,
      name,
      isNamed: end <= (xs[index + 1] ?? across.right),
    };
  });
}

/** Lists the ticks of the day axis. */
export function dayTicksOf(
  chart: Chart,
  across: Pick<Frame, "left" | "right">,
): DayTick[] {
  const { axis, interval } = chart;
  if (axis.length === 0) return [];
  const x = daysAcross(chart, across);
  const width = across.right - across.left;
  const room = Math.max(3, Math.floor(width / X_TICK));
  const marked = markedDates(x.ticks(room), { axis, interval, room });
  const step = Math.ceil(marked.length * X_LABEL / width);
  const dates = marked.filter((_, index) => index % step === 0);
  return dates.map((date) => ({
    day: date.toISOString().slice(0, 10),
    x: round(x(date)),
    label: formatTick(date, dates),
  }));
}

/** Returns the ticks of the scale, moved to the first days of buckets. */
function markedDates(
  dates: readonly Date[],
  { axis, interval, room }: Pick<Chart, "axis" | "interval"> & {
    readonly room: number;
  },
): Date[] {
  const isMonths = dates.every((date) => date.getUTCDate() === 1);
  if (interval === "day" || isMonths) {
    return dates.filter((date) => date.getUTCHours() === 0);
  }
  const step = Math.ceil(axis.length / room);
  return axis.filter((_, index) => index % step === 0).map(dateOf);
}

/** Lists the labels of the value axis, to reserve space for them. */
export function valueLabelsOf(
  chart: Chart,
  up: Pick<Frame, "top" | "bottom">,
  extent: Extent = extentOf(chart, chart.lines),
): string[] {
  return valuesUp(chart, up, extent).ticks.map(({ label }) => label);
}

/** Returns the scale of the day axis. It centres a single bucket. */
function daysAcross(
  { axis }: Chart,
  { left, right }: Pick<Frame, "left" | "right">,
) {
  return scaleUtc([dateOf(axis[0]), dateOf(axis.at(-1))], [left, right]);
}

function valuesUp(
  { view }: Chart,
  { top, bottom }: Pick<Frame, "top" | "bottom">,
  extent: Extent,
) {
  const count = Math.max(2, Math.round((bottom - top) / Y_TICK));
  const isLog = view.scale === "log";
  // An unfinished value outside of the complete ones is drawn at the edge.
  const y = isLog
    ? scaleLog([...extent], [bottom, top]).nice().clamp(true)
    : scaleLinear([...extent], [bottom, top]).nice(count).clamp(true);
  const values = isLog ? logTicks(y.domain(), count) : y.ticks(count);
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

/** Draws a line. It breaks at a bucket without a point, and is dashed next to an incomplete bucket. */
function plotLine(
  places: readonly (PlacedPoint | undefined)[],
): PlottedLine {
  let dashed = "";
  const provisional: Place[] = [];
  places.forEach((place, index) => {
    const before = places[index - 1];
    if (place === undefined) return;
    if (before && !(place.point.complete && before.point.complete)) {
      dashed += `M${before.x},${before.y}L${place.x},${place.y}`;
    }
    if (!place.point.complete) provisional.push({ x: place.x, y: place.y });
  });
  // An unfinished bucket is far below the line that a label names.
  const last = places.findLast((place) => place?.point.complete) ??
    places.findLast((place) => place !== undefined);
  return {
    solid: linePath(
      places.map((place) => place?.point.complete ? place : undefined),
    ),
    dashed,
    provisional,
    revised: diamondPath(
      places.flatMap((place) => place && isRevised(place.point) ? place : []),
    ),
    end: last === undefined ? null : { x: last.x, y: last.y },
  };
}

function dateOf(day: string | undefined): Date {
  return new Date(`${day ?? "1970-01-01"}T00:00:00Z`);
}

/** Formats a tick as a year, a month or a day: the coarsest that fits all ticks. */
function formatTick(date: Date, all: readonly Date[]): string {
  const year = String(date.getUTCFullYear());
  const month = MONTH.format(date);
  const isJanuary = date.getUTCMonth() === 0;
  if (!all.every((tick) => tick.getUTCDate() === 1)) {
    return `${date.getUTCDate()} ${month}`;
  }
  if (isJanuary) return year;
  const hasYear = all.some((tick) => tick.getUTCMonth() === 0);
  return !hasYear && date === all[0] ? `${month} ${year}` : month;
}

const MONTH = new Intl.DateTimeFormat("en-US", {
  month: "short",
  timeZone: "UTC",
});

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
