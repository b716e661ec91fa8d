/** What many readings come to. */

/** Returns the value that `percent` of the values do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = Float64Array.from(values).sort();
  const rank = Math.ceil(sorted.length * percent / 100);
  return sorted[Math.max(0, rank - 1)] ?? NaN;
}

/** Returns the value in the middle. */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}
