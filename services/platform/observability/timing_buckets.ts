/** Histogram buckets of durations: ten to a decade, constant memory. */

/** Upper bounds of one decade (ISO 3, R10). */
const STEPS = [1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8];
const DECADES_MS = [0.1, 1, 10, 100, 1_000, 10_000];

/**
 * Upper bound of each bucket in ms. The last bucket, up to 80 s, also takes
 * longer durations.
 */
const ENDS_MS = DECADES_MS.flatMap((decade) =>
  STEPS.map((step) => Number((decade * step).toPrecision(3)))
);

/** Number of buckets. */
export const BUCKETS = ENDS_MS.length;

/** Returns the bucket of a duration in ms. */
export function bucketOf(ms: number): number {
  let bucket = 0;
  // Not `>`: NaN belongs to the last bucket.
  while (bucket < BUCKETS - 1 && !(ms <= ENDS_MS[bucket]!)) bucket++;
  return bucket;
}

/**
 * Returns a quantile in ms: the upper bound of its bucket, which is at most 28
 * % too high between 0.1 ms and 80 s. Null if there are no durations.
 */
export function quantileMs(
  counts: readonly number[],
  share: number,
): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = Math.max(1, Math.ceil(total * share));
  const bucket = counts.findIndex((count) => (left -= count) <= 0);
  return ENDS_MS[bucket]!;
}
