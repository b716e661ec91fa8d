/** The open chain data on the wire: metrics, their queries and answers. */
import { z } from "@hono/zod-openapi";
import { daysParameters, RANGE_NAMES, withDays } from "./day_query_schema.ts";
import { Day, Instant, query } from "../platform/wire_schema.ts";

/** How the days of a week or month become one value. */
export const FOLDS = ["sum", "mean", "max", "last"] as const;
/** How the days of a week or month become one value. */
export type Fold = typeof FOLDS[number];

/** Whether a value stands for its day alone or for all days up to it. */
export const KINDS = ["per day", "running total"] as const;
/** Whether a value stands for its day alone or for all days up to it. */
export type Kind = typeof KINDS[number];

interface MetricRule {
  meaning: string;
  unit: "count" | "avax" | "gas" | "tps" | "gas-per-second";
  kind: Kind;
  fold: Fold;
}

/** The metric catalogue. Daily distinct counts take the mean: a sum would be address-days. */
export const METRICS = {
  txCount: {
    meaning: "transactions included in blocks that day",
    unit: "count",
    kind: "per day",
    fold: "sum",
  },
  activeAddresses: {
    meaning: "distinct addresses that sent or received a transaction",
    unit: "count",
    kind: "per day",
    fold: "mean",
  },
  activeSenders: {
    meaning: "distinct addresses that originated (and paid for) a transaction",
    unit: "count",
    kind: "per day",
    fold: "mean",
  },
  feesPaid: {
    meaning:
      "total fees burned or paid that day, denominated in the native token",
    unit: "avax",
    kind: "per day",
    fold: "sum",
  },
  gasUsed: {
    meaning: "total gas consumed by the day's transactions",
    unit: "gas",
    kind: "per day",
    fold: "sum",
  },
  avgTps: {
    meaning: "mean transactions per second across the day",
    unit: "tps",
    kind: "per day",
    fold: "mean",
  },
  maxTps: {
    meaning: "highest transactions per second reached that day",
    unit: "tps",
    kind: "per day",
    fold: "max",
  },
  avgGps: {
    meaning: "mean gas consumed per second",
    unit: "gas-per-second",
    kind: "per day",
    fold: "mean",
  },
  maxGps: {
    meaning: "highest gas per second reached that day",
    unit: "gas-per-second",
    kind: "per day",
    fold: "max",
  },
  cumulativeTxCount: {
    meaning: "every transaction ever processed by the chain",
    unit: "count",
    kind: "running total",
    fold: "last",
  },
  cumulativeAddresses: {
    meaning: "every address that ever appeared on the chain",
    unit: "count",
    kind: "running total",
    fold: "last",
  },
  cumulativeContracts: {
    meaning: "every contract ever deployed",
    unit: "count",
    kind: "running total",
    fold: "last",
  },
  cumulativeDeployers: {
    meaning: "distinct addresses that deployed at least one contract",
    unit: "count",
    kind: "running total",
    fold: "last",
  },
} as const satisfies Record<string, MetricRule>;

/** One of the thirteen metrics. */
export type Metric = keyof typeof METRICS;
/** The thirteen metrics in the order of the catalogue. */
export const METRIC_NAMES = Object.keys(METRICS) as Metric[];

/** The widths of a bucket. */
export const INTERVALS = ["day", "week", "month"] as const;
/** The width of a bucket. */
export type Interval = typeof INTERVALS[number];

/** The formats of an answer. */
export const FORMATS = ["json", "csv"] as const;
/** The format of an answer. */
export type Format = typeof FORMATS[number];

/** The chain id of the C-Chain. */
export const C_CHAIN = 43114;

/** An EVM chain id in a query string. */
const ChainId = z.string()
  .regex(
    /^[1-9]\d{0,14}$/,
    "an EVM chain id as a whole number of at most 15 digits, such as 43114",
  )
  .transform(Number)
  .openapi({ type: "integer", minimum: 1 });

