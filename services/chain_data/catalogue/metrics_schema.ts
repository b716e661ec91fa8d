/** The metric catalogue, and the schemas of `/metrics`. */
import { z } from "@hono/zod-openapi";
import {
  AnsweredDays,
  AnsweredRange,
  AsOf,
  AsOfParameter,
  ChainId,
  ChainName,
  Complete,
  ConfirmedAt,
  DataThrough,
  daysParameters,
  FetchedAt,
  Gaps,
  LastPeriodComplete,
  MissingDays,
  NativeToken,
  RevisedAt,
  SERIES,
  SeriesCheck,
  SeriesSource,
  withDays,
  Withdrawn,
} from "./fields_schema.ts";
import {
  Day,
  Instant,
  InstantParameter,
  query,
} from "../../platform/wire_schema.ts";

/** How the days of a week or month become one value. */
const FOLDS = ["sum", "mean", "max", "last"] as const;
/** How the days of a week or month become one value. */
export type Fold = typeof FOLDS[number];

/** Whether a value covers its own day or is the running total up to that day. */
const KINDS = ["per day", "running total"] as const;
/** Whether a value covers its own day or is the running total up to that day. */
export type Kind = typeof KINDS[number];

/** A row of the catalogue. */
export interface MetricRule {
  /** Its name in charts. */
  label: string;
  /** What its values count, in charts; null for the chain's token. */
  counted: string | null;
  meaning: string;
  /** The meaning without the unit of answers, for charts in another unit; absent if the meaning names none. */
  measured?: string;
  unit: "count" | "avax" | "wei" | "gas" | "tps" | "gas-per-second";
  kind: Kind;
  fold: Fold;
  /** Why the values of several chains do not add up; null if they do. */
  notAdditive: string | null;
  /** The running total whose growth it is; absent if the source publishes it. */
  derived?: {
    readonly from:
      | "cumulativeAddresses"
      | "cumulativeContracts"
      | "cumulativeDeployers";
    /** The total of which day includes the day: its own, or the next one's. */
    readonly includedAfterDays: 0 | 1;
  };
}

/**
 * The metric catalogue: those of the contract, then others that the same source has or
 * that are derived. Daily distinct counts are averaged: their sum would count an
 * address once a day.
 */
