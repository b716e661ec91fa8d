/** The curves of the models: logarithmic growth up to a reference, and decay with age. */
import { DAY_MS } from "../platform/days.ts";

/** A logarithmic curve that reaches `points` at `reference`. */
export interface Curve {
  readonly points: number;
  readonly reference: number;
  readonly steepness: number;
}

/** Returns the points of a value on a curve: 0 at 0, all points from the reference on. */
export function rise(
  value: number,
  { points, reference, steepness }: Curve,
): number {
  if (value <= 0) return 0;
  const part = Math.log1p(steepness * value / reference) /
    Math.log1p(steepness);
  return points * Math.min(1, part);
}

/** Returns the saturating share of a count: 0 at 0, one half at `half`, and always less than 1. */
export function partOf(count: number, half: number): number {
  return count > 0 ? count / (count + half) : 0;
}

/** Returns the days since an instant (epoch ms); 0 if it is in the future. */
export function daysSince(at: number, now: number): number {
  return Math.max(0, now - at) / DAY_MS;
}

/** Returns the part that is left after some days: one half after each half-life. */
export function decay(days: number, halfLifeDays: number): number {
  return 2 ** (-days / halfLifeDays);
}

/** Returns the mean decay over ages that are spread evenly between two, in days. */
export function meanDecay(
  from: number,
  to: number,
  halfLifeDays: number,
): number {
  const exponent = Math.LN2 * (to - from) / halfLifeDays;
  const mean = exponent > 0 ? -Math.expm1(-exponent) / exponent : 1;
  return mean * decay(from, halfLifeDays);
}
