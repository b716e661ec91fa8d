/** Counters over the last hour, in slots of a minute. */
import { COUNTED_MINUTES } from "./traffic_schema.ts";
import type { Clock } from "../clock.ts";
import { MINUTE_MS } from "../days.ts";

/** One minute, numbered from 1970, and its counts. */
interface Minute {
  nth: number;
  readonly counts: Uint32Array;
}

/** The counts of the last hour, including the current minute. */
interface HourSum {
  /** An hour ago, or when counting began; epoch ms. */
  readonly since: number;
  readonly counts: readonly number[];
}

/** Creates `size` counters over the last hour. Memory is constant. */
export function hourlyCounts({ now }: Clock, size: number) {
  const startedAt = now().getTime();
  const minutes: Minute[] = Array.from({ length: COUNTED_MINUTES }, () => ({
    nth: -1,
    counts: new Uint32Array(size),
  }));

  return {
    /** Returns the counts of the current minute. Add to them at once: the array is reused. */
    current(): Uint32Array {
      const nth = Math.floor(now().getTime() / MINUTE_MS);
      const minute = minutes[nth % COUNTED_MINUTES]!;
      if (minute.nth !== nth) {
        minute.nth = nth;
        minute.counts.fill(0);
      }
      return minute.counts;
    },

    /** Sums the last hour. */
    sum(): HourSum {
      const newest = Math.floor(now().getTime() / MINUTE_MS);
      const oldest = newest - COUNTED_MINUTES + 1;
      const total = new Array<number>(size).fill(0);
      for (const { nth, counts } of minutes) {
        if (nth < oldest || nth > newest) continue;
        counts.forEach((count, at) => total[at]! += count);
      }
      return { since: Math.max(startedAt, oldest * MINUTE_MS), counts: total };
    },
  };
}
