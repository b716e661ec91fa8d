/** What an idle chain shows: zeroes, told apart from days that upstream lacks. */
import { type Kind } from "../contract/chain.ts";
import type { Window } from "./buckets.ts";
import { type DailySeries, isEmpty, newestDay, someDay } from "./series.ts";

/** Returns whether a chain had a transaction in a window, by its `txCount` series. */
export function isActive(txCount: DailySeries, window: Window): boolean {
  return someDay(txCount, window, (value) => value !== 0);
}

/** Returns whether a series has any value in a window. */
export function hasValue(series: DailySeries, window: Window): boolean {
  return someDay(series, window, () => true);
}

/**
 * Returns the series of a metric over a window in which its chain was idle:
 * zeroes, up to the newest day upstream has published or else today. A running
 * total stays where it stood, since nothing happened that could move it.
 */
export function idleSeries(
  series: DailySeries,
  { kind, window, txCount, today }: {
    kind: Kind;
    window: Window;
    txCount: DailySeries;
    today: number;
  },
): DailySeries {
  const published = newestDay(txCount) ?? -Infinity;
  const end = published >= window.start ? published : today;
  const values = new Float64Array(Math.max(0, end - window.start + 1));
  if (kind === "running total") {
    values.fill(lastValueBefore(series, window.start));
  }
  return { firstDay: window.start, values };
}

function lastValueBefore(series: DailySeries, day: number): number {
  if (isEmpty(series)) return 0;
  const before = series.values.subarray(0, Math.max(0, day - series.firstDay));
  return before.findLast((value) => !Number.isNaN(value)) ?? 0;
}
