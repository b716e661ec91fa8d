/** Rounds timestamps, in epoch ms, down to coarser units. */
import { MINUTE_MS } from "./days.ts";

/** Returns the start of a timestamp's minute, in epoch ms. Scores change at most once a minute. */
export function minuteOf(now: number): number {
  return Math.floor(now / MINUTE_MS) * MINUTE_MS;
}

/** Returns the start of a timestamp's second, in epoch ms. */
export function secondOf(now: number): number {
  return Math.floor(now / 1000) * 1000;
}

/** Returns whether less than a second has passed since an instant; false if the clock was set back. */
export function isWithinSecond(now: number, since: number): boolean {
  return now >= since && now < since + 1000;
}
