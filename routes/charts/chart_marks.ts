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