export const METRICS = {
  txCount: {
    label: "Transactions",
    counted: "transactions",
    meaning: "transactions included in blocks that day",
    unit: "count",
    kind: "per day",
    fold: "sum",
    notAdditive: null,
  },
  activeAddresses: {
    label: "Active addresses",
    counted: "addresses",
    meaning: "distinct addresses that sent or received a transaction",
    unit: "count",
    kind: "per day",
    fold: "mean",
    notAdditive: "an address can be active on several chains",
  },
  activeSenders: {
    label: "Active senders",
    counted: "senders",
    meaning: "distinct addresses that originated (and paid for) a transaction",
    unit: "count",
    kind: "per day",
    fold: "mean",
    notAdditive: "an address can be active on several chains",
  },
  feesPaid: {
    label: "Fees paid",
    counted: null,
    meaning:
      "total fees burned or paid that day, denominated in the native token",
    unit: "avax",
    kind: "per day",
    fold: "sum",
    notAdditive: "each chain has its own token",
  },
  gasUsed: {
    label: "Gas used",
    counted: "gas",
    meaning: "total gas consumed by the day's transactions",
    unit: "gas",
    kind: "per day",
    fold: "sum",
    notAdditive: null,
  },
  avgTps: {
    label: "Average TPS",
    counted: "TPS",
    meaning: "mean transactions per second across the day",
    unit: "tps",
    kind: "per day",
    fold: "mean",
    notAdditive: "a mean rate is not a count",
  },
  maxTps: {
    label: "Peak TPS",
    counted: "TPS",
    meaning: "highest transactions per second reached that day",
    unit: "tps",
    kind: "per day",
    fold: "max",
    notAdditive: "chains peak at different times",
  },
  avgGps: {
    label: "Average gas per second",
    counted: "gas/s",
    meaning: "mean gas consumed per second",
    unit: "gas-per-second",
    kind: "per day",
    fold: "mean",
    notAdditive: "a mean rate is not a count",
  },
  maxGps: {
    label: "Peak gas per second",
    counted: "gas/s",
    meaning: "highest gas per second reached that day",
    unit: "gas-per-second",
    kind: "per day",
    fold: "max",
    notAdditive: "chains peak at different times",
  },
  cumulativeTxCount: {
    label: "Transactions to date",
    counted: "transactions",
    meaning: "every transaction ever processed by the chain",
    unit: "count",
    kind: "running total",
    fold: "last",
    notAdditive: "it is a running total",
  },
  cumulativeAddresses: {
    label: "Addresses to date",
    counted: "addresses",
    meaning: "every address that ever appeared on the chain",
    unit: "count",
    kind: "running total",
    fold: "last",
    notAdditive: "an address can appear on several chains",
  },
  cumulativeContracts: {
    label: "Contracts to date",
    counted: "contracts",
    meaning: "every contract ever deployed",
    unit: "count",
    kind: "running total",
    fold: "last",
    notAdditive: "it is a running total",
  },
  cumulativeDeployers: {
    label: "Deployers to date",
    counted: "deployers",
    meaning: "distinct addresses that deployed at least one contract",
    unit: "count",
    kind: "running total",
    fold: "last",
    notAdditive: "an address can deploy on several chains",
  },
  avgGasPrice: {
    label: "Average gas price",
    counted: "wei",
    meaning: "mean price of a unit of gas, in wei of the native token",
    measured: "mean price of a unit of gas",
    unit: "wei",
    kind: "per day",
    fold: "mean",
    notAdditive: "a mean price is not a count",
  },
  maxGasPrice: {
    label: "Highest gas price",
    counted: "wei",
    meaning: "highest price of a unit of gas, in wei of the native token",
    measured: "highest price of a unit of gas",
    unit: "wei",
    kind: "per day",
    fold: "max",
    notAdditive: "each chain has its own token",
  },
  newAddresses: {
    label: "New addresses",
    counted: "addresses",
    meaning: "addresses that first appeared on the chain that day",
    unit: "count",
    kind: "per day",
    fold: "sum",
    notAdditive: "an address can appear on several chains",
    derived: { from: "cumulativeAddresses", includedAfterDays: 0 },
  },
  newContracts: {
    label: "New contracts",
    counted: "contracts",
    meaning: "contracts deployed that day",
    unit: "count",
    kind: "per day",
    fold: "sum",
    notAdditive: null,
    // The source counts contracts up to the start of a day.
    derived: { from: "cumulativeContracts", includedAfterDays: 1 },
  },
  newDeployers: {
    label: "New deployers",
    counted: "deployers",
    meaning: "addresses that deployed their first contract that day",
    unit: "count",
    kind: "per day",
    fold: "sum",
    notAdditive: "an address can deploy on several chains",
    derived: { from: "cumulativeDeployers", includedAfterDays: 0 },
  },
} as const satisfies Record<string, MetricRule>;

/** A metric of the catalogue. */
export type Metric = keyof typeof METRICS;
/** The metrics in the order of the catalogue. */
export const METRIC_NAMES = Object.keys(METRICS) as Metric[];

/** A metric that the source publishes, and that is stored. */
export type StoredMetric = {
  [M in Metric]: typeof METRICS[M] extends { derived: unknown } ? never : M;
}[Metric];

/** Returns how a metric is derived; undefined for a stored one. */
export function derivationOf(metric: Metric): MetricRule["derived"] {
  const rule: MetricRule = METRICS[metric];
  return rule.derived;
}

/** Returns whether a metric is stored. */
function isStored(metric: Metric): metric is StoredMetric {
  return derivationOf(metric) === undefined;
}

/** The metrics that are stored, in the order of the catalogue. */
export const STORED_METRICS = METRIC_NAMES.filter(isStored);

/** The widths of a bucket. */
export const INTERVALS = ["day", "week", "month"] as const;

/** The formats of an answer. */
export const FORMATS = ["json", "csv"] as const;
/** The format of an answer. */
export type Format = typeof FORMATS[number];

/** The `format` parameter. */
export const FormatParameter = z.enum(FORMATS).default("json").meta({
  description: "Format of the response",
});

/** The chain id of the C-Chain. */
export const C_CHAIN = 43114;

/** The `chainId` parameter: a number of 256 bits (EIP-155). One that is not tracked is a 404, however long. */
export const ChainIdParameter = z.string()
  .regex(
    /^[1-9]\d{0,77}$/,
    "an EVM chain id as a whole number, such as 43114",
  )
  .transform(Number)
  .openapi({
    type: "integer",
    minimum: 1,
    description: "EVM chain id of a tracked mainnet chain",
    example: C_CHAIN,
  });

