/** Figures and words about the complete points of a series. */
import {
  METRICS,
  type MetricsAnswer,
  type Point,
} from "../../services/chain_data/catalogue/metrics_schema.ts";
import { meanOf, sumOf } from "../../services/platform/decimals.ts";
import { rounded } from "./tables.ts";

/** A value and its bucket. */
interface DayValue {
  readonly day: string;
  readonly value: number;
}

/** Figures of the complete points of a window. */
interface SeriesStats {
  readonly completePoints: number;
  readonly newest: DayValue;
  readonly lowest: DayValue;
  readonly highest: DayValue;
  readonly mean: number;
  /** Absent for a metric that must not be added up. */
  readonly sum?: number;
}

/** Computes the figures; null without a complete point. */
export function statsOf(
  { metric, series }: Pick<MetricsAnswer, "metric" | "series">,
): SeriesStats | null {
  const complete = series.filter((point) => point.complete);
  const newest = complete.at(-1);
  if (newest === undefined) return null;
  const values = complete.map(({ value }) => value);
  const extreme = (isBeyond: (a: number, b: number) => boolean) =>
    complete.reduce((found, point) =>
      isBeyond(point.value, found.value) ? point : found
    );
  return {
    completePoints: complete.length,
    newest: dayValueOf(newest),
    lowest: dayValueOf(extreme((a, b) => a < b)),
    highest: dayValueOf(extreme((a, b) => a > b)),
    mean: rounded(meanOf(values)),
    ...(METRICS[metric].fold === "sum" ? { sum: rounded(sumOf(values)) } : {}),
  };
}

/** Writes the figures as a sentence. */
export function wordsOf(stats: SeriesStats | null): string {
  if (stats === null) return "No point is complete.";
  const { completePoints, newest, lowest, highest, mean, sum } = stats;
  const total = sum === undefined ? "" : `sum ${sum}, `;
  return `Newest complete point: ${newest.value} (${newest.day}). ` +
    `Over ${completePoints} complete points: ${total}mean ${mean}, ` +
    `lowest ${lowest.value} (${lowest.day}), highest ${highest.value} (${highest.day}).`;
}

/** Says which points of a series can still change or are not the source's own. */
export function completenessOf(
  answer: Pick<
    MetricsAnswer,
    | "lastPeriodComplete"
    | "dataThrough"
    | "gaps"
    | "inferredDayCount"
    | "removedDays"
  >,
  page: readonly Point[],
) {
  const days = (isMarked: (point: Point) => boolean) =>
    page.filter(isMarked).map(({ day }) => day);
  const inferred = days((point) => point.inferred === true);
  const withdrawn = days((point) => point.disputed !== undefined);
  return {
    dataThrough: answer.dataThrough,
    lastPeriodComplete: answer.lastPeriodComplete,
    incomplete: days((point) => !point.complete && point.inferred !== true),
    ...(inferred.length === 0 ? {} : { inferred }),
    ...(withdrawn.length === 0 ? {} : { withdrawn }),
    gaps: answer.gaps,
    ...(answer.removedDays && { removedDays: answer.removedDays }),
  };
}

function dayValueOf({ day, value }: Point): DayValue {
  return { day, value: rounded(value) };
}
