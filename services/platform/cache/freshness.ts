/** How long data from upstreams stays fresh. */
import { HOUR_MS } from "../days.ts";
import { CLOCK_SKEW_MS } from "../clock.ts";

/** How long data from an upstream counts as fresh, and the max-age of open answers. */
export const UPSTREAM_FRESH_MS = HOUR_MS;

/** Returns the age in ms, at least 0 even if the clock was set back. */
export function ageMs(data: { fetchedAt: number }, now: number): number {
  return Math.max(0, now - data.fetchedAt);
}

/** Returns whether data is fresh, or stale by at most `maxStaleMs`. */
export function isFresh(
  data: { fetchedAt: number },
  now: number,
  maxStaleMs = 0,
): boolean {
  if (data.fetchedAt > now + CLOCK_SKEW_MS) return false;
  const staleMs = ageMs(data, now) - UPSTREAM_FRESH_MS;
  return staleMs < 0 || (maxStaleMs > 0 && staleMs <= maxStaleMs);
}

/** Returns the hours since an instant in epoch ms, to one decimal and at least 0. */
export function hoursSince(at: number, now: number): number {
  return Math.round(ageMs({ fetchedAt: at }, now) / 360_000) / 10;
}

/** An answer and its instants in epoch ms. */
export interface CacheableAnswer<T> {
  readonly answer: T;
  /** When its data was fetched. */
  readonly fetchedAt: number;
  /** When it last changed; null if unknown. */
  readonly changedAt: number | null;
  /** Whether it never changes again. */
  readonly isFinal?: boolean;
}
