/** Token bucket: allows a burst, then a steady rate. Every rate limit in memory uses it. */

/** The size and fill time of a bucket. */
export interface Bucket {
  /** Tokens of a full bucket. */
  readonly size: number;
  /** Milliseconds in which an empty bucket fills. */
  readonly fillMs: number;
}

/** Returns the tokens at `now` of a bucket that held `left` tokens at `at`, both epoch ms. */
export function levelAt(
  { size, fillMs }: Bucket,
  { left, at }: { readonly left: number; readonly at: number },
  now: number,
): number {
  // A clock that was set back neither adds nor removes tokens.
  return Math.min(size, left + Math.max(0, now - at) * size / fillMs);
}

/** Returns the ms until a bucket holds a token; 0 if it does. */
export function waitForToken({ size, fillMs }: Bucket, level: number): number {
  return Math.max(0, Math.ceil((1 - level) * fillMs / size));
}
