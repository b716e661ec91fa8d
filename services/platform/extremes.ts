/** The largest and the smallest of a list of any length: arguments of a call are limited. */

/** Returns the largest value; -Infinity if there is none. */
export function maxOf(values: Iterable<number>): number {
  let most = -Infinity;
  for (const value of values) most = Math.max(most, value);
  return most;
}

/** Returns the smallest value; Infinity if there is none. */
export function minOf(values: Iterable<number>): number {
  let least = Infinity;
  for (const value of values) least = Math.min(least, value);
  return least;
}
