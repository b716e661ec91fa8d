/** A daily series as an array: one slot a day, `NaN` where there is no value. */

/** Values from `firstDay` on, one a day; the first and the last slot hold a value. */
export interface DailySeries {
  readonly firstDay: number;
  readonly values: Float64Array;
}

/** A day and its value. */
export interface DailyValue {
  readonly day: number;
  readonly value: number;
}

/** The series of a chain that upstream has no point for. */
export const EMPTY_SERIES: DailySeries = {
  firstDay: 0,
  values: new Float64Array(),
};

/** Builds a series; where a day comes twice, as pages that shift make it, the first wins. */
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

/** Returns whether the series has no value at all. */
export function isEmpty(series: DailySeries): boolean {
  return series.values.length === 0;
}

/** Returns the newest day with a value, or null. */
export function newestDay(series: DailySeries): number | null {
  return isEmpty(series) ? null : series.firstDay + series.values.length - 1;
}

/** Returns the value of a day, `NaN` where there is none. */
export function valueOn(series: DailySeries, day: number): number {
  return series.values[day - series.firstDay] ?? NaN;
}

/** Returns whether any day from `start` to `end`, both included, satisfies `test`. */
export function someDay(
  series: DailySeries,
  { start, end }: { start: number; end: number },
  test: (value: number) => boolean,
): boolean {
  return series.values
    .subarray(
      Math.max(0, start - series.firstDay),
      Math.max(0, end - series.firstDay + 1),
    )
    .some((value) => !Number.isNaN(value) && test(value));
}

/** Returns a series whose days from `tailStart` on are those of `tail`. */
export function withTail(
  series: DailySeries,
  tail: DailySeries,
  tailStart: number,
): DailySeries {
  return seriesOf([
    ...pointsOf(tail).filter(({ day }) => day >= tailStart),
    ...pointsOf(series).filter(({ day }) => day < tailStart),
  ]);
}

/** Returns a series with the values of `next` where it has one, else those of `series`. */
export function overlay(series: DailySeries, next: DailySeries): DailySeries {
  return seriesOf([...pointsOf(next), ...pointsOf(series)]);
}

/** Lists the days that have a value, in order. */
export function pointsOf({ firstDay, values }: DailySeries): DailyValue[] {
  return Array.from(values, (value, slot) => ({ day: firstDay + slot, value }))
    .filter(({ value }) => !Number.isNaN(value));
}

/** Returns whether two series hold the same values on the same days. */
export function sameSeries(a: DailySeries, b: DailySeries): boolean {
  return a.firstDay === b.firstDay && a.values.length === b.values.length &&
    a.values.every((value, slot) => Object.is(value, b.values[slot]));
}

/**
 * Returns whether `next` has every day that `previous` has. A history that lost
 * days was cut on its way or comes from a replica that lags, and must not take
 * the place of a fuller one.
 */
export function covers(next: DailySeries, previous: DailySeries): boolean {
  return pointsOf(previous)
    .every(({ day }) => !Number.isNaN(valueOn(next, day)));
}
