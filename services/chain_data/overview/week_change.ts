/** The change of a series over a week, by the fold of its metric. */
import { roundPct } from "../checks/agreement.ts";
import type { Fold } from "../catalogue/metrics_schema.ts";
import {
  isComplete,
  isWithdrawn,
  newestCompleteDay,
} from "../series/buckets.ts";
import { foldValues } from "../series/fold_values.ts";
import { type DailySeries, isEmpty, valueOn } from "../series/series.ts";
import {
  CHANGE_DAYS,
  type NoChange,
  type WeekChange,
} from "./overview_schema.ts";

/**
 * Compares the last seven complete days with the seven before. There is no change
 * unless all fourteen days are complete: a missing day is never replaced.
 */
export function weekChangeOf(
  series: DailySeries,
  { fold, today }: { readonly fold: Fold; readonly today: number },
): WeekChange {
  const end = newestCompleteDay(series, today);
  if (isEmpty(series) || end === null) return none("noCompleteDay");
  const start = end - 2 * CHANGE_DAYS + 1;
  if (start < series.firstDay) return none("young");
  const values: number[] = [];
  for (let day = start; day <= end; day++) {
    if (!isComplete(series, day, today)) return none("missing");
    if (isWithdrawn(series, day)) return none("withdrawn");
    values.push(valueOn(series, day));
  }
  const from = foldValues(fold, values.slice(0, CHANGE_DAYS));
  const to = foldValues(fold, values.slice(CHANGE_DAYS));
  return from === 0
    ? none("fromZero")
    : { changePct: roundPct((to / from - 1) * 100), noChange: null, from };
}

/** Returns the absence of a change. */
export function none(noChange: NoChange): WeekChange {
  return { changePct: null, noChange, from: null };
}