/** The query of `GET /metrics`. */
export const MetricsQuery = withDays(
  query({
    metric: z.enum(METRIC_NAMES).default("txCount").meta({
      description: "Name of the metric",
    }),
    ...daysParameters("1y"),
    interval: z.enum(INTERVALS).default("day").meta({
      description: "Width of a bucket",
    }),
    chainId: ChainIdParameter.default(C_CHAIN).openapi({ default: C_CHAIN }),
    asOf: AsOfParameter,
    updatedAfter: InstantParameter.optional().meta({
      description:
        "Returns only the days that were first seen, completed, revised or withdrawn after this instant; with interval=day only",
    }),
    format: FormatParameter,
  }),
  "1y",
).refine(
  ({ interval, updatedAfter }) => !updatedAfter || interval === "day",
  { path: ["interval"], error: "day together with updatedAfter" },
);
/** A checked query of `GET /metrics`. */
export type MetricsQuery = z.infer<typeof MetricsQuery>;

/** The query of an endpoint whose only parameter is `format`. */
export const FormatQuery = query({ format: FormatParameter });

/** The name of a metric in an answer. */
export const MetricName = z.enum(METRIC_NAMES).meta({
  description: "Name of the metric",
  example: "txCount",
});
/** The kind of a metric in an answer. */
export const MetricKind = z.enum(KINDS).meta({
  description:
    "Whether a value covers its own day or is the running total up to that day",
  example: "per day",
});
/** How days become one value, in an answer. */
export const Aggregation = z.enum(FOLDS).meta({
  description: "How the days of a week or month become one value",
  example: "sum",
});

/** One bucket of a series. */
export const Point = z.object({
  day: Day.meta({ description: "First day of the bucket" }),
  value: z.number().meta({
    description: "Value of the metric in this bucket",
    example: 1160895,
  }),
  complete: Complete,
  inferred: z.boolean().optional().meta({
    description:
      "True if the source no longer publishes days of the chain, so a day of the bucket counts as one without activity; absent otherwise",
    example: true,
  }),
  missingDays: MissingDays,
  disputed: Withdrawn.optional().meta({
    description:
      "Present if the source has withdrawn a day of the bucket; the day keeps its last value until three reads agree",
  }),
  revisedAt: RevisedAt,
}).meta({ id: "Point" });
/** One bucket of a series. */
export type Point = z.infer<typeof Point>;

/** The answer of `GET /metrics`. */
export const MetricsAnswer = z.object({
  metric: MetricName,
  chainId: ChainId,
  chainName: ChainName,
  unit: z.string().meta({
    description:
      "Unit of the values; avax stands for the chain's native token, which token names",
    example: "count",
  }),
  token: NativeToken,
  kind: MetricKind,
  interval: z.enum(INTERVALS).meta({
    description: "Width of a bucket",
    example: "day",
  }),
  range: AnsweredRange,
  ...AnsweredDays,
  aggregation: Aggregation,
  series: z.array(Point).meta({ description: SERIES }),
  lastPeriodComplete: LastPeriodComplete,
  inferredDayCount: z.int().meta({
    description: "Days of the window whose values are inferred",
    example: 0,
  }),
  gaps: Gaps,
  dataThrough: DataThrough,
  fetchedAt: FetchedAt,
  confirmedAt: ConfirmedAt,
  source: SeriesSource,
  asOf: AsOf,
  updatedAfter: Instant.optional().meta({
    description:
      "The instant of updatedAfter; absent without it. With it, series has only the days that changed since then",
  }),
  removedDays: z.array(Day).optional().meta({
    description:
      "Days of the window that had a value at updatedAfter and have none any more; absent without updatedAfter",
    example: [],
  }),
  derivedFrom: z.enum(METRIC_NAMES).optional().meta({
    description:
      "The running total whose daily growth the values are; absent for a metric that the source publishes. A day on which the total falls is a gap",
    example: "cumulativeAddresses",
  }),
  check: SeriesCheck.meta({
    description: "How the series compares with its second source",
  }),
}).meta({ id: "Metrics" });
/** The answer of `GET /metrics`. */
export type MetricsAnswer = z.infer<typeof MetricsAnswer>;
