/** Traffic by surface, calls to upstreams and metrics of the process, as answers show them. */
import { z } from "@hono/zod-openapi";
import { Instant } from "../wire_schema.ts";
import { EVENT_NAMES, LEVELS } from "./log_events_schema.ts";

/** The surfaces by name, each with its label. */
export const SURFACES = {
  chainData: "Chain data API",
  scoring: "Scoring API",
  account: "Accounts",
  profiles: "Public profiles",
  badges: "Badges",
  mcp: "MCP",
  static: "Static files",
  pages: "Pages and everything else",
} as const satisfies Record<string, string>;

/** The name of a surface. */
export type Surface = keyof typeof SURFACES;
/** The surfaces in the order of an answer. */
export const SURFACE_NAMES = Object.keys(SURFACES) as Surface[];

/** Length in minutes of the window that a process counts over. */
export const COUNTED_MINUTES = 60;

/** UTC days of requests and of incidents that are kept and shown, today included. */
export const HISTORY_DAYS = 90;

/** The requests to one surface. */
export const SurfaceTraffic = z.object({
  family: z.enum(SURFACE_NAMES).meta({
    description: "The surface",
    example: "chainData",
  }),
  requests: z.int().meta({
    description: "Number of requests",
    example: 1200,
  }),
  clientErrors: z.int().meta({
    description: "Responses with status 400 to 499",
    example: 12,
  }),
  serverErrors: z.int().meta({
    description:
      "Failures: responses with status 500 to 599, without 501 and simulated errors of test keys",
    example: 0,
  }),
}).meta({ id: "SurfaceTraffic" });
/** The requests to one surface. */
export type SurfaceTraffic = z.infer<typeof SurfaceTraffic>;

/** The requests to this process. */
export const Traffic = z.object({
  since: Instant.meta({
    description:
      "Start of the window: an hour ago, or when the process started",
  }),
  requests: z.int().meta({
    description: "Requests since then",
    example: 1200,
  }),
  requestsPerMinute: z.number().meta({
    description: "Mean requests per minute since then",
    example: 20,
  }),
  serverErrorPct: z.number().meta({
    description: "Failures in percent of all requests",
    example: 0,
  }),
  families: z.array(SurfaceTraffic).meta({
    description: "Requests by surface",
  }),
}).meta({ id: "Traffic" });
/** The requests to this process. */
export type Traffic = z.infer<typeof Traffic>;

/** The upstreams by name, each with its label. */
export const UPSTREAMS = {
  metrics: "Metrics API",
  explorer: "Explorer index",
  portal: "SQD Portal",
  cChain: "C-Chain nodes",
  pChain: "P-Chain node",
  chainNodes: "Own nodes of chains",
  proofChains: "Nodes of chains with proofs of a unique human",
  github: "GitHub",
  dns: "Domain name system",
} as const satisfies Record<string, string>;

/** The name of an upstream. */
export type UpstreamName = keyof typeof UPSTREAMS;
/** The names in the order of an answer. */
export const UPSTREAM_NAMES = Object.keys(UPSTREAMS) as UpstreamName[];

/** The database counters, each with its meaning. */
export const KV_COUNTS = {
  reads: "Read calls",
  keysRead: "Keys and entries read",
  commits: "Commits, including single writes",
  mutations: "Records set or deleted",
  conflicts: "Commits rejected by a version check and retried",
} as const satisfies Record<string, string>;

/** The name of a database counter. */
export type KvCount = keyof typeof KV_COUNTS;
/** The counts of one call. */
export type KvCounts = Readonly<Partial<Record<KvCount, number>>>;
/** The database counters in the order of an answer. */
export const KV_COUNT_NAMES = Object.keys(KV_COUNTS) as KvCount[];

const Latency = z.number().nullable().meta({
  description:
    "Milliseconds, at most 28 % too high; null if nothing was measured",
  example: 5,
});

/** The latency of the requests to one surface. */
const SurfaceLatency = z.object({
  family: z.enum(SURFACE_NAMES).meta({
    description: "The surface",
    example: "chainData",
  }),
  requests: z.int().meta({
    description: "Timed requests: those that the router handled",
    example: 1204,
  }),
  p50Ms: Latency.meta({ example: 0.63 }),
  p99Ms: Latency.meta({ example: 2.5 }),
}).meta({ id: "SurfaceLatency" });

/** The calls to one upstream. */
const UpstreamCalls = z.object({
  upstream: z.enum(UPSTREAM_NAMES).meta({
    description: "Name of the upstream",
    example: "metrics",
  }),
  calls: z.int().meta({
    description: "Calls, including failed ones",
    example: 96,
  }),
  errors: z.int().meta({
    description: "Calls without a usable response",
    example: 0,
  }),
  p50Ms: Latency,
  p99Ms: Latency,
}).meta({ id: "UpstreamCalls" });

/** Metrics of one process over the last hour. */
export const ProcessMetricsAnswer = z.object({
  latency: z.array(SurfaceLatency).meta({
    description:
      "Latency by surface; responses served from the memory cache are not timed",
  }),
  upstreams: z.array(UpstreamCalls).meta({
    description: "Calls to upstreams",
  }),
  database: z.object({
    reads: z.int().meta({
      description: KV_COUNTS.reads,
      example: 251,
    }),
    keysRead: z.int().meta({
      description: KV_COUNTS.keysRead,
      example: 410,
    }),
    commits: z.int().meta({
      description: KV_COUNTS.commits,
      example: 189,
    }),
    mutations: z.int().meta({
      description: KV_COUNTS.mutations,
      example: 438,
    }),
    conflicts: z.int().meta({
      description: KV_COUNTS.conflicts,
      example: 0,
    }),
  }).meta({ description: "Database operations" }),
  log: z.array(z.object({
    event: z.enum(EVENT_NAMES).meta({
      description: "Name of the event",
      example: "job.ended",
    }),
    level: z.enum(LEVELS).meta({
      description: "Level of the event",
      example: "info",
    }),
    count: z.int().meta({ description: "Number of occurrences", example: 7 }),
  })).meta({
    description: "Logged events, including those that rate limiting dropped",
  }),
  telemetry: z.object({
    exported: z.boolean().meta({
      description: "Whether traces, logs and metrics are sent to a collector",
      example: false,
    }),
  }).meta({ description: "Export by OpenTelemetry" }),
}).meta({ id: "ProcessMetrics" });
/** Metrics of one process over the last hour. */
export type ProcessMetricsAnswer = z.infer<typeof ProcessMetricsAnswer>;
