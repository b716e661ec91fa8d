/** Instants, in epoch milliseconds, cut to coarser units. */

/** The clock of a score ticks by the minute, so that within one its numbers are the same. */
export function minuteOf(now: number): number {
  return Math.floor(now / 60_000) * 60_000;
}

/** Returns the second of an instant, in epoch ms. */
export function secondOf(now: number): number {
  return Math.floor(now / 1000) * 1000;
}
