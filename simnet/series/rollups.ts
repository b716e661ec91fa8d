/** Weekly and monthly buckets of the Metrics API. The monthly values are wrong, as in the real API. */
import { monthStart, weekStart } from "./days.ts";
import type { Series } from "../metrics_api/published_series.ts";
import type { Metric } from "./series.ts";

/** The factor by which monthly buckets are wrong. */
const MONTH_ERROR = 0.97;

/** The length of a bucket. */
export type Interval = "day" | "week" | "month";

/** A bucket and its value. */
export interface Bucket {
  /** The first day, as days since 1970. */
  readonly day: number;
  /** The value of the bucket. */
  readonly value: number;
}

interface Calendar {
  readonly startOf: (day: number) => number;
  readonly nextStart: (start: number) => number;
  readonly error: number;
}

const CALENDARS: Record<Exclude<Interval, "day">, Calendar> = {
  week: {
    startOf: weekStart,
    nextStart: (start) => start + 7,
    error: 1,
  },
  month: {
    startOf: monthStart,
    nextStart: (start) => monthStart(start + 31),
    error: MONTH_ERROR,
  },
};

/** Share of address-days that remains when each address counts once. */
const DISTINCT_SHARE = 0.48;

const SHARES: Partial<Record<Metric, number>> = {
  txCount: 1,
  gasUsed: 1,
  activeAddresses: DISTINCT_SHARE,
  activeSenders: DISTINCT_SHARE,
};

/** Returns whether the Metrics API has buckets of a metric. */
export function hasRollup(metric: Metric): boolean {
  return metric in SHARES;
}

/** Aggregates a daily series into complete buckets, oldest first. */
export function rollUp(
  series: Series,
  metric: Metric,
  interval: Exclude<Interval, "day">,
): Bucket[] {
  const { startOf, nextStart, error } = CALENDARS[interval];
  const share = SHARES[metric] ?? 1;
  const sums = new Map<number, number>();
  for (const [index, value] of series.values.entries()) {
    if (Number.isNaN(value)) continue;
    const start = startOf(series.firstDay + index);
    sums.set(start, (sums.get(start) ?? 0) + value);
  }
  const newestDay = series.firstDay + series.values.length - 1;
  return [...sums]
    .filter(([start]) => nextStart(start) <= newestDay)
    .map(([day, sum]) => ({ day, value: Math.round(sum * share * error) }));
}
