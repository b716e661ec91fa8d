/** Counts the marked buckets of a chart. */
import type { Chart, ChartPoint } from "../../services/charts/charts_schema.ts";
import { isShown } from "../../services/charts/value_axis.ts";

/** Returns whether a bucket is marked. */
type IsMarked = (point: ChartPoint) => boolean;

/** Counts the marked buckets of all lines, each once. */
export function countMarked(
  { lines }: Pick<Chart, "lines">,
  isMarked: IsMarked,
): number {
  return new Set(
    lines.flatMap(({ points }) =>
      points.filter(isMarked).map(({ day }) => day)
    ),
  ).size;
}

/** Counts the marked buckets that are drawn, each once. An average or an index lacks some. */
export function countDrawn(
  { lines, view }: Pick<Chart, "lines" | "view">,
  isMarked: IsMarked,
): number {
  const drawn = lines.map((line) => ({
    ...line,
    points: line.points.filter((_, place) => isShown(line.drawn[place]!, view)),
  }));
  return countMarked({ lines: drawn }, isMarked);
}

/** Returns the value of the second source that is drawn beside a bucket of a single line; null without one. */
export function secondValueOf(
  { lines, view }: Pick<Chart, "lines" | "view">,
  { crossCheckValue, comparedDayCount }: ChartPoint,
): number | null {
  const isPlain = lines.length === 1 && view.values === "absolute" &&
    view.average === null;
  // A bucket of which some days alone are compared has another sum.
  const isWhole = comparedDayCount === null;
  const isDrawable = view.scale === "linear" || crossCheckValue !== 0;
  return isPlain && isWhole && isDrawable ? crossCheckValue : null;
}

/** Returns whether a second source is drawn. */
export function hasSecond(chart: Pick<Chart, "lines" | "view">): boolean {
  return chart.lines.some(({ points }) =>
    points.some((point) => secondValueOf(chart, point) !== null)
  );
}
