/** Splits a series into years, as it is stored, and joins them. */
import { startOfYear, yearOf } from "../../platform/days.ts";
import { type DailySeries, valueOn } from "./series.ts";

/** First and newest day of a series. */
export interface SeriesDays {
  readonly first: number;
  readonly newest: number;
}

/** Lists the years from the first to the newest day of a series. */
export function yearsOf(days: SeriesDays | null): number[] {
  if (days === null) return [];
  const first = yearOf(days.first);
  return Array.from(
    { length: yearOf(days.newest) - first + 1 },
    (_, index) => first + index,
  );
}

/** Returns one slot per day of a year, `NaN` for absent days. */
export function valuesOfYear(series: DailySeries, year: number): Float64Array {
  const start = startOfYear(year);
  const values = new Float64Array(startOfYear(year + 1) - start);
  return values.map((_, slot) => valueOn(series, start + slot));
}

/** Builds a series from the values of its years. */
export function joinYears(
  days: SeriesDays,
  years: readonly { year: number; values: Float64Array }[],
): DailySeries {
  const values = new Float64Array(days.newest - days.first + 1).fill(NaN);
  for (const { year, values: part } of years) {
    const offset = startOfYear(year) - days.first;
    const from = Math.max(0, -offset);
    const to = Math.min(part.length, values.length - offset);
    values.set(part.subarray(from, to), offset + from);
  }
  return { firstDay: days.first, values };
}
