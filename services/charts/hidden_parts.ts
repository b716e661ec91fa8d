/** Hides the parts of a chart that a reader excludes: unfinished buckets, network upgrades, and revisions. */
import type { Chart, ChartLine, ChartPoint, Hidden } from "./charts_schema.ts";
import { upgradesWithin } from "./upgrades.ts";

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
