/** The geometry of a chart: its lines, rings and ticks in pixels. */
// @ts-types="@types/d3-scale"
import { scaleLinear, scaleUtc } from "d3-scale";
// @ts-types="@types/d3-shape"
import { line } from "d3-shape";
import type {
  Chart,
  ChartPoint,
} from "../../../services/charts/charts_schema.ts";
import {
  disputeOf,
  drawnValue,
  formatTicks,
  isDisputed,
  isLevel,
} from "./chart_words.ts";

/** The rectangle of the plot, in pixels. */
export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A point of the picture, in pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** The drawing of a line. */
export interface PlottedLine {
  /** Path between complete buckets. */
  readonly solid: string;
  /** Path to and from incomplete buckets. */
  readonly dashed: string;
  /** The incomplete buckets. */
  readonly provisional: readonly Place[];
}

/** A tick of the day axis. */
export interface DayTick {
  readonly day: string;
  readonly x: number;
  readonly label: string;
}

/** The drawing of a chart. */
export interface Plot {
  readonly lines: readonly PlottedLine[];
  readonly rings: readonly (Place & { readonly words: string })[];
  readonly xTicks: readonly DayTick[];
  readonly yTicks: readonly { readonly y: number; readonly label: string }[];
}

/** Minimum distance between ticks, in pixels. */
const X_TICK = 84;
const Y_TICK = 64;

/** Computes the drawing of a chart. */
export function plotChart(chart: Chart, frame: Frame): Plot {
  const { axis } = chart;
  const lines = drawnLines(chart);
  const x = daysAcross(chart, frame);
  const { y, ticks } = valuesUp(chart, frame);
  const place = ({ day, drawn }: DrawnPoint): Place => ({
    x: round(x(dateOf(day))),
    y: round(y(drawn)),
  });
  return {
    lines: lines.map((points) => plotLine(points, axis, place)),
    rings: lines.flatMap((points, index) =>
      points.filter(isDisputed).map((point) => ({
        ...place(point),
        words: disputeOf(chart, chart.lines[index]!, point),
      }))
    ),
    xTicks: dayTicksOf(chart, frame),
    yTicks: ticks.map(({ value, label }) => ({ y: round(y(value)), label })),
  };
}

/** Lists the ticks of the day axis. */
export function dayTicksOf(
  chart: Chart,
  across: Pick<Frame, "left" | "right">,
): DayTick[] {
  const { axis, interval } = chart;
  if (axis.length === 0) return [];
  const x = daysAcross(chart, across);
  const room = Math.max(2, Math.floor((across.right - across.left) / X_TICK));
  const dates = markedDates(x.ticks(room), { axis, interval, room });
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
): string[] {
  return valuesUp(chart, up).ticks.map(({ label }) => label);
}

/** Returns the scale of the day axis. It centres a single bucket. */
function daysAcross(
  { axis }: Chart,
  { left, right }: Pick<Frame, "left" | "right">,
) {
  return scaleUtc([dateOf(axis[0]), dateOf(axis.at(-1))], [left, right]);
}

function valuesUp(
  chart: Chart,
  { top, bottom }: Pick<Frame, "top" | "bottom">,
) {
  const count = Math.max(2, Math.round((bottom - top) / Y_TICK));
  // An unfinished value outside of the complete ones is drawn at the edge.
  const y = scaleLinear(extentOf(chart), [bottom, top]).nice(count).clamp(true);
  const values = y.ticks(count);
  const labels = formatTicks(values);
  return {
    y,
    ticks: values.map((value, index) => ({ value, label: labels[index]! })),
  };
}

/** A point with its drawn value. */
type DrawnPoint = ChartPoint & { readonly drawn: number };

function drawnLines(chart: Chart): DrawnPoint[][] {
  return chart.lines.map((line) =>
    line.points.flatMap((point) => {
      const drawn = drawnValue(chart, line, point);
      return drawn === null ? [] : [{ ...point, drawn }];
    })
  );
}

/** Returns the range of the value axis: that of the complete buckets, else of all. */
export function extentOf(chart: Chart): [number, number] {
  const all = drawnLines(chart).flat();
  const complete = all.filter((point) => point.complete);
  const values = (complete.length === 0 ? all : complete)
    .map(({ drawn }) => drawn);
  const most = values.reduce((a, b) => Math.max(a, b), 0);
  const least = values.reduce((a, b) => Math.min(a, b), most);
  const isFromZero = chart.isIndexed || !isLevel(chart.name) || least === most;
  return [isFromZero ? 0 : least, most || 1];
}

/**
 * Draws a line bucket by bucket. It breaks at a bucket without a point, and is
 * dashed next to an incomplete bucket.
 */
function plotLine(
  points: readonly DrawnPoint[],
  axis: readonly string[],
  place: (point: DrawnPoint) => Place,
): PlottedLine {
  const byDay = new Map(points.map((point) => [point.day, point]));
  const buckets = axis.map((day) => byDay.get(day));
  const path = line<DrawnPoint | undefined>()
    .defined((point) => point !== undefined && point.complete)
    .x((point) => place(point!).x)
    .y((point) => place(point!).y)
    .digits(1);
  const step = line<DrawnPoint>()
    .x((point) => place(point).x)
    .y((point) => place(point).y)
    .digits(1);
  const dashed = buckets.flatMap((point, index) => {
    const before = buckets[index - 1];
    return point && before && !(point.complete && before.complete)
      ? [step([before, point])]
      : [];
  });
  return {
    solid: path(buckets) ?? "",
    dashed: dashed.join(""),
    provisional: points.filter(({ complete }) => !complete).map(place),
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
  if (all.every((tick) => tick.getUTCMonth() + tick.getUTCDate() === 1)) {
    return year;
  }
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
