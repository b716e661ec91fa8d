/** The change of a line against earlier windows, in words and as chips. */
import { html } from "hono/html";
import {
  type Fold,
  METRICS,
} from "../../services/chain_data/catalogue/metrics_schema.ts";
import {
  type Change,
  type Chart,
  type ChartLine,
  type ChartPoint,
  isChecked,
} from "../../services/charts/charts_schema.ts";
import { parseDay } from "../../services/platform/days.ts";
import { formatPct, formatValue, unitOf } from "./chart_words.ts";
import type { Html } from "../pages/layout.ts";

const FOLDED: Readonly<Record<Fold, string>> = {
  sum: "Total",
  mean: "Mean",
  max: "Highest",
  last: "Newest",
};

/** A chip: a figure, and the days that it is about. */
interface Chip {
  readonly text: string;
  readonly days: string;
}

/** The chip of an extreme. */
interface Extreme extends Chip {
  readonly value: number;
  /** Its bucket, in words. */
  readonly when: string;
}

/** Lists the chips of a line: its folded value, and its changes. */
function chipsOf(
  { name }: Pick<Chart, "name">,
  { changes, token }: ChartLine,
): Chip[] {
  if (changes === null) return [];
  const { from, to, fold, value, missingDays, before, yearBefore } = changes;
  const count = parseDay(to) - parseDay(from) + 1;
  const days = count === 1 ? "1 day" : `${formatValue(count)} days`;
  const over = fold === "last" ? `on ${to}` : `of ${days}`;
  const missing = (many: number) =>
    `${many} ${many === 1 ? "day is" : "days are"} missing`;
  const text = value === null
    ? `${FOLDED[fold]} ${over}: not computed, ${missing(missingDays)}`
    : `${FOLDED[fold]} ${over}: ${formatValue(value)} ${
      unitOf(name, { token })
    }`;
  const change = (found: Change | null, against: string): Chip[] => {
    if (found === null) return [];
    const { changePct } = found;
    const why = found.missingDays > 0
      ? missing(found.missingDays)
      : value === null
      ? missing(missingDays)
      : "it was 0";
    return [{
      text: changePct === null
        ? `Change on ${against}: not computed, ${why}`
        : `${formatPct(changePct)} on ${against}`,
      days: `${found.from} to ${found.to}`,
    }];
  };
  return [
    { text, days: `${from} to ${to}` },
    ...change(before, count === 1 ? "the day before" : `the ${days} before`),
    ...change(yearBefore, "the year before"),
  ];
}

/** Describes the changes of a line: `Total of 30 days: 1,234 transactions, +1.6 % on the 30 days before`. */
export function describeChanges(
  chart: Pick<Chart, "name">,
  line: ChartLine,
): string {
  return chipsOf(chart, line).map(({ text }) => text).join(", ");
}

/**
 * Returns the lowest, the highest and the newest of the complete points, else of all.
 * Of equal values the first counts. There must be a point.
 */
export function extremesOf(points: readonly ChartPoint[]) {
  const whole = points.filter(({ complete }) => complete);
  const shown = whole.length === 0 ? points : whole;
  return {
    lowest: shown.reduce((a, b) => b.value < a.value ? b : a),
    highest: shown.reduce((a, b) => b.value > a.value ? b : a),
    latest: shown.at(-1)!,
  };
}

/**
 * Lists the chips of the highest and the lowest complete bucket of a single line. A
 * running total has none: its ends are the first and the last day.
 */
function extremeChips(
  { name, interval, lines }: Chart,
  { points, token }: ChartLine,
): Extreme[] {
  const isTotal = !isChecked(name) && METRICS[name].kind === "running total";
  const whole = points.filter(({ complete }) => complete);
  if (lines.length > 1 || isTotal || whole.length < 2) return [];
  const { lowest, highest } = extremesOf(whole);
  return ([["Highest", highest], ["Lowest", lowest]] as const).map((
    [words, { day, value }],
  ) => {
    const when = `${interval === "week" ? "from " : ""}${
      interval === "month" ? day.slice(0, 7) : day
    }`;
    const figure = `${formatValue(value)} ${unitOf(name, { token })}`;
    return {
      text: `${words} ${interval}: ${figure}, ${when}`,
      days: day,
      value,
      when,
    };
  });
}

/** Renders the extremes and the changes of a line as chips. The highest value of a metric of highest values is one of both, and is named once. */
export function changeChips(chart: Chart, line: ChartLine): Html | "" {
  const [highest, ...lowest] = extremeChips(chart, line);
  const [folded, ...changes] = chipsOf(chart, line);
  const isDoubled = line.changes?.fold === "max" &&
    highest?.value === line.changes.value;
  const chips = [
    ...highest === undefined || isDoubled ? [] : [highest],
    ...lowest,
    ...folded === undefined ? [] : [
      isDoubled
        ? { ...folded, text: `${folded.text}, ${highest!.when}` }
        : folded,
    ],
    ...changes,
  ];
  if (chips.length === 0) return "";
  return html`
    <ul class="changes" aria-label="Extremes and changes">${chips.map((
      { text, days },
    ) => html`<li title="${days}">${text}</li>`)}</ul>
  `;
}
