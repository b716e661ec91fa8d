/** Charts: what can be drawn, the queries that choose it, and what is drawn. */
import type { z } from "@hono/zod-openapi";
import type { Gap } from "../chain_data/answer_fields_schema.ts";
import {
  INTERVALS,
  type Metric,
  METRIC_NAMES,
  MetricsQuery,
} from "../chain_data/metrics_schema.ts";
import { type Interval } from "../platform/days.ts";
import {
  CHECKED_INTERVALS,
  type Checks,
  type DisputedDay,
  TotalsQuery,
} from "../chain_data/checks/checked_series_schema.ts";
import {
  BLOCK_WINDOWS,
  BlocksQuery,
} from "../chain_data/blocks/block_production_schema.ts";
import {
  daysParameters,
  type Range,
  withDays,
} from "../chain_data/day_query_schema.ts";
import {
  CHECK_NAMES,
  CHECKS,
} from "../chain_data/checks/check_rules_schema.ts";
import { query } from "../platform/wire_schema.ts";

/** The charts of the checked series. Each has the name of its endpoint. */
export const CHECKED_NAMES = CHECK_NAMES.map((name) => CHECKS[name].endpoint);
/** The chart of a checked series. */
export type CheckedName = typeof CHECKED_NAMES[number];

/** Everything that can be drawn: the metrics, then the checked series. */
export const CHART_NAMES = [...METRIC_NAMES, ...CHECKED_NAMES] as const;
/** What a chart is of. */
export type ChartName = typeof CHART_NAMES[number];

/** Returns whether a chart is of a checked series. */
export function isChecked(name: ChartName): name is CheckedName {
  return (CHECKED_NAMES as readonly string[]).includes(name);
}

/** The query of a chart of a metric: that of `GET /metrics`, but for metric and format. */
export const MetricChartQuery = withDays(query({
  ...daysParameters("1y"),
  interval: MetricsQuery.shape.interval,
  chainId: MetricsQuery.shape.chainId,
}));
/** A checked query of a chart of a metric. */
export type MetricChartQuery = z.infer<typeof MetricChartQuery>;

const days = daysParameters("all");

const TotalsChartQuery = withDays(
  query({ interval: TotalsQuery.shape.interval, ...days }),
);

/** The queries of the charts of checked series: those of their endpoints, but for format. */
export const CHECKED_CHART_QUERIES = {
  "monthly-transactions": TotalsChartQuery,
  "transaction-fees": TotalsChartQuery,
  "block-production": withDays(
    query({ window: BlocksQuery.shape.window, ...days }),
  ),
  "validators": withDays(query(days)),
} as const satisfies Record<CheckedName, z.ZodType>;

/** What a chart offers to choose from. */
export interface ChartChoices {
  /** The widths of a bucket, the usual one first. */
  readonly intervals: readonly Interval[];
  readonly usualRange: Range;
  /** The trailing windows of a mean, where there is one. */
  readonly windows: readonly (typeof BLOCK_WINDOWS[number])[];
}

const METRIC_CHOICES: ChartChoices = {
  intervals: INTERVALS,
  usualRange: "1y",
  windows: [],
};
const TOTALS_CHOICES: ChartChoices = {
  intervals: CHECKED_INTERVALS,
  usualRange: "all",
  windows: [],
};
const DAILY_CHOICES: ChartChoices = { ...TOTALS_CHOICES, intervals: ["day"] };

const CHECKED_CHOICES: Record<CheckedName, ChartChoices> = {
  "monthly-transactions": TOTALS_CHOICES,
  "transaction-fees": TOTALS_CHOICES,
  "block-production": { ...DAILY_CHOICES, windows: BLOCK_WINDOWS },
  "validators": DAILY_CHOICES,
};

/** Returns what the chart of a name offers to choose from. */
export function choicesOf(name: ChartName): ChartChoices {
  return isChecked(name) ? CHECKED_CHOICES[name] : METRIC_CHOICES;
}

/** The checked series that says how far a metric of the C-Chain can be trusted. */
export const CHECKED_SERIES_OF: Partial<
  Record<Metric, "monthly-transactions" | "transaction-fees">
> = {
  txCount: "monthly-transactions",
  feesPaid: "transaction-fees",
};

/** One bucket of a line. */
export interface ChartPoint {
  readonly day: string;
  readonly value: number;
  readonly complete: boolean;
  /** Of the second source, with the difference; null where nothing is compared. */
  readonly crossCheckValue: number | null;
  readonly differencePct: number | null;
  /** Days that the difference is over, where they are some of the bucket's and not all; else null. */
  readonly comparedDayCount: number | null;
  readonly agrees: boolean | null;
  /** The disputed days of the bucket, itself among them at the interval of a day. */
  readonly disputedDays: readonly DisputedDay[];
  /** What else its answer says of the bucket, by field. */
  readonly further: Readonly<Record<string, number | null>>;
}

/** The bucket that a line is indexed to. */
export interface ChartBase {
  readonly day: string;
  readonly value: number;
  /** Whether it is so small that the index exaggerates swings. */
  readonly isSmall: boolean;
}

/** A line of a chart: a series of one chain. */
export interface ChartLine {
  /** Null where the series is of no single chain. */
  readonly chainId: number | null;
  readonly chainName: string;
  readonly token: string | null;
  readonly points: readonly ChartPoint[];
  readonly gaps: readonly Gap[];
  readonly dataThrough: string | null;
  readonly fetchedAt: string;
  readonly source: string;
  /** What the line is indexed to; null where it cannot be, or the chart is not indexed. */
  readonly base: ChartBase | null;
}

/** A chart. */
export interface Chart {
  readonly name: ChartName;
  readonly unit: string;
  readonly interval: Interval;
  /** Every bucket from the first to the last of any line, whether there is a point or not. */
  readonly axis: readonly string[];
  readonly lines: readonly ChartLine[];
  /** Whether each line is drawn in percent of its base, and not where it has none. */
  readonly isIndexed: boolean;
  /** What the comparison with a second source came to, of the one line that has one. */
  readonly checks: Checks | null;
  readonly recentAgreementPct: number | null;
}
