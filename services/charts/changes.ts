/** The change of a metric against the window before, and against the year before. */
import type { Gap } from "../chain_data/catalogue/answer_fields_schema.ts";
import type { Fold } from "../chain_data/catalogue/metrics_schema.ts";
import { foldValues } from "../chain_data/series/buckets.ts";
import type { Change, LineChanges } from "./charts_schema.ts";
import { formatDay, parseDay } from "../platform/days.ts";
import { minOf } from "../platform/extremes.ts";

/** Days of a year, so that a window and its comparison have the same length. */
const YEAR = 365;

/** Windows from this length are compared with the year before alone: the days before are nearly the same. */
const NEAR_YEAR = 350;

/** A day of the series. */
interface DailyPoint {
  readonly day: string;
  readonly value: number;
  readonly complete: boolean;
}

/** Returns the first day that the changes of a window need. */
export function firstNeededDay(from: number, to: number): number {
  return from - Math.max(to - from + 1, YEAR);
}

/**
 * Compares the complete days of a window with those before it. Returns null if there
 * is no complete day. The points are sorted and may begin before the window, after a
 * first gap. A window with a missing day is not compared: a sum over fewer days would
 * look like a fall.
 */
export function changesOf(
  points: readonly DailyPoint[],
  { from, fold, gaps = [] }: {
    readonly from: string;
    readonly fold: Fold;
    readonly gaps?: readonly Gap[];
  },
): LineChanges | null {
  const last = points.findLast(({ complete }) => complete);
  const first = points[0];
  if (last === undefined || first === undefined || last.day < from) return null;
  const values = new Map(
    points.filter(({ complete }) => complete)
      .map(({ day, value }) => [parseDay(day), value]),
  );
  // A series has begun before each of its gaps.
  const begun = minOf(
    [first.day, ...gaps.map((gap) => gap.from)].map(parseDay),
  );
  const start = Math.max(parseDay(from), begun);
  const end = parseDay(last.day);
  const length = end - start + 1;
  const own = foldWindow(values, start, end, fold);
  const against = (shift: number): Change | null => {
    if (start - shift < begun) return null;
    const earlier = foldWindow(values, start - shift, end - shift, fold);
    return {
      from: formatDay(start - shift),
      to: formatDay(end - shift),
      changePct: own.value === null || !earlier.value
        ? null
        : (own.value / earlier.value - 1) * 100,
      missingDays: earlier.missingDays,
    };
  };
  return {
    from: formatDay(start),
    to: last.day,
    fold,
    ...own,
    before: NEAR_YEAR <= length && length <= YEAR ? null : against(length),
    yearBefore: length > YEAR ? null : against(YEAR),
  };
}

/** Folds the days of a window. A running total needs its last day alone. */
function foldWindow(
  values: ReadonlyMap<number, number>,
  start: number,
  end: number,
  fold: Fold,
): { readonly value: number | null; readonly missingDays: number } {
  const found: number[] = [];
  for (let day = fold === "last" ? end : start; day <= end; day++) {
    const value = values.get(day);
    if (value !== undefined) found.push(value);
  }
  const missingDays = (fold === "last" ? 1 : end - start + 1) - found.length;
  return {
    value: missingDays === 0 ? foldValues(fold, found) : null,
    missingDays,
  };
}