/** The query of `GET /metrics`. */
export const MetricsQuery = withDays(query({
  metric: z.enum(METRIC_NAMES).default("txCount"),
  ...daysParameters("1y"),
  interval: z.enum(INTERVALS).default("day"),
  chainId: ChainId.default(C_CHAIN).openapi({ default: C_CHAIN }),
  format: z.enum(FORMATS).default("json"),
}));
/** A checked query of `GET /metrics`. */
export type MetricsQuery = z.infer<typeof MetricsQuery>;

/** The query of an endpoint that knows no choice but its format. */
export const FormatQuery = query({ format: z.enum(FORMATS).default("json") });

/** The query of an endpoint that takes no parameter. */
export const NoQuery = query({});

/** One bucket of a series. */
export const Point = z.object({
  day: Day.meta({ description: "First day of the bucket" }),
  value: z.number(),
  complete: z.boolean().meta({ description: "False while still filling" }),
}).meta({ id: "Point" });
/** One bucket of a series. */
export type Point = z.infer<typeof Point>;

/** A run of days that upstream has no value for, both ends included. */
export const Gap = z.object({ from: Day, to: Day }).meta({ id: "Gap" });
/** A run of days that upstream has no value for, both ends included. */
export type Gap = z.infer<typeof Gap>;

/** The answer of `GET /metrics`. */
export const MetricsAnswer = z.object({
  metric: z.enum(METRIC_NAMES),
  chainId: z.int(),
  chainName: z.string(),
  unit: z.string(),
  token: z.string().nullable().meta({
    description: "Symbol of the chain's own token; null where unknown",
  }),
  kind: z.enum(KINDS),
  interval: z.enum(INTERVALS),
  range: z.enum(RANGE_NAMES).nullable().meta({
    description: "Null where from or to was given",
  }),
  aggregation: z.enum(FOLDS),
  series: z.array(Point),
  lastPeriodComplete: z.boolean(),
  gaps: z.array(Gap),
  dataThrough: Day.nullable().meta({
    description: "Newest complete day of the whole series",
  }),
  fetchedAt: Instant,
  source: z.string(),
}).meta({ id: "Metrics" });
/** The answer of `GET /metrics`. */
export type MetricsAnswer = z.infer<typeof MetricsAnswer>;

/** A tracked chain. */
export const Chain = z.object({
  chainId: z.int(),
  chainName: z.string(),
  token: z.string().nullable(),
  blockchainId: z.string(),
  subnetId: z.string(),
}).meta({ id: "Chain" });
/** A tracked chain. */
export type Chain = z.infer<typeof Chain>;

/** The answer of `GET /chains`. */
export const ChainsAnswer = z.object({
  count: z.int(),
  chains: z.array(Chain),
  fetchedAt: Instant,
  source: z.string(),
}).meta({ id: "Chains" });
/** The answer of `GET /chains`. */
export type ChainsAnswer = z.infer<typeof ChainsAnswer>;

/** The answer of `GET /api/chain-data`. */
export const ChainDataAnswer = z.object({
  metrics: z.array(z.object({
    metric: z.enum(METRIC_NAMES),
    meaning: z.string(),
    unit: z.string(),
    kind: z.enum(KINDS),
    aggregation: z.enum(FOLDS),
    summable: z.boolean().meta({
      description: "Whether a sum over days means anything",
    }),
  })),
  endpoints: z.array(z.object({ path: z.string(), answers: z.string() })),
  parameters: z.record(z.string(), z.array(z.string())),
  sources: z.array(z.object({ name: z.string(), url: z.string() })),
  limits: z.object({
    requestsPerMinute: z.int().meta({
      description:
        "Requests that one network may make at once, and again in a minute",
    }),
  }),
  rules: z.array(z.string()),
}).meta({ id: "ChainData" });
/** The answer of `GET /api/chain-data`. */
export type ChainDataAnswer = z.infer<typeof ChainDataAnswer>;
