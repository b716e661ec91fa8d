/** Titles, units and number formats of charts and tables, how a chart is drawn in words, and its changes against earlier windows. */
import { printable } from "../pages/drawable_names.ts";
import {
  type Fold,
  type MetricRule,
  METRICS,
} from "../../services/chain_data/catalogue/metrics_schema.ts";
import { type Interval, parseDay } from "../../services/platform/days.ts";
import {
  baseCountOf,
  type Change,
  type Chart,
  type ChartLine,
  type ChartName,
  type ChartPoint,
  FIRST_ACTIVE,
  isChecked,
  shownUnitOf,
} from "../../services/charts/charts_schema.ts";
import type { DisputedDay } from "../../services/chain_data/checks/checked_series_schema.ts";
import { maxOf } from "../../services/platform/numbers.ts";
import { canShareAxis, countHidden } from "../../services/charts/value_axis.ts";
import { html } from "hono/html";
import type { Html } from "../pages/layout.ts";
import { unbroken } from "../pages/unbroken.ts";

interface Words {
  readonly label: string;
  /** Unit of the values; null for the chain's token. */
  readonly counted: string | null;
  /** What the values measure. */
  readonly meaning: string;
}

/** Label, unit and definition of every chart. */
export const CHART_WORDS: Readonly<Record<ChartName, Words>> = {
  ...METRICS,
  gasUsed: asShown(METRICS.gasUsed),
  avgGps: asShown(METRICS.avgGps),
  maxGps: asShown(METRICS.maxGps),
  avgGasPrice: asShown(METRICS.avgGasPrice),
  maxGasPrice: asShown(METRICS.maxGasPrice),
  "monthly-transactions": { ...METRICS.txCount },
  "transaction-fees": { ...METRICS.feesPaid },
  "block-production": {
    label: "Blocks",
    counted: "blocks",
    meaning: "blocks accepted that day, by the explorer's index",
  },
  "validators": {
    label: "Total stake",
    counted: null,
    meaning: "AVAX that validators and their delegators stake",
  },
};

/** Returns the words of a metric in the unit of pages. */
function asShown(rule: MetricRule): Words {
  const { name, meaning } = shownUnitOf(rule)!;
  return {
    label: rule.label,
    counted: name,
    meaning: `${rule.measured ?? rule.meaning}, in ${meaning}`,
  };
}

/** Labels of the additional columns of a table. */
export const FURTHER_WORDS: Readonly<Record<string, string>> = {
  monthOverMonthPct: "Month over month",
  yearOverYearPct: "Year over year",
  meanBlockTimeSeconds: "Mean block time, s",
  validators: "Validators",
  delegators: "Delegators",
  validatorStake: "Validators’ stake",
  delegatorStake: "Delegators’ stake",
};

const FOLD_WORDS: Readonly<Record<Fold, string>> = {
  sum: "sum of days",
  mean: "mean of days",
  max: "highest day",
  last: "as of the last day",
};

/** Returns the title of a chart: `Gas used on Beam`. */
export function titleOf(
  { name, chainNames, view }: Pick<Chart, "name" | "chainNames"> & {
    readonly view: Pick<Chart["view"], "values">;
  },
): string {
  const { label } = CHART_WORDS[name];
  const [first, second, ...others] = chainNames.map(printable);
  if (second === undefined) {
    return name === "validators"
      ? `${label} of the ${first}`
      : `${label} on ${first}`;
  }
  const chains = others.length === 0
    ? `${first} and ${second}`
    : `${first} and ${others.length + 1} other chains`;
  return `${label}: ${chains}${view.values === "total" ? ", together" : ""}`;
}

/** Defines what a chart shows: `Total gas consumed by the day's transactions`. */
export function definitionOf({ name }: Pick<Chart, "name">): string {
  return capitalised(CHART_WORDS[name].meaning);
}

/** Describes a chart's buckets: `by week, mean of days`. */
export function bucketsOf({ name, interval }: Chart): string {
  const fold = isChecked(name) ? "sum" : METRICS[name].fold;
  return interval === "day" ? "by day" : `by ${interval}, ${FOLD_WORDS[fold]}`;
}

/** Returns the unit of a line's values. Fees are in the chain's token. */
export function unitOf(
  name: ChartName,
  { token }: Pick<ChartLine, "token">,
): string {
  return CHART_WORDS[name].counted ?? token ?? "native tokens";
}

/** Returns whether a chart has several lines. */
export function isComparison({ lines }: Pick<Chart, "lines">): boolean {
  return lines.length > 1;
}

/** Number format of values: two decimals or five digits, whichever is more precise. */
export const VALUE_FORMAT: Intl.NumberFormatOptions = {
  maximumFractionDigits: 2,
  maximumSignificantDigits: 5,
  roundingPriority: "morePrecision",
};

const VALUE = new Intl.NumberFormat("en-US", VALUE_FORMAT);
/** Formats a value: `1,234,567.89`. */
export function formatValue(value: number): string {
  return VALUE.format(value);
}

const EXACT = new Intl.NumberFormat("en-US", { maximumFractionDigits: 100 });

/** Formats a value with every digit that it has in an answer: `0.30000000000000004`. */
export function formatExact(value: number): string {
  return EXACT.format(value);
}

/** Decimals of a column beyond which its numbers are not padded. */
const MAX_PADDED = 4;

/** Returns the format of a column: each number gets the decimals of the most precise one, so that the points are below each other. */
export function columnFormat(
  values: readonly (number | null)[],
): (value: number) => string {
  const most = decimalsOf(values, VALUE);
  if (most === 0 || most > MAX_PADDED) return formatValue;
  const { format } = new Intl.NumberFormat("en-US", {
    minimumFractionDigits: most,
    maximumFractionDigits: most,
  });
  return format;
}

