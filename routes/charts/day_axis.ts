/** The day axis of a chart: its scale, its ticks, and the network upgrades on it. */
// @ts-types="@types/d3-scale"
import { scaleUtc } from "d3-scale";
import type { Chart } from "../../services/charts/charts_schema.ts";

/** The rectangle of the plot, in pixels. */
export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A tick of the day axis. */
export interface DayTick {
  readonly day: string;
  readonly x: number;
  readonly label: string;
  /** The middle of the label, which stays between the ends of the axis. */
  readonly labelX: number;
}

/** A mark of a network upgrade on the day axis. */
export interface UpgradeMark {
  readonly x: number;
  readonly name: string;
  /** Whether there is room for the name beside the mark. */
  readonly isNamed: boolean;
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

/** Minimum distance between ticks, in pixels. */
const TICK = 84;

/** Width of the longest label of a day, with a gap. The scale may return closer ticks. */
const LABEL = 54;

/** Lists the ticks of the day axis, whose labels do not touch. */
export function dayTicksOf(
  chart: Chart,
  across: Pick<Frame, "left" | "right">,
): DayTick[] {
  const { axis, interval } = chart;
  if (axis.length === 0) return [];
  const x = daysAcross(chart, across);
  const { left, right } = across;
  const width = right - left;
  const room = Math.max(3, Math.floor(width / TICK));
  const marked = markedDates(x.ticks(room), { axis, interval, room });
  const step = Math.ceil(marked.length * LABEL / width);
  const dates = marked.filter((_, index) => index % step === 0);
  const ticks = dates.map((date) => {
    const at = round(x(date));
    const label = axis.length === 1
      ? formatOnly(date, interval)
      : formatTick(date, dates);
    const half = halfOf(label);
    return {
      day: date.toISOString().slice(0, 10),
      x: at,
      label,
      labelX: round(Math.max(left + half, Math.min(at, right - half))),
    };
  });
  return ticks.reduce<DayTick[]>((kept, tick) => {
    const last = kept.at(-1);
    // Steps of days begin anew with each month, so two ticks may be close.
    const isClose = last !== undefined &&
      tick.labelX - halfOf(tick.label) <
        last.labelX + halfOf(last.label) + LABEL_GAP;
    if (!isClose) return [...kept, tick];
    // A first label that was moved into the axis would leave a gap behind it.
    const isMoved = kept.length === 1 && last.labelX !== last.x;
    return isMoved && ticks.length > 2 ? [tick] : kept;
  }, []);
}

/** Estimated width of a label's character, and the least distance of two labels, in pixels. */
const LABEL_LETTER = 6.5;
const LABEL_GAP = 6;

function halfOf(label: string): number {
  return label.length * LABEL_LETTER / 2;
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

/** Returns the scale of the day axis. It centres a single bucket. */
export function daysAcross(
  { axis }: Chart,
  { left, right }: Pick<Frame, "left" | "right">,
) {
  return scaleUtc([dateOf(axis[0]), dateOf(axis.at(-1))], [left, right]);
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

/** Formats the only bucket of an axis: no other tick says which day or month it is. */
function formatOnly(date: Date, interval: Chart["interval"]): string {
  const month = `${MONTH.format(date)} ${date.getUTCFullYear()}`;
  return interval === "month" ? month : `${date.getUTCDate()} ${month}`;
}

const MONTH = new Intl.DateTimeFormat("en-US", {
  month: "short",
  timeZone: "UTC",
});

/** Rounds a position to tenths of a pixel. */
export function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
