/** The answer of `GET /api/chain-data`: metrics, endpoints, sources and rules. */
import {
  Aggregation,
  derivationOf,
  FORMATS,
  INTERVALS,
  METRIC_NAMES,
  MetricKind,
  MetricName,
  METRICS,
} from "../catalogue/metrics_schema.ts";
import { CHECKS } from "../catalogue/cross_checks_schema.ts";
import {
  METRICS_SOURCE,
  RANGE_NAMES,
  SourceUrl,
} from "../catalogue/fields_schema.ts";
import type { CacheableAnswer } from "../../platform/cache.ts";
import type { ChainDataDeps } from "../checks/deps.ts";
import { originOf } from "../../platform/http/upstream_answer.ts";
import { z } from "@hono/zod-openapi";

/** The answer of `GET /api/chain-data`. */
export const ChainDataAnswer = z.object({
  metrics: z.array(z.object({
    metric: MetricName,
    meaning: z.string().meta({
      description: "Definition of the metric",
      example: METRICS.txCount.meaning,
    }),
    unit: z.string().meta({
      description:
        "Unit of the values; avax stands for the native token of the chain queried",
      example: METRICS.txCount.unit,
    }),
    kind: MetricKind,
    aggregation: Aggregation,
    summable: z.boolean().meta({
      description: "Whether the values of several days may be added up",
      example: true,
    }),
    derivedFrom: MetricName.optional().meta({
      description:
        "The running total whose daily growth it is; absent for a metric that the source publishes",
      example: "cumulativeAddresses",
    }),
  })).meta({ description: "The metrics that /metrics serves" }),
  endpoints: z.array(z.object({
    path: z.string().meta({
      description: "Path below /api/chain-data",
      example: "/metrics",
    }),
    answers: z.string().meta({
      description: "What the endpoint returns",
      example: "one metric of one chain",
    }),
  })).meta({ description: "The endpoints of the chain data API" }),
  parameters: z.record(z.string(), z.array(z.string())).meta({
    description: "Accepted values of each parameter",
    example: { interval: [...INTERVALS], format: [...FORMATS] },
  }),
  sources: z.array(z.object({
    name: z.string().meta({
      description: "Name of the source",
      example: METRICS_SOURCE,
    }),
    url: SourceUrl,
  })).meta({ description: "The sources that data are read from" }),
  limits: z.object({
    requestsPerMinute: z.int().meta({
      description:
        "Requests that one network may make per minute, also all at once",
      example: 6000,
    }),
  }).meta({ description: "Rate limits" }),
  rules: z.array(z.string()).meta({
    description: "How series are built and how to read them",
    example: [
      "Days are UTC. A bucket is named by its first day; weeks start on Monday.",
    ],
  }),
}).meta({ id: "ChainData" });
/** The answer of `GET /api/chain-data`. */
export type ChainDataAnswer = z.infer<typeof ChainDataAnswer>;

/** The metrics as the API describes them. */
export const METRIC_DEFINITIONS = METRIC_NAMES.map((metric) => {
  const { meaning, unit, kind, fold } = METRICS[metric];
  const rule = { meaning, unit, kind, aggregation: fold };
  const from = derivationOf(metric)?.from;
  return {
    ...{ metric, ...rule, summable: fold === "sum" },
    ...from && { derivedFrom: from },
  };
});

const ENDPOINTS: ChainDataAnswer["endpoints"] = [
  { path: "/metrics", answers: "one metric of one chain" },
  { path: "/chains", answers: "the tracked mainnet chains" },
  {
    path: "/monthly-transactions",
    answers: "C-Chain transactions, checked against the explorer index",
  },
  {
    path: "/transaction-fees",
    answers: "C-Chain fees in AVAX, checked against the explorer index",
  },
  {
    path: "/block-production",
    answers: "C-Chain blocks and block time, checked against the chain's RPC",
  },
  {
    path: "/validators",
    answers: "validators and stake, checked against own daily snapshots",
  },
  {
    path: "/quality",
    answers:
      "how current sources are, how far they agree, which chains have figures that contradict each other",
  },
  { path: "/disputes", answers: "every day on which two sources disagree" },
  { path: "/revisions", answers: "values of complete days that changed" },
];

