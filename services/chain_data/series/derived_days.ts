/** Metrics that no source publishes: the daily growth of a running total. */
import { DOUBTS } from "../catalogue/cross_checks_schema.ts";
import { derivationOf, type Metric } from "../catalogue/metrics_schema.ts";
import { type DailySeries, seriesOf } from "./series.ts";

/** Returns the values of a metric, by the stored series that they come from. */
export function valuesOf<Found extends { readonly series: DailySeries }>(
  metric: Metric,
  stored: Found,
): Found {
  const derived = derivationOf(metric);
  if (derived === undefined) return stored;
  const series = growthOf(stored.series, derived.includedAfterDays);
  return { ...stored, series };
}

/**
 * Returns the growth of a running total. A day needs the totals of two days, so the
 * first day has none, and a day counts as withdrawn, unread or revised if one of its
 * totals does. A day on which the total falls has no value.
 */
function growthOf(
  { firstDay, values, withdrawn, unread = [], revised }: DailySeries,
  includedAfterDays: 0 | 1,
): DailySeries {
  // The first and the last day that a total takes part in.
  const first = (day: number) => day - includedAfterDays;
  const last = (day: number) => first(day) + 1;
  const grown = Array.from(values.subarray(1), (total, slot) => ({
    day: last(firstDay + slot),
    value: total - values[slot]!,
  }));
  const falls = grown.filter(({ value }) => value < 0);
  const revisions = new Map<number, number>();
  for (const [total, at] of revised ?? []) {
    for (const day of [first(total), last(total)]) {
      revisions.set(day, Math.max(at, revisions.get(day) ?? at));
    }
  }
  return {
    ...seriesOf(grown.filter(({ value }) => value >= 0)),
    ...withdrawn && {
      withdrawn: withdrawn.map(({ from, to }) => ({
        from: first(from),
        to: last(to),
      })),
    },
    unread: [
      ...unread.flatMap(({ day, reason }) =>
        (day === null ? [null] : [first(day), last(day)])
          .map((day) => ({ day, reason }))
      ),
      ...falls.map(({ day }) => ({ day, reason: DOUBTS.fallingTotal })),
    ],
    ...revised && { revised: revisions },
  };
}
