/** Comparison of two daily series over all their days. */
import {
  type Agreement,
  compareDays,
  pairDays,
} from "../../../services/chain_data/checks/comparison.ts";
import type { DailySeries } from "../../../services/chain_data/series/series.ts";
import { formatDay } from "../../../services/platform/days.ts";

/** A window that contains all days of these tests. */
export const EVER = { start: -1_000, end: 100_000 };

/**
 * Compares two series over all their days. By default all days are in the past,
 * and the second source adds nothing to its newest day.
 */
export function compare(
  ours: DailySeries,
  second: DailySeries,
  { tolerancePct = 0.5, today = 50_000, window = EVER } = {},
): Agreement {
  const closed = { ...second, isClosed: true };
  return compareDays(pairDays(ours, closed, today), { window, tolerancePct });
}

export const daysOf = ({ disputedDays }: Agreement) =>
  disputedDays.map(({ day }) => formatDay(day));
