/** Counts of the last hour, minute by minute. */
import { COUNTED_MINUTES } from "./traffic_schema.ts";
import type { Clock } from "../clock.ts";

const MINUTE_MS = 60_000;

/** One minute: which, counted from 1970, and its counts. */
interface Minute {
  nth: number;
  readonly counts: Uint32Array;
}

/** The counts of the last hour, this minute included. */
export interface HourSum {
  /** An hour ago, or when counting began: epoch ms. */
  readonly since: number;
  readonly counts: readonly number[];
}

/** Keeps so many counts for an hour; what they take of memory is the same for ever. */
export function hourlyCounts({ now }: Clock, size: number) {
  const startedAt = now().getTime();
  const minutes: Minute[] = Array.from({ length: COUNTED_MINUTES }, () => ({
    nth: -1,
    counts: new Uint32Array(size),
  }));

  return {
    /** Returns the counts of this minute, for the caller to add to at once. */
    current(): Uint32Array {
      const nth = Math.floor(now().getTime() / MINUTE_MS);
      const minute = minutes[nth % COUNTED_MINUTES]!;
      if (minute.nth !== nth) {
        minute.nth = nth;
        minute.counts.fill(0);
      }
      return minute.counts;
    },

    /** Sums up the last hour. */
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
