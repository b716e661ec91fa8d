/** Durations sorted into buckets, ten to a decade: any number of them in fixed memory. */

/** Where the buckets of a decade end (ISO 3, R10). */
const STEPS = [1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8];
const DECADES_MS = [0.1, 1, 10, 100, 1_000, 10_000];

/** Where each bucket ends, in ms; the last, to 80 s, also takes what is longer. */
const ENDS_MS = DECADES_MS.flatMap((decade) =>
  STEPS.map((step) => Number((decade * step).toPrecision(3)))
);

/** The number of buckets. */
export const BUCKETS = ENDS_MS.length;

/** Returns the bucket of a duration in ms. */
export function bucketOf(ms: number): number {
  const bucket = ENDS_MS.findIndex((end) => ms <= end);
  return bucket === -1 ? BUCKETS - 1 : bucket;
}

/**
 * Returns the duration that so many of all did not exceed, in ms: the end of its
 * bucket, between 0.1 ms and 80 s at most 28 % above the truth. Null where there
 * are none.
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
