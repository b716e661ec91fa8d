/** What an idle chain shows: zeroes, told apart from days that upstream lacks. */
import type { Kind } from "../metrics_schema.ts";
import type { DayWindow } from "./buckets.ts";
import {
  type DailySeries,
  type DailyValue,
  isEmpty,
  newestDay,
  seriesOf,
  someDay,
  valueOn,
} from "./series.ts";

/** Returns whether a chain had a transaction in a window, by its `txCount` series. */
export function isActive(txCount: DailySeries, window: DayWindow): boolean {
  return someDay(txCount, window, (value) => value !== 0);
}

/** Returns whether a series has any value in a window. */
export function hasValue(series: DailySeries, window: DayWindow): boolean {
  return someDay(series, window, () => true);
}

/** Returns the first day from which on a chain was idle for good, as far as its `txCount` goes. */
export function idleSince({ firstDay, values }: DailySeries): number {
  return firstDay + values.findLastIndex((value) => value > 0) + 1;
}

/**
 * Returns the series of a metric from a day on over which its chain was idle:
 * its own values, and zeroes where it has none, up to the newest day that
 * upstream has published of any chain. A running total stays where it stood,
 * since nothing happened that could move it. A day that is missing in the midst
 * of the chain's `txCount` tells nothing and stays absent.
 */
export function idleSeries(
  series: DailySeries,
  { kind, start, txCount, published }: {
    kind: Kind;
    start: number;
    txCount: DailySeries;
    published: number;
  },
): DailySeries {
  let total = lastValueBefore(series, start);
  const points: DailyValue[] = [];
  for (let day = start; day <= published; day++) {
    const own = valueOn(series, day);
    if (!Number.isNaN(own)) {
      points.push({ day, value: total = own });
    } else if (!isGap(txCount, day)) {
      points.push({ day, value: kind === "running total" ? total : 0 });
    }
  }
  return seriesOf(points);
}

/** Returns whether a day is missing between the first and the newest of a series. */
export function isGap(series: DailySeries, day: number): boolean {
  return !isEmpty(series) && day >= series.firstDay &&
    day <= newestDay(series)! && Number.isNaN(valueOn(series, day));
}

function lastValueBefore(series: DailySeries, day: number): number {
  if (isEmpty(series)) return 0;
  const before = series.values.subarray(0, Math.max(0, day - series.firstDay));
  return before.findLast((value) => !Number.isNaN(value)) ?? 0;
}
