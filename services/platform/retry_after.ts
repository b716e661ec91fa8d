/** The Retry-After field of RFC 9110, section 10.2.3. */
import { MINUTE_MS } from "./days.ts";

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
