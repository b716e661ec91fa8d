/** Percentile and median. */

/** Returns the percentile by nearest rank; NaN without values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = Float64Array.from(values).sort();
  const rank = Math.ceil(sorted.length * percent / 100);
  return sorted[Math.max(0, rank - 1)] ?? NaN;
}

/** Returns the median. */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}
