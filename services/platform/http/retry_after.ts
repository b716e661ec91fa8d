/** The Retry-After field of RFC 9110, section 10.2.3. */

/** Longest wait taken from a stranger: a public pool was seen to ask for hours. */
export const LONGEST_QUIET_MS = 10 * 60_000;

/**
 * Returns the wait in milliseconds that a `Retry-After` value asks for, in
 * seconds or as a date, ten minutes at most; null where it says nothing usable.
 */
export function parseRetryAfter(
  value: string | null,
  now: number,
): number | null {
  if (value === null) return null;
  const ms = /^\s*\d+\s*$/.test(value)
    ? Number(value) * 1000
    : Date.parse(value) - now;
  if (Number.isNaN(ms)) return null;
  return Math.min(Math.max(ms, 0), LONGEST_QUIET_MS);
}