/** Returns the format of a column of differences or changes in percent, with the same decimals. */
export function pctColumnFormat(
  values: readonly (number | null)[],
): (pct: number) => string {
  const decimals = Math.min(decimalsOf(values, CHANGE), MAX_PADDED);
  const format = new Intl.NumberFormat("en-US", {
    signDisplay: "exceptZero",
    minimumFractionDigits: decimals,
    maximumFractionDigits: Math.max(decimals, 2),
    maximumSignificantDigits: 2,
    roundingPriority: "morePrecision",
  });
  return (pct) => pctWords(format.format(pct));
}

/** Returns the highest number of decimals that a format gives a value. */
function decimalsOf(
  values: readonly (number | null)[],
  format: Intl.NumberFormat,
): number {
  const decimals = values.map((value) =>
    value === null ? 0 : format.format(value).split(".")[1]?.length ?? 0
  );
  return Math.max(0, maxOf(decimals));
}

/** Formats the ticks of an axis, as short as they stay distinct: `1.2M`. */
export function formatTicks(values: readonly number[]): string[] {
  for (let digits = 3;; digits++) {
    const compact = compactFormat(digits);
    const labels = values.map((value) => compact.format(value));
    if (digits === MAX_DIGITS || new Set(labels).size === labels.length) {
      return labels;
    }
  }
}

/** Maximum number of digits. */
const MAX_DIGITS = 15;

/** Formats by number of digits: making one takes longer than all ticks of a chart. */
const COMPACT: Intl.NumberFormat[] = [];

function compactFormat(digits: number): Intl.NumberFormat {
  return COMPACT[digits] ??= new Intl.NumberFormat("en-US", {
    notation: "compact",
    maximumSignificantDigits: digits,
  });
}

/** Formats a difference or change: `+1.6 %`. */
export function formatPct(pct: number): string {
  return pctWords(CHANGE.format(pct));
}

function pctWords(number: string): string {
  return `${number.replace("-", "−")} %`;
}

const CHANGE = new Intl.NumberFormat("en-US", {
  signDisplay: "exceptZero",
  maximumFractionDigits: 2,
  maximumSignificantDigits: 2,
  roundingPriority: "morePrecision",
});

/** Formats a share, rounded down so that 100 % means all: `99.96 %`. */
export function formatShare(pct: number): string {
  return `${SHARE.format(pct)} %`;
}

const SHARE = new Intl.NumberFormat("en-US", {
  maximumFractionDigits: 2,
  roundingMode: "floor",
});

/** Formats how many days a difference covers: `over 20 compared days`. */
export function formatCompared(days: number): string {
  return `over ${comparedDays(days)}`;
}

/** Counts compared days: `20 compared days`. */
export function comparedDays(count: number): string {
  return `${formatValue(count)} compared ${count === 1 ? "day" : "days"}`;
}

/** Formats a bucket: its month, or its first day. */
export function formatBucket(day: string, interval: Interval): string {
  if (interval === "month") return day.slice(0, 7);
  return interval === "week" ? `week of ${day}` : day;
}

/** Returns whether the sources disagree on a bucket or on one of its days. */
export function isDisputed({ agrees, disputedDays }: ChartPoint): boolean {
  return agrees === false || disputedDays.length > 0;
}

/** Returns whether the source changed a value of the bucket. */
export function isRevised({ revisedAt }: ChartPoint): boolean {
  return revisedAt !== null;
}

/** Describes both values of a disputed bucket and of its disputed days. */
export function disputeOf(
  { interval, lines }: Pick<Chart, "interval" | "lines">,
  { chainName }: Pick<ChartLine, "chainName">,
  point: ChartPoint,
): string {
  const { day, crossCheckValue, disputedDays } = point;
  const own = crossCheckValue === null ? [] : [
    `${formatBucket(day, interval)}: ${bothOf({ ...point, crossCheckValue })}`,
  ];
  const days = interval === "day" && own.length > 0
    ? []
    : disputedDays.map((disputed) => `${disputed.day}: ${bothOf(disputed)}`);
  const words = [...own, ...days].join("; ");
  return isComparison({ lines }) ? `${printable(chainName)}, ${words}` : words;
}

/** Describes a revision: `was 1,200, 1,000`, the last value first; null for a value that was not revised. */
export function revisionOf(
  { revisedAt, earlierValues }: Pick<
    ChartPoint,
    "revisedAt" | "earlierValues"
  >,
): string | null {
  if (revisedAt === null) return null;
  const values = earlierValues.map((value) =>
    value === null ? "no value" : formatValue(value)
  );
  return values.length === 0 ? "revised" : `was ${values.join(", ")}`;
}

function bothOf(
  { value, crossCheckValue, differencePct, comparedDayCount = null }:
    & Pick<DisputedDay, "value" | "crossCheckValue" | "differencePct">
    & Partial<Pick<ChartPoint, "comparedDayCount">>,
): string {
  const words = [
    ...(differencePct === null ? [] : [formatPct(differencePct)]),
    ...(comparedDayCount === null ? [] : [formatCompared(comparedDayCount)]),
  ].join(" ");
  const difference = words === "" ? "" : ` (${words})`;
  return `${formatValue(value)} here, ${
    formatValue(crossCheckValue)
  } by the second source${difference}`;
}

/** Returns a text with its first letter in upper case. */
export function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

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
    ) => html`<li title="${days}">${unbroken(text)}</li>`)}</ul>
  `;
}
