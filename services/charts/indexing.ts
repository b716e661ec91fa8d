/** The base that a line is indexed to. */
import type { ChartBase } from "./charts_schema.ts";
import { baseCountOf } from "./chart_view_schema.ts";
import { meanOf } from "../platform/decimals.ts";
import {
  formatDay,
  type Interval,
  parseDay,
  startOfBucket,
} from "../platform/days.ts";

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
 * Returns the base that is 100, or null if the line has none. By default it is the
 * first complete bucket above 0, or the mean of that bucket and the complete ones
 * after it. A chosen day selects its bucket, which must be complete and above 0. An
 * incomplete base would exaggerate all later values.
 */
export function baseOf(
  points: readonly Bucket[],
  unit: string,
  { base, interval }: { readonly base: string; readonly interval: Interval },
): ChartBase | null {
  const whole = points.filter(({ complete }) => complete);
  const active = whole.filter(({ value }) => value > 0);
  const used = selectBuckets(whole, { base, interval });
  if (used === null || active.length === 0) return null;
  const value = meanOf(used.map((bucket) => bucket.value));
  if (value <= 0) return null;
  const typical = median(active.map((point) => point.value));
  const isSmall = (unit === "count" && value < MIN_COUNT) ||
    value < MIN_SHARE * typical;
  return { day: used[0]!.day, value, isSmall, bucketCount: used.length };
}

/** Selects the buckets whose mean is the base; null if the line does not have all of them. */
function selectBuckets(
  whole: readonly Bucket[],
  { base, interval }: { readonly base: string; readonly interval: Interval },
): readonly Bucket[] | null {
  const count = baseCountOf(base);
  if (count === null) {
    const day = formatDay(startOfBucket(parseDay(base), interval));
    const chosen = whole.find((bucket) => bucket.day === day);
    return chosen === undefined ? null : [chosen];
  }
  const first = whole.findIndex(({ value }) => value > 0);
  const used = whole.slice(first, first + count);
  return first === -1 || used.length < count ? null : used;
}

/** Returns the median; the upper one of an even number of values. */
function median(values: readonly number[]): number {
  return Float64Array.from(values).sort()[Math.floor(values.length / 2)]!;
}
