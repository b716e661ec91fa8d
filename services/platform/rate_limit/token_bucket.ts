/** A bucket of tokens that refills evenly: so many at once, and a steady rate from then on. */

/** How much a bucket holds, and how fast it fills. */
export interface Bucket {
  /** Tokens of a full bucket. */
  readonly size: number;
  /** Milliseconds in which an empty one fills. */
  readonly fillMs: number;
}

/** Returns the tokens in a bucket that held `left` at an instant before `now`, both epoch ms. */
export function levelAt(
  { size, fillMs }: Bucket,
  { left, at }: { readonly left: number; readonly at: number },
  now: number,
): number {
  // A clock that was set back brings nothing, and takes nothing away.
  return Math.min(size, left + Math.max(0, now - at) * size / fillMs);
}

/** Returns the ms until a bucket holds a token; 0 where it does. */
export function waitForToken({ size, fillMs }: Bucket, level: number): number {
  return Math.max(0, Math.ceil((1 - level) * fillMs / size));
}
