/** What one process did in the last hour, on the wire: latency, calls, database, log. */
import { z } from "@hono/zod-openapi";
import { FAMILY_NAMES } from "../surfaces_schema.ts";
import { EVENT_NAMES, LEVELS } from "./log_events_schema.ts";

/** The upstreams that calls are counted by, each with what it is. */
export const UPSTREAMS = {
  metrics: "Metrics API",
  explorer: "Explorer index",
  cChain: "C-Chain nodes",
  pChain: "P-Chain node",
  github: "GitHub",
  dns: "Domain name system",
} as const satisfies Record<string, string>;

/** The name of an upstream. */
export type UpstreamName = keyof typeof UPSTREAMS;
/** The names in the order of an answer. */
export const UPSTREAM_NAMES = Object.keys(UPSTREAMS) as UpstreamName[];

/** What the database is asked, each with what it counts. */
export const KV_COUNTS = {
  reads: "Calls that read",
  keysRead: "Keys and entries that they read",
  commits: "Transactions, single writes among them",
  mutations: "Records that they set or deleted",
  conflicts: "Transactions that came too late and were decided anew",
} as const satisfies Record<string, string>;

/** What is counted of the database. */
export type KvCount = keyof typeof KV_COUNTS;
/** What one call asked, counted. */
export type KvAsked = Readonly<Partial<Record<KvCount, number>>>;
/** What is counted, in the order of an answer. */
export const KV_COUNT_NAMES = Object.keys(KV_COUNTS) as KvCount[];

const Latency = z.number().nullable().meta({
  description: "Milliseconds, to about a quarter; null where there was none",
});

/** How long the requests of one family took. */
export const FamilyLatency = z.object({
  family: z.enum(FAMILY_NAMES),
  requests: z.int().meta({ description: "Those that went through the router" }),
  p50Ms: Latency,
  p99Ms: Latency,
}).meta({ id: "FamilyLatency" });

/** The calls to one upstream. */
export const UpstreamCalls = z.object({
  upstream: z.enum(UPSTREAM_NAMES).meta({ description: "Which of them" }),
  calls: z.int().meta({ description: "All calls, those that failed too" }),
  errors: z.int().meta({ description: "Calls that gave no usable answer" }),
  p50Ms: Latency,
  p99Ms: Latency,
}).meta({ id: "UpstreamCalls" });

const Count = z.int();

/** What one process did in the last hour. */
export const ProcessFigures = z.object({
  latency: z.array(FamilyLatency).meta({
    description:
      "Requests that took work; answers given again from memory are not timed",
  }),
  upstreams: z.array(UpstreamCalls).meta({
    description: "Calls to other people's services",
  }),
  database: z.object({
    reads: Count.meta({ description: KV_COUNTS.reads }),
    keysRead: Count.meta({ description: KV_COUNTS.keysRead }),
    commits: Count.meta({ description: KV_COUNTS.commits }),
    mutations: Count.meta({ description: KV_COUNTS.mutations }),
    conflicts: Count.meta({ description: KV_COUNTS.conflicts }),
  }).meta({ description: "What the database was asked" }),
  log: z.array(z.object({
    event: z.enum(EVENT_NAMES).meta({ description: "What happened" }),
    level: z.enum(LEVELS).meta({ description: "How much it matters" }),
    count: z.int().meta({ description: "How often it did" }),
  })).meta({ description: "Events, those left out of the log among them" }),
  telemetry: z.object({
    exported: z.boolean().meta({
      description: "Whether traces, log and metrics go to a collector",
    }),
  }).meta({ description: "What of all this is exported (OpenTelemetry)" }),
}).meta({ id: "ProcessFigures" });
/** What one process did in the last hour. */
export type ProcessFigures = z.infer<typeof ProcessFigures>;