const COUNTED_PCT = CHECKS.transactions.tolerancePct;

const RULES: readonly string[] = [
  "Days are UTC. A bucket is named by its first day; weeks start on Monday.",
  "range counts days back from today, today included. from and to are inclusive. The window is widened to whole buckets, so that no bucket is cut.",
  "complete is false for today and for the newest day that upstream has published for a chain, because upstream may still add to that day. A bucket is complete when every day in it is there and complete. Do not average over incomplete points.",
  "Weeks and months are folded here from the daily series, as aggregation says, never taken from upstream's own rollup.",
  "activeAddresses and activeSenders of a week or month are the mean of daily distinct counts, not the distinct count of the period.",
  "A metric with summable false must not be added up over a window.",
  "A day that upstream lacks inside an active chain's series is listed in gaps, never filled.",
  "A chain has no points before its first published day. A day that it has not published seven days after the C-Chain counts as one without activity: 0, or the last value of a running total, with inferred true. Nothing is inferred while the second source has transactions after the last day with one.",
  "Chains do not share a day axis: join series on the day, never on position.",
  "A bucket with a gap is incomplete while its days can still come, for 30 days, and then complete with missingDays. The first bucket of a chain has only the days since its first.",
  `A checked day is compared only when it is complete in both sources; the tolerance is ${COUNTED_PCT.day} % a day and ${COUNTED_PCT.month} % a month, and none for blocks. A month is judged when it is complete and all of its days are compared. Every disputed day is published with both values.`,
  "check in /metrics says whether a series is compared with the explorer index, through which day and with what result, or why not. A zero of the index beside traffic is not covered: neither agreement nor dispute.",
  "A complete day that its source changes or takes back is a revision: revisedAt marks it, /revisions lists it with both values, and asOf answers with the values of an earlier instant.",
  "A series is read after each publication of upstream; some are also read every hour. fetchedAt is when it was read; confirmedAt is when upstream was last known to have published no newer day.",
  "If upstream is down for more than an hour, windows that end before the last 15 published days are still served. Others are a 503, never a partial series; Cache-Control: max-stale accepts the stored one.",
  "No key is needed, and there is no quota. A network that exceeds its requests per minute gets a 429 with Retry-After. What is stored is served without an upstream call. A series that was never read may be a 503 for some seconds, and is then read first.",
];

/** Describes the chain data API. */
export function describeChainData(
  { now, upstream, openRequestsPerMinute }: Pick<
    ChainDataDeps,
    "now" | "upstream" | "openRequestsPerMinute"
  >,
): CacheableAnswer<ChainDataAnswer> {
  const answer: ChainDataAnswer = {
    metrics: METRIC_DEFINITIONS,
    endpoints: ENDPOINTS,
    parameters: {
      metric: METRIC_NAMES,
      range: RANGE_NAMES,
      interval: [...INTERVALS],
      format: [...FORMATS],
    },
    sources: [
      {
        name: upstream.metrics.source,
        url: originOf(upstream.metrics.baseUrl),
      },
      ...upstream.metrics.others.map(({ source, baseUrl }) => ({
        name: source,
        url: originOf(baseUrl),
      })),
      {
        name: upstream.explorer.source,
        url: originOf(upstream.explorer.baseUrl),
      },
      { name: upstream.cChain.source, url: originOf(upstream.cChain.url) },
      {
        name: upstream.platformChain.source,
        url: originOf(upstream.platformChain.baseUrl),
      },
    ],
    limits: { requestsPerMinute: openRequestsPerMinute },
    rules: [...RULES],
  };
  return { answer, fetchedAt: now().getTime(), changedAt: null };
}
