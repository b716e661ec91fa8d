/** The base that a line is indexed to. */
import type { ChartBase } from "./charts_schema.ts";

/** Below this count, one more already changes the index by over one percent. */
const MIN_COUNT = 100;

/** A base below this share of the median exaggerates growth. */
const MIN_SHARE = 0.1;

/** A bucket of a line. */
interface Bucket {
  readonly day: string;
  readonly value: number;
  readonly complete: boolean;
}

/**
 * Returns the bucket that is 100 %: the first complete bucket above 0, or null. An
 * incomplete base would exaggerate all later values.
 */
export function baseOf(
  points: readonly Bucket[],
  unit: string,
): ChartBase | null {
  const active = points.filter(({ value, complete }) => complete && value > 0);
  const base = active[0];
  if (base === undefined) return null;
  const { day, value } = base;
  const typical = median(active.map((point) => point.value));
  const isSmall = (unit === "count" && value < MIN_COUNT) ||
    value < MIN_SHARE * typical;
  return { day, value, isSmall };
}

/** Returns the median; the upper one of an even number of values. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
