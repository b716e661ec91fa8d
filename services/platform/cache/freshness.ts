/** How long an answer of an upstream stays good. */
import { HOUR_MS } from "../days.ts";
import { CLOCK_SKEW_MS } from "../clock.ts";

/** How long data from an upstream counts as fresh. */
export const UPSTREAM_FRESH_MS = HOUR_MS;

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
  const staleMs = ageMs(read, now) - UPSTREAM_FRESH_MS;
  return staleMs < 0 || (maxStaleMs > 0 && staleMs <= maxStaleMs);
}
