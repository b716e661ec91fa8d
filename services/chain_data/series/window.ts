/** The range and the window of days that a query selects. */
import type { Interval } from "../../platform/days.ts";
import {
  type DaysQuery,
  GENESIS_DAY,
  type Range,
  RANGES,
} from "../catalogue/day_query_schema.ts";
import { type DayWindow, wholeBuckets } from "./buckets.ts";
import { formatDay, parseDay } from "../../platform/days.ts";
import { type DailySeries, isEmpty } from "./series.ts";
import { invalidParameter } from "../../platform/fault.ts";

/** Returns the range of a query; null if `from` or `to` is given. */
export function rangeOf(
  { range, from, to }: DaysQuery,
  usual: Range,
): Range | null {
  return from || to ? null : range ?? usual;
}

/** Defaults of a query: the range, the series that the range `all` has from its first day on, and today. */
interface Selection {
  readonly usual: Range;
  readonly series: DailySeries;
  readonly today: number;
}

/** Returns the first and the last requested day, as given or as the range selects them. */
export function daysOf(
  query: DaysQuery,
  { usual, series, today }: Selection,
): { from: string; to: string } {
  const range = rangeOf(query, usual) ?? "all";
  const first = isEmpty(series) ? -Infinity : series.firstDay;
  // A source may have days before the first one that is answered.
  const start = range === "all"
    ? Math.max(first, parseDay(GENESIS_DAY))
    : today - RANGES[range] + 1;
  const to = query.to ?? formatDay(today);
  return {
    from: query.from ?? formatDay(Math.min(start, parseDay(to))),
    to,
  };
}

/**
 * Returns the window of a query, widened to whole buckets. A range ends today.
 * Without a start the window begins with the series.
 */
export function windowOf(
  query: DaysQuery,
  { interval, ...selection }: Selection & { readonly interval: Interval },
): DayWindow {
  const { from, to } = daysOf(query, selection);
  return wholeBuckets({
    start: Math.max(parseDay(from), parseDay(GENESIS_DAY)),
    end: Math.min(parseDay(to), selection.today),
  }, interval);
}

/** Throws a fault if `from` or `to` selects no day that a series can have. */
export function checkDays({ from, to }: DaysQuery, today: number): void {
  if (from && parseDay(from) > today) {
    throw invalidParameter("from", from, `a day up to ${formatDay(today)}`);
  }
  if (to && to < GENESIS_DAY) {
    throw invalidParameter("to", to, `a day from ${GENESIS_DAY} on`);
  }
}
