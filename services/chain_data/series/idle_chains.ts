/** Series of chains without transactions: zeroes, distinguished from gaps of the source. */
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

/** Returns the day after the last day with a transaction. */
export function idleSince({ firstDay, values }: DailySeries): number {
  return firstDay + values.findLastIndex((value) => value > 0) + 1;
}

/**
 * Fills the series of a metric from `start` to `published`, the newest day that
 * the source has for any chain. A day without a value gets 0, or the previous
 * value of a running total. A gap in the chain's `txCount` stays absent, because
 * the chain may have been active then.
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

/** Returns whether a day between the first and the newest day has no value. */
function isGap(series: DailySeries, day: number): boolean {
  return !isEmpty(series) && day >= series.firstDay &&
    day <= newestDay(series)! && Number.isNaN(valueOn(series, day));
}

function lastValueBefore(series: DailySeries, day: number): number {
  if (isEmpty(series)) return 0;
  const before = series.values.subarray(0, Math.max(0, day - series.firstDay));
  return before.findLast((value) => !Number.isNaN(value)) ?? 0;
}
