/** How long things took, by name, in the last hour. */
import type { Clock } from "../clock.ts";
import { bucketOf, BUCKETS, quantileMs } from "./timing_buckets.ts";
import { hourlyCounts } from "./hourly_counts.ts";

/** Counts of one name: how many failed, then the buckets. */
const WIDTH = 1 + BUCKETS;

/** How long the things of one name took; durations are null where there were none. */
export interface Timing {
  readonly count: number;
  readonly errors: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

/** Times things by name; what it takes of memory is the same for ever. */
export function timings<Name extends string>(
  { now }: Clock,
  names: readonly Name[],
) {
  const hour = hourlyCounts({ now }, names.length * WIDTH);

  return {
    /** Counts one that took so long. */
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

    /** Sums up the last hour, each name in its order. */
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
