/** The Retry-After field of RFC 9110, section 10.2.3. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./days.ts";

/** Longest accepted cooldown. A public pool was seen to ask for hours. */
export const MAX_COOLDOWN_MS = 10 * MINUTE_MS;

/**
 * Returns the wait of a `Retry-After` value (seconds or a date) in milliseconds,
 * at most ten minutes; null if the value is invalid.
 */
export function parseRetryAfter(
  value: string | null,
  now: number,
): number | null {
  if (value === null) return null;
  const ms = /^\s*\d+\s*$/.test(value)
    ? Number(value) * 1000
    : parseDate(value) - now;
  if (Number.isNaN(ms)) return null;
  return Math.min(Math.max(ms, 0), MAX_COOLDOWN_MS);
}

/** Returns a date with a time in epoch ms; `NaN` for others. `Date.parse` takes "-5" for a day in 2001. */
function parseDate(value: string): number {
  return /\d:\d/.test(value) ? Date.parse(value) : NaN;
}

/** Units of a wait and the shortest wait that is given in them, longest first; in ms. */
const UNITS = [
  { name: "day", ms: DAY_MS, fromMs: 2 * DAY_MS },
  { name: "hour", ms: HOUR_MS, fromMs: 2 * HOUR_MS },
  { name: "minute", ms: MINUTE_MS, fromMs: 2 * MINUTE_MS },
  { name: "second", ms: 1_000, fromMs: 0 },
] as const;

/** Returns when a request may be sent again, such as "try again in 12 seconds". The wait is rounded up. */
export function retryWords(retryAfterMs: number): string {
  const { name, ms } = UNITS.find(({ fromMs }) => retryAfterMs > fromMs) ??
    UNITS.at(-1)!;
  const count = Math.max(1, Math.ceil(retryAfterMs / ms));
  return `try again in ${count} ${name}${count === 1 ? "" : "s"}`;
}
