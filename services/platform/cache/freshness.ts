/** How long an answer of an upstream stays good. */

/** What was read from an upstream is good for one hour. */
export const FRESH_MS = 3_600_000;

/** How far the clocks of two processes may be apart; more is a clock that was set back. */
const CLOCK_SKEW_MS = 60_000;

/** Returns the age in ms; a clock set back makes nothing younger than now. */
export function ageMs(read: { fetchedAt: number }, now: number): number {
  return Math.max(0, now - read.fetchedAt);
}

/** Returns whether what was read is good, or past that by no more than a caller accepts. */
export function isFresh(
  read: { fetchedAt: number },
  now: number,
  maxStaleMs = 0,
): boolean {
  if (read.fetchedAt > now + CLOCK_SKEW_MS) return false;
  const staleMs = ageMs(read, now) - FRESH_MS;
  return staleMs < 0 || (maxStaleMs > 0 && staleMs <= maxStaleMs);
}
