/** UTC days as day numbers: whole days since 1970-01-01. */

/** Seconds in a day. */
export const DAY_SECONDS = 86_400;

/** Milliseconds in a day. */
export const DAY_MS = DAY_SECONDS * 1_000;

/** Parses a `YYYY-MM-DD` date. */
export function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS;
}

/** Returns the day of an instant. */
export function dayAt(instantMs: number): number {
  return Math.floor(instantMs / DAY_MS);
}

/** Formats a day number as `YYYY-MM-DD`. */
export function isoDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the Monday of the week. */
export function weekStart(day: number): number {
  return day - ((day + 3) % 7);
}

/** Returns the first day of the month. */
export function monthStart(day: number): number {
  return dayOf(`${isoDay(day).slice(0, 7)}-01`);
}
