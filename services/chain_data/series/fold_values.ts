/** The arithmetic of folds. `METRICS` in `../catalogue/metrics_schema.ts` says which fold a metric has. */
import type { Fold } from "../catalogue/metrics_schema.ts";
import { meanOf, sumOf } from "../../platform/decimals.ts";

const FOLD_VALUES: Record<Fold, (values: readonly number[]) => number> = {
  sum: sumOf,
  mean: meanOf,
  max: (values) => Math.max(...values),
  last: (values) => values.at(-1)!,
};

/** Folds at least one value into one. */
export function foldValues(fold: Fold, values: readonly number[]): number {
  return FOLD_VALUES[fold](values);
}
