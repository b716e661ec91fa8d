/** The answer of `GET /api/chain-data`, which describes the API. */
import { z } from "@hono/zod-openapi";
import { METRICS_SOURCE, SourceUrl } from "./fields_schema.ts";
import {
  Aggregation,
  FORMATS,
  INTERVALS,
  MetricKind,
  MetricName,
  METRICS,
} from "./metrics_schema.ts";

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
