/** Durations by name over the last hour. */
import type { Clock } from "../clock.ts";
import { bucketOf, BUCKETS, quantileMs } from "./timing_buckets.ts";
import { hourlyCounts } from "./hourly_counts.ts";

/** Layout of a name's counters: failures, then buckets. */
const WIDTH = 1 + BUCKETS;

/** Durations of one name in ms; null if there are none. */
interface Timing {
  readonly count: number;
  readonly errors: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

/** Histograms by name over the last hour. Memory is constant. */
export function timings<Name extends string>(
  { now }: Clock,
  names: readonly Name[],
) {
  const hour = hourlyCounts({ now }, names.length * WIDTH);

  return {
    /** Adds a duration. */
    add(
      name: Name,
      ms: number,
      { failed }: { readonly failed: boolean },
    ): void {
      const counts = hour.current();
      const at = names.indexOf(name) * WIDTH;
      if (failed) counts[at]!++;
      counts[at + 1 + bucketOf(ms)]!++;
    },

    /** Sums the last hour, in the order of the names. */
    read(): (readonly [Name, Timing])[] {
      const { counts } = hour.sum();
      return names.map((name, nth) => {
        const [errors, ...buckets] = counts.slice(
          nth * WIDTH,
          (nth + 1) * WIDTH,
        );
        return [name, {
          count: buckets.reduce((sum, count) => sum + count, 0),
          errors: errors!,
          p50Ms: quantileMs(buckets, 0.5),
          p99Ms: quantileMs(buckets, 0.99),
        }];
      });
    },
  };
}
