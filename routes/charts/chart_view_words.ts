/** How a chart is drawn, in words. */
import {
  baseCountOf,
  FIRST_ACTIVE,
} from "../../services/charts/chart_view_schema.ts";
import type { Chart, ChartLine } from "../../services/charts/charts_schema.ts";
import { canShareAxis, countHidden } from "../../services/charts/value_axis.ts";
import type { Interval } from "../../services/platform/days.ts";
import {
  bucketsOf,
  capitalised,
  formatBucket,
  formatValue,
  isComparison,
  unitOf,
} from "./chart_words.ts";
import { printable } from "../pages/drawable_names.ts";

/** Describes the drawn values: `Transactions by week, sum of days; 7-day average over complete days`. */
export function describeDrawn(chart: Chart): string {
  const { name, view, lines, chainNames } = chart;
  const [line] = lines;
  const units = new Set(lines.map((other) => unitOf(name, other)));
  const unit = units.size > 1 ? "native tokens" : unitOf(name, line!);
  const buckets = bucketsOf(chart);
  const count = chainNames.length;
  const what = {
    absolute: `${unit} ${buckets}`,
    index: `index of ${unit} ${buckets}; 100 is ${baseRuleOf(chart)}`,
    share: `percent of the ${unit} of these ${count} chains ${buckets}`,
    total: `${unit} of ${count} chains together ${buckets}`,
  }[view.values];
  return [
    capitalised(what),
    ...(view.average === null
      ? []
      : [`${view.average}-day average over complete days`]),
    ...(view.scale === "log" ? ["log scale"] : []),
    ...(isComparison(chart) && !canShareAxis(chart)
      ? ["separate axes, because the magnitudes or tokens differ"]
      : []),
  ].join("; ");
}

/** Describes the base that all lines are indexed to. */
function baseRuleOf({ view, interval, lines }: Chart): string {
  const of = lines.length > 1 ? " of each chain" : "";
  const base = view.base ?? "";
  const count = baseCountOf(base);
  if (count === null) {
    return `the value of ${bucketWords(base, interval)}`;
  }
  return count === 1
    ? `the first active ${interval}${of}`
    : `the mean of the first ${count} ${interval}s${of}`;
}

function bucketWords(day: string, interval: Interval): string {
  return interval === "day" ? day : `the ${interval} that holds ${day}`;
}

/** Describes the base of a line: `100 = 1,234 transactions, 2026-01-01`. */
export function describeBase(
  chart: Chart,
  line: ChartLine,
): string {
  const { name, interval } = chart;
  const { base } = line;
  if (base === null) return `no index: ${noBaseOf(chart, line)}`;
  const value = `100 = ${formatValue(base.value)} ${unitOf(name, line)}`;
  const from = formatBucket(base.day, interval);
  return base.bucketCount === 1
    ? `${value}, ${from}`
    : `${value}, mean of ${base.bucketCount} ${interval}s from ${from}`;
}

/** Returns why a line has no base, and which days are accepted. */
function noBaseOf({ interval, view }: Chart, { points }: ChartLine): string {
  const active = points.filter(({ complete, value }) => complete && value > 0);
  if (active.length === 0) {
    return `no active and complete ${interval} in these days`;
  }
  const base = view.base ?? FIRST_ACTIVE;
  const count = baseCountOf(base);
  if (count !== null) {
    return `expected ${count} complete ${interval}s from the first active one`;
  }
  const [first, last] = [active[0]!.day, active.at(-1)!.day]
    .map((day) => formatBucket(day, interval));
  return `${
    bucketWords(base, interval)
  } has no complete value above 0 here, expected a day from ${first} to ${last}`;
}

/** Lists the lines without an index, with the reason; the legend of a page says it beside each. */
export function describeMissing(chart: Chart): string[] {
  if (chart.view.base === null) return [];
  const missing = chart.lines.filter(({ base }) => base === null);
  const reasons = Map.groupBy(missing, (line) => noBaseOf(chart, line));
  return [...reasons].map(([reason, lines]) =>
    isComparison(chart)
      ? `no index of ${
        lines.map(({ chainName }) => printable(chainName)).join(", ")
      }: ${reason}`
      : `no index: ${reason}`
  );
}

/** Lists the values that a chart omits or exaggerates. */
export function describeLimits(chart: Chart): string[] {
  const { interval, lines } = chart;
  const hidden = countHidden(chart);
  const small = lines.filter(({ base }) => base?.isSmall)
    .map(({ chainName }) => printable(chainName));
  return [
    ...(hidden === 0 ? [] : [
      `${hidden} ${
        hidden === 1 ? interval : `${interval}s`
      } of 0 not on the log scale`,
    ]),
    ...(small.length === 0
      ? []
      : [`small base, swings look larger than they are: ${small.join(", ")}`]),
  ];
}

/** What is drawn in place of the values. */
type DrawnKind = "index" | "share" | "average";

/** Names the figures that a chart draws instead of its values; null if it draws its values. */
export function drawnKindOf({ view }: Pick<Chart, "view">): DrawnKind | null {
  if (view.values === "index" || view.values === "share") return view.values;
  return view.average === null ? null : "average";
}

/** Returns the heading of drawn values beside the values themselves; null if these are drawn. */
export function drawnHeadOf(chart: Pick<Chart, "view">): string | null {
  const kind = drawnKindOf(chart);
  return kind === null ? null : {
    index: "index",
    share: "share, %",
    average: `${chart.view.average}-day average`,
  }[kind];
}

/** Formats a drawn value. */
export function formatDrawn(
  { view }: Pick<Chart, "view">,
  value: number,
): string {
  return view.values === "index" || view.values === "share"
    ? ONE_DECIMAL.format(value)
    : formatValue(value);
}

const ONE_DECIMAL = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
