/** A daily series as an array: one slot per day, `NaN` for a day without a value. */

/** Values from `firstDay` on, one slot per day. The first and the last slot have a value. */
export interface DailySeries {
  readonly firstDay: number;
  readonly values: Float64Array;
  /** Whether the newest day is final. Sources usually still add to it. Not stored. */
  readonly isClosed?: boolean;
  /** Last published day; the days after it are inferred. Not stored. */
  readonly inferredAfter?: number;
  /** Newest day on which a second source has transactions of the chain, if it is after those of this one. Not stored. */
  readonly activeElsewhere?: number;
  /** Runs of days that the source withdraws, in order. Stored with the head. */
  readonly withdrawn?: readonly {
    readonly from: number;
    readonly to: number;
  }[];
  /**
   * Days of the source that are not used, as their rows cannot be read or are not
   * believed; `day` is null for a row that says none. Stored with the head.
   */
  readonly unread?: readonly {
    readonly day: number | null;
    readonly reason: string;
  }[];
  /** When each revised day was last revised, in epoch ms. Stored in the logs. */
  readonly revised?: ReadonlyMap<number, number>;
}

/** A day and its value. */
export interface DailyValue {
  readonly day: number;
  readonly value: number;
}

/** A series without values. */
export const EMPTY_SERIES: DailySeries = {
  firstDay: 0,
  values: new Float64Array(),
};

/** Builds a series. Pages can shift while they are read, so a day may come twice; the first value wins. */
export function seriesOf(points: readonly DailyValue[]): DailySeries {
  if (points.length === 0) return EMPTY_SERIES;
  let firstDay = Infinity;
  let newestDay = -Infinity;
  for (const { day } of points) {
    firstDay = Math.min(firstDay, day);
    newestDay = Math.max(newestDay, day);
  }
  const values = new Float64Array(newestDay - firstDay + 1).fill(NaN);
  for (const { day, value } of points) {
    const slot = day - firstDay;
    if (Number.isNaN(values[slot])) values[slot] = value;
  }
  return { firstDay, values };
}

/** Returns whether the series has no values. */
export function isEmpty(series: DailySeries): boolean {
  return series.values.length === 0;
}

/** Returns the newest day with a value, or null. */
export function newestDay(series: DailySeries): number | null {
  return isEmpty(series) ? null : series.firstDay + series.values.length - 1;
}

/** Returns the value of a day, or `NaN`. */
export function valueOn(series: DailySeries, day: number): number {
  return series.values[day - series.firstDay] ?? NaN;
}

/** Lists the days with a value, in order. */
export function pointsOf({ firstDay, values }: DailySeries): DailyValue[] {
  return Array.from(values, (value, slot) => ({ day: firstDay + slot, value }))
    .filter(({ value }) => !Number.isNaN(value));
}

/** Returns whether two series hold the same values on the same days. */
export function sameSeries(a: DailySeries, b: DailySeries): boolean {
  return a.firstDay === b.firstDay && a.values.length === b.values.length &&
    a.values.every((value, slot) => Object.is(value, b.values[slot]));
}
