/** A chart in words. */
import type { Chart, ChartLine } from "../../services/charts/charts_schema.ts";
import type { Checks } from "../../services/chain_data/checks/checked_series_schema.ts";
import { isUnfinished } from "../../services/charts/hidden_parts.ts";
import { describeChanges } from "./chart_changes.ts";
import { countDrawn, countMarked } from "./chart_marks.ts";
import {
  comparedDays,
  formatBucket,
  formatShare,
  formatValue,
  isDisputed,
  isRevised,
  printable,
  unitOf,
} from "./chart_words.ts";

/** Describes a chart for screen readers. */
export function summaryOf(chart: Chart): string {
  return [
    ...chart.lines.map((line) => rangeOf(chart, line)),
    ...chart.lines.flatMap((line) => {
      const words = describeChanges(chart, line);
      const chain = chart.lines.length > 1
        ? `${printable(line.chainName)}: `
        : "";
      return words === "" ? [] : [chain + words];
    }),
    ...noticesOf(chart),
    ...(chart.upgrades.length === 0 ? [] : [
      `network upgrades: ${
        chart.upgrades.map(({ name, day }) => `${name} on ${day}`).join(", ")
      }`,
    ]),
  ].map((sentence) => `${sentence}.`).join(" ");
}

/** Lists a chart's incomplete, inferred, missing and disputed buckets, in words. A bucket of several lines counts once. */
export function noticesOf(chart: Chart): string[] {
  const { interval, lines } = chart;
  const gaps = lines.reduce((sum, line) => sum + line.gaps.length, 0);
  const counted = (many: number, one: string, more: string) =>
    many === 0 ? [] : [`${many} ${many === 1 ? one : more}`];
  return [
    ...counted(
      countDrawn(chart, isUnfinished),
      `incomplete ${interval}, dashed`,
      `incomplete ${interval}s, dashed`,
    ),
    ...counted(
      countDrawn(chart, ({ inferred }) => inferred),
      `inferred ${interval}, dashed`,
      `inferred ${interval}s, dashed`,
    ),
    ...counted(
      countMarked(chart, ({ withdrawn }) => withdrawn),
      `${interval} withdrawn by the source`,
      `${interval}s withdrawn by the source`,
    ),
    ...counted(
      countDrawn(chart, isRevised),
      `revised ${interval}, with a diamond`,
      `revised ${interval}s, with a diamond`,
    ),
    ...counted(gaps, "gap", "gaps"),
    ...counted(
      countDrawn(chart, isDisputed),
      `disputed ${interval}, ringed`,
      `disputed ${interval}s, ringed`,
    ),
  ];
}

/** Describes the agreement of the sources: `99.9 % of 2,240 compared days agree`. */
export function agreementOf(
  { agreementPct, comparedDayCount }: Pick<
    Checks,
    "agreementPct" | "comparedDayCount"
  >,
): string {
  return agreementPct === null
    ? "none of these days has been compared"
    : `${formatShare(agreementPct)} of ${comparedDays(comparedDayCount)} ${
      comparedDayCount === 1 ? "agrees" : "agree"
    }`;
}

function rangeOf({ name, interval }: Chart, line: ChartLine): string {
  const { points, chainName } = line;
  const chain = printable(chainName);
  if (points.length === 0) return `${chain}: no data`;
  const whole = points.filter(({ complete }) => complete);
  const shown = whole.length === 0 ? points : whole;
  const of = (better: (a: number, b: number) => boolean) =>
    shown.reduce((a, b) => better(b.value, a.value) ? b : a);
  const describe = ({ day, value }: typeof shown[number]) =>
    `${formatValue(value)} (${formatBucket(day, interval)})`;
  return `${chain}, ${unitOf(name, line)}: lowest ${
    describe(of((a, b) => a < b))
  }, highest ${describe(of((a, b) => a > b))}, latest ${
    describe(shown.at(-1)!)
  }`;
}
