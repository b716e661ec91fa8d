/** The days that a query selects. */
import {
  type DaysQuery,
  GENESIS_DAY,
  type Range,
  RANGES,
} from "../catalogue/fields_schema.ts";
import type { DayWindow } from "./buckets.ts";
import {
  endOfBucket,
  formatDay,
  type Interval,
  parseDay,
  startOfBucket,
} from "../../platform/days.ts";
import { type DailySeries, isEmpty } from "./series.ts";
import { invalidParameter } from "../../platform/fault.ts";

/** The days that a query selects. */
interface SelectedDays {
  /** Null if `from` or `to` is given. */
  readonly range: Range | null;
  /** The first and the last day, as given or as the range selects them. */
  readonly days: { readonly from: string; readonly to: string };
  /** These days without the ones that a series cannot have, widened to whole buckets. */
  readonly window: DayWindow;
}

/**
 * Returns the days that a query selects of a series. A range ends today, and `all`
 * begins with the series. `usual` is the range without another one.
 */
export function selectDays(
  { range: given, from, to }: DaysQuery,
  { usual, series, today, interval }: {
    readonly usual: Range;
    readonly series: DailySeries;
    readonly today: number;
    readonly interval: Interval;
  },
): SelectedDays {
  const range = from || to ? null : given ?? usual;
  const end = to ? parseDay(to) : today;
  const genesis = parseDay(GENESIS_DAY);
  // A source may have days before the first one that is answered.
  const first = range === null || range === "all"
    ? Math.max(isEmpty(series) ? -Infinity : series.firstDay, genesis)
    : today - RANGES[range] + 1;
  const start = from ? parseDay(from) : Math.min(first, end);
  return {
    range,
    days: { from: from ?? formatDay(start), to: to ?? formatDay(end) },
    window: {
      start: startOfBucket(Math.max(start, genesis), interval),
      end: endOfBucket(Math.min(end, today), interval),
    },
  };
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
