/** What lines of different sizes are indexed to, so that they can be compared. */
import type { ChartBase } from "./charts_schema.ts";

/** A count below this moves by whole percents with every one that is added. */
const FEWEST_COUNTED = 100;

/** A base below this share of what is usual later makes anything look like growth. */
const SMALLEST_SHARE = 0.1;

/** A bucket of a line. */
interface Bucket {
  readonly day: string;
  readonly value: number;
  readonly complete: boolean;
}

/**
 * Returns the bucket that stands for 100: the first one that is active and
 * complete, or null where there is none. An incomplete one would make all that
 * follows look like growth.
 */
export function baseOf(
  points: readonly Bucket[],
  unit: string,
): ChartBase | null {
  const active = points.filter(({ value, complete }) => complete && value > 0);
  const base = active[0];
  if (base === undefined) return null;
  const { day, value } = base;
  const usual = median(active.map((point) => point.value));
  const isSmall = (unit === "count" && value < FEWEST_COUNTED) ||
    value < SMALLEST_SHARE * usual;
  return { day, value, isSmall };
}

/** Returns the middle one of values, the upper one of two. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
