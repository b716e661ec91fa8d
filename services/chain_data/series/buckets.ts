/** Folds daily values into buckets, and decides which days and buckets are complete. */
import type { Gap } from "../catalogue/fields_schema.ts";
import type { Fold, Point } from "../catalogue/metrics_schema.ts";
import {
  endOfBucket,
  formatDay,
  type Interval,
  startOfBucket,
} from "../../platform/days.ts";
import { type DailySeries, isEmpty, newestDay, valueOn } from "./series.ts";
import { maxOf, meanOf, sumOf } from "../../platform/numbers.ts";

/** Days from `start` to `end`, both included. */
export interface DayWindow {
  readonly start: number;
  readonly end: number;
}

/** Returns the newest complete day, or null. */
export function newestCompleteDay(
  series: DailySeries,
  today: number,
): number | null {
  const newest = newestDay(series);
  if (newest === null) return null;
  for (let day = newest; day >= series.firstDay; day--) {
    if (isComplete(series, day, today)) return day;
  }
  return null;
}

/** Returns whether a day has a value that is inferred. */
export function isInferred(series: DailySeries, day: number): boolean {
  return day > (series.inferredAfter ?? Infinity) &&
    !Number.isNaN(valueOn(series, day));
}

/** Returns whether the source withdraws a day, whose last value stands. */
export function isWithdrawn(
  { withdrawn = [] }: DailySeries,
  day: number,
): boolean {
  return withdrawn.some(({ from, to }) => from <= day && day <= to);
}

/** Counts the inferred days of a window. */
export function countInferred(
  series: DailySeries,
  window: DayWindow,
): number {
  const { firstDay, values, inferredAfter = Infinity } = series;
  const from = Math.max(window.start, inferredAfter + 1, firstDay);
  return values.slice(from - firstDay, Math.max(0, window.end + 1 - firstDay))
    .filter((value) => !Number.isNaN(value)).length;
}

/**
 * Returns whether a day is complete: it has a value and lies before today. The newest
 * published day may still grow, unless the series is closed; inferred days after it are
 * complete.
 */
export function isComplete(
  series: DailySeries,
  day: number,
  today: number,
): boolean {
  const { inferredAfter = newestDay(series)!, isClosed = false } = series;
  return day < today && !Number.isNaN(valueOn(series, day)) &&
    (day !== inferredAfter || isClosed);
}

/** Days after which a day without a value is no longer expected. */
const EXPECTED_DAYS = 30;

/**
 * Folds the days of a window, widened to whole buckets. A bucket is complete if all its days
 * since the first day of the series are complete; days that are missing for a month
 * are no longer expected, and are listed. Buckets without a value are left out.
 */
export function foldBuckets(
  series: DailySeries,
  window: DayWindow,
  rule: {
    readonly interval: Interval;
    readonly fold: Fold;
    readonly today: number;
    /** Whether days that can still grow are left out. */
    readonly isOnlyFinal?: boolean;
  },
): Point[] {
  if (isEmpty(series)) return [];
  const end = Math.min(window.end, newestDay(series)!);
  const start = startOfBucket(window.start, rule.interval);
  const points: Point[] = [];
  for (let day = Math.max(start, series.firstDay); day <= end;) {
    const bucketStart = startOfBucket(day, rule.interval);
    const bucketEnd = endOfBucket(day, rule.interval);
    const values: number[] = [];
    const missingDays: string[] = [];
    let complete = true;
    let inferred = false;
    let withdrawn = false;
    let revisedAt = -Infinity;
    // A series has no days before its first, so its first bucket begins there.
    day = Math.max(bucketStart, series.firstDay);
    for (; day <= bucketEnd; day++) {
      const value = valueOn(series, day);
      const isFinal = isComplete(series, day, rule.today);
      const isAbsent = Number.isNaN(value);
      if (!isAbsent && (isFinal || !rule.isOnlyFinal)) values.push(value);
      if (isAbsent && day < rule.today - EXPECTED_DAYS) {
        missingDays.push(formatDay(day));
      } else complete &&= isFinal;
      inferred ||= isInferred(series, day);
      if (series.revised !== undefined) {
        revisedAt = Math.max(revisedAt, series.revised.get(day) ?? revisedAt);
      }
      withdrawn ||= isWithdrawn(series, day);
    }
    if (values.length === 0) continue;
    const value = FOLD_VALUES[rule.fold](values);
    points.push({
      day: formatDay(bucketStart),
      value,
      complete,
      ...inferred && { inferred },
      ...missingDays.length > 0 && { missingDays },
      ...withdrawn && { disputed: "withdrawn" as const },
      ...revisedAt > 0 && { revisedAt: new Date(revisedAt).toISOString() },
    });
  }
  return points;
}

/**
 * Lists the runs of days without a value in a window, from the first day of a
 * series to its newest day, or to `through` if that is later.
 */
export function listGaps(
  series: DailySeries,
  window: DayWindow,
  through: number = -Infinity,
): Gap[] {
  if (isEmpty(series)) return [];
  const start = Math.max(window.start, series.firstDay);
  const unread = new Map(
    series.unread?.map(({ day, reason }) => [day, reason]),
  );
  const last = Math.max(
    newestDay(series)!,
    through,
    maxOf([...unread.keys()].map((day) => day ?? -Infinity)),
  );
  const end = Math.min(window.end, last);
  const gaps: Gap[] = [];
  const reasonOf = (day: number) => unread.get(day);
  let from: number | null = null;
  for (let day = start; day <= end + 1; day++) {
    const isAbsent = day <= end && Number.isNaN(valueOn(series, day));
    if (from !== null && (!isAbsent || reasonOf(day) !== reasonOf(from))) {
      const reason = reasonOf(from);
      gaps.push({
        ...{ from: formatDay(from), to: formatDay(day - 1) },
        ...reason !== undefined && { reason },
      });
      from = null;
    }
    if (isAbsent) from ??= day;
  }
  return gaps;
}

const FOLD_VALUES: Record<Fold, (values: readonly number[]) => number> = {
  sum: sumOf,
  mean: meanOf,
  max: (values) => maxOf(values),
  last: (values) => values.at(-1)!,
};

/** Folds at least one value into one. */
export function foldValues(fold: Fold, values: readonly number[]): number {
  return FOLD_VALUES[fold](values);
}
