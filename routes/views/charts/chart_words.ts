/** What charts and tables are called, and how their numbers are written. */
import {
  type Fold,
  METRICS,
} from "../../../services/chain_data/metrics_schema.ts";
import { type Interval } from "../../../services/platform/days.ts";
import {
  type Chart,
  type ChartLine,
  type ChartName,
  type ChartPoint,
  isChecked,
} from "../../../services/charts/charts_schema.ts";
import type { DisputedDay } from "../../../services/chain_data/checks/checked_series_schema.ts";

interface Words {
  readonly label: string;
  /** What is counted; null where it is the chain's token. */
  readonly counted: string | null;
}

/** Names everything that can be drawn. */
export const CHART_WORDS: Readonly<Record<ChartName, Words>> = {
  txCount: { label: "Transactions", counted: "transactions" },
  activeAddresses: { label: "Active addresses", counted: "addresses" },
  activeSenders: { label: "Active senders", counted: "senders" },
  feesPaid: { label: "Fees paid", counted: null },
  gasUsed: { label: "Gas used", counted: "gas" },
  avgTps: { label: "Average TPS", counted: "TPS" },
  maxTps: { label: "Peak TPS", counted: "TPS" },
  avgGps: { label: "Average gas per second", counted: "gas/s" },
  maxGps: { label: "Peak gas per second", counted: "gas/s" },
  cumulativeTxCount: {
    label: "Transactions to date",
    counted: "transactions",
  },
  cumulativeAddresses: { label: "Addresses to date", counted: "addresses" },
  cumulativeContracts: { label: "Contracts to date", counted: "contracts" },
  cumulativeDeployers: { label: "Deployers to date", counted: "deployers" },
  "monthly-transactions": { label: "Transactions", counted: "transactions" },
  "transaction-fees": { label: "Fees paid", counted: null },
  "block-production": { label: "Blocks", counted: "blocks" },
  "validators": { label: "Total stake", counted: null },
};

/** Names the fields that a table shows beside the value. */
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

const INTERVAL_WORDS: Readonly<Record<Interval, string>> = {
  day: "by day",
  week: "by week",
  month: "by month",
};

/** Says what a chart is of: `Gas used on Beam`. */
export function titleOf({ name, lines }: Chart): string {
  const { label } = CHART_WORDS[name];
  const [first, second, ...others] = lines.map(({ chainName }) =>
    printable(chainName)
  );
  if (second === undefined) {
    return name === "validators"
      ? `${label} of the ${first}`
      : `${label} on ${first}`;
  }
  return others.length === 0
    ? `${label}: ${first} and ${second}`
    : `${label}: ${first} and ${others.length + 1} other chains`;
}

/** Says how a chart's buckets are made: `by week, mean of days`. */
export function bucketsOf({ name, interval }: Chart): string {
  const fold = isChecked(name) ? "sum" : METRICS[name].fold;
  return interval === "day"
    ? INTERVAL_WORDS.day
    : `${INTERVAL_WORDS[interval]}, ${FOLD_WORDS[fold]}`;
}

/** Names the unit of a line's values, a fee's by the chain's own token. */
export function unitOf(
  name: ChartName,
  { token }: Pick<ChartLine, "token">,
): string {
  return CHART_WORDS[name].counted ?? token ?? "native tokens";
}

/** Returns whether a chart's values are a level, which need not be seen from zero. */
export function isLevel(name: ChartName): boolean {
  return name === "validators" ||
    (!isChecked(name) && METRICS[name].kind === "running total");
}

/** Returns what is drawn of a value: itself, or its index; null where that has no base. */
export function drawnValue(
  { isIndexed }: Pick<Chart, "isIndexed">,
  { base }: Pick<ChartLine, "base">,
  { value }: Pick<ChartPoint, "value">,
): number | null {
  if (!isIndexed) return value;
  return base === null ? null : value / base.value * 100;
}

/** How values are written: two decimals, or five digits where that says more. */
export const VALUE_FORMAT: Intl.NumberFormatOptions = {
  maximumFractionDigits: 2,
  maximumSignificantDigits: 5,
  roundingPriority: "morePrecision",
};

const VALUE = new Intl.NumberFormat("en-US", VALUE_FORMAT);
/** Writes a value: `1,234,567.89`. */
export function formatValue(value: number): string {
  return VALUE.format(value);
}

/** Writes the values of an axis, as briefly as leaves no two alike: `1.2M`. */
export function formatTicks(values: readonly number[]): string[] {
  for (let digits = 3;; digits++) {
    const compact = new Intl.NumberFormat("en-US", {
      notation: "compact",
      maximumSignificantDigits: digits,
    });
    const labels = values.map((value) => compact.format(value));
    if (digits === MOST_DIGITS || new Set(labels).size === labels.length) {
      return labels;
    }
  }
}

/** Digits that a number has at most. */
const MOST_DIGITS = 15;

/** Writes a difference or change: `+1.6 %`. */
export function formatPct(pct: number): string {
  return `${CHANGE.format(pct).replace("-", "−")} %`;
}

const CHANGE = new Intl.NumberFormat("en-US", {
  signDisplay: "exceptZero",
  maximumFractionDigits: 2,
  maximumSignificantDigits: 2,
  roundingPriority: "morePrecision",
});

/** Writes a share, never as all where it is less: `99.96 %`. */
export function formatShare(pct: number): string {
  return `${SHARE.format(pct)} %`;
}

const SHARE = new Intl.NumberFormat("en-US", {
  maximumFractionDigits: 2,
  roundingMode: "floor",
});

/** Writes the days that a difference is over where not all are compared: `over 20 compared days`. */
export function formatCompared(days: number): string {
  return `over ${formatValue(days)} compared ${days === 1 ? "day" : "days"}`;
}

/** Writes an instant to the minute: `2026-11-21 08:07 UTC`. */
export function formatInstant(instant: string): string {
  return `${instant.slice(0, 16).replace("T", " ")} UTC`;
}

/** Names a bucket: its month, or its first day. */
export function formatBucket(day: string, interval: Interval): string {
  if (interval === "month") return day.slice(0, 7);
  return interval === "week" ? `week of ${day}` : day;
}

/** Returns whether the sources disagree about a bucket or a day of it. */
export function isDisputed({ agrees, disputedDays }: ChartPoint): boolean {
  return agrees === false || disputedDays.length > 0;
}

/** Says both values of a disputed bucket, and those of its disputed days. */
export function disputeOf(
  { interval, isIndexed }: Pick<Chart, "interval" | "isIndexed">,
  { chainName }: Pick<ChartLine, "chainName">,
  point: ChartPoint,
): string {
  const { day, crossCheckValue, disputedDays } = point;
  const own = crossCheckValue === null ? [] : [
    `${formatBucket(day, interval)}: ${bothOf({ ...point, crossCheckValue })}`,
  ];
  const days = interval === "day"
    ? []
    : disputedDays.map((disputed) => `${disputed.day}: ${bothOf(disputed)}`);
  const words = [...own, ...days].join("; ");
  return isIndexed ? `${printable(chainName)}, ${words}` : words;
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

/** Returns a text that begins with a capital letter. */
export function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Returns a text without what XML cannot hold and what is not seen. */
export function printable(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Cf}\ufffe\uffff]/gu, "");
}
