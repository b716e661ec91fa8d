/** UTC day arithmetic. A day is the number of whole days since 1970-01-01. */

/** Length of a bucket of days. */
export type Interval = "day" | "week" | "month";

/** Milliseconds of one minute. */
export const MINUTE_MS = 60_000;

/** Milliseconds of one hour. */
export const HOUR_MS = 3_600_000;

/** Milliseconds of one day. */
export const DAY_MS = 86_400_000;

/** Returns the UTC day that holds an instant given in epoch milliseconds. */
export function dayAt(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** Returns the first instant of a day, in epoch milliseconds. */
export function startOfDay(day: number): number {
  return day * DAY_MS;
}

/** Formatted days. A page with a chart formats each of its days several times. */
const formatted = new Map<number, string>();

/** More than the days of the longest series. */
const MAX_DAYS = 10_000;

/** Returns the day as `YYYY-MM-DD`. */
export function formatDay(day: number): string {
  const known = formatted.get(day);
  if (known !== undefined) return known;
  const text = new Date(startOfDay(day)).toISOString().slice(0, 10);
  if (formatted.size >= MAX_DAYS) formatted.clear();
  formatted.set(day, text);
  return text;
}

/** Parsed days. A chart parses each of its days several times. */
const parsed = new Map<string, number>();

/** Returns the day that a valid `YYYY-MM-DD` names. */
export function parseDay(text: string): number {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const day = dayAt(Date.parse(`${text}T00:00:00Z`));
  if (parsed.size >= MAX_DAYS) parsed.clear();
  parsed.set(text, day);
  return day;
}

/** Returns the UTC year of a day. */
export function yearOf(day: number): number {
  return new Date(startOfDay(day)).getUTCFullYear();
}

/** Returns 1 January of a year. */
export function startOfYear(year: number): number {
  return dayAt(Date.UTC(year, 0, 1));
}

/** Returns the first day of the month that lies `months` after a day's own. */
function startOfMonth(day: number, months = 0): number {
  const date = new Date(startOfDay(day));
  return dayAt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
}

/** Returns the Monday of a day's week; 1970-01-01 was a Thursday. */
function startOfWeek(day: number): number {
  return day - (((day + 3) % 7) + 7) % 7;
}

const BUCKETS: Record<
  Interval,
  { start: (day: number) => number; next: (start: number) => number }
> = {
  day: { start: (day) => day, next: (start) => start + 1 },
  week: { start: startOfWeek, next: (start) => start + 7 },
  month: { start: startOfMonth, next: (start) => startOfMonth(start, 1) },
};

/** Returns the first day of the bucket that holds a day. */
export function startOfBucket(day: number, interval: Interval): number {
  return BUCKETS[interval].start(day);
}

/** Returns the last day of the bucket that holds a day. */
export function endOfBucket(day: number, interval: Interval): number {
  return BUCKETS[interval].next(startOfBucket(day, interval)) - 1;
}
