/** UTC days as whole numbers since 1970-01-01, which the series count in. */

/** Seconds of a UTC day. */
export const DAY_SECONDS = 86_400;

/** Milliseconds of a UTC day. */
export const DAY_MS = DAY_SECONDS * 1_000;

/** Reads the day number of a `YYYY-MM-DD` date. */
export function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS;
}

/** Finds the day an instant falls on. */
export function dayAt(instantMs: number): number {
  return Math.floor(instantMs / DAY_MS);
}

/** Writes a day number as `YYYY-MM-DD`. */
export function isoDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Finds the Monday that starts the week of a day. */
export function weekStart(day: number): number {
  return day - ((day + 3) % 7);
}

/** Finds the first day of the month of a day. */
export function monthStart(day: number): number {
  return dayOf(`${isoDay(day).slice(0, 7)}-01`);
}
