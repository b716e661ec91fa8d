/** The marked buckets of a chart: how many there are, and which a reader hides. */
import type { Chart, ChartLine, ChartPoint, Hidden } from "./charts_schema.ts";
import { upgradesWithin } from "./network_upgrades_schema.ts";
import { isShown } from "./value_axis.ts";

/** Returns whether a bucket is still filling, or lacks days. An inferred one is not: nothing more is expected. */
export function isUnfinished(
  { complete, inferred }: Pick<ChartPoint, "complete" | "inferred">,
): boolean {
  return !complete && !inferred;
}

/** Returns a chart without the parts that the reader hides. */
export function shownOf(
  chart: Chart,
  { unfinished, upgrades, revisions }: Hidden,
): Chart {
  const shown = unfinished === "hide" ? withoutUnfinished(chart) : chart;
  return {
    ...shown,
    ...(upgrades === "hide" && { upgrades: [] }),
    ...(revisions === "hide" && { lines: shown.lines.map(withoutRevisions) }),
  };
}

/** Returns a line whose points do not say that they were revised. */
function withoutRevisions(line: ChartLine): ChartLine {
  const points = line.points.map((point) =>
    point.revisedAt === null
      ? point
      : { ...point, revisedAt: null, earlierValues: [] }
  );
  return { ...line, points };
}

/** Returns a chart without its unfinished buckets. The axis ends where the last line ends. */
function withoutUnfinished(chart: Chart): Chart {
  const lines = chart.lines.map((line) => ({
    ...line,
    points: line.points.filter((point) => !isUnfinished(point)),
    drawn: line.drawn.filter((_, place) => !isUnfinished(line.points[place]!)),
  }));
  const days = lines.flatMap(({ points }) => points.map(({ day }) => day));
  const first = days.reduce((a, b) => a < b ? a : b, "9999");
  const last = days.reduce((a, b) => a > b ? a : b, "");
  const axis = chart.axis.filter((day) => first <= day && day <= last);
  const within = upgradesWithin(axis, chart.interval);
  return {
    ...chart,
    lines,
    axis,
    upgrades: chart.upgrades.filter((upgrade) => within.includes(upgrade)),
  };
}

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
