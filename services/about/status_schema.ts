/** How the service does, on the wire: sources, checks, jobs, database, requests. */
import { Traffic } from "../platform/observability/traffic_schema.ts";
import { z } from "@hono/zod-openapi";
import { JOB_NAMES } from "../platform/jobs/job_schedules_schema.ts";
import { ProcessMetricsAnswer } from "../platform/observability/process_metrics_schema.ts";
import {
  CheckQuality,
  SourceQuality,
} from "../chain_data/quality/quality_schema.ts";
import { Instant } from "../platform/wire_schema.ts";

/** How a run of a job stands; `lost`: its process ended before it did. */
export const RUN_RESULTS = ["ok", "failed", "running", "lost"] as const;

/** A job: when it ran last, and when it is due. */
export const JobStatus = z.object({
  job: z.enum(JOB_NAMES),
  does: z.string().meta({ description: "What it is for" }),
  schedule: z.string().meta({ description: "Cron fields, UTC" }),
  nextDueAt: Instant.meta({ description: "When it runs next by its schedule" }),
  lastRun: z.object({
    result: z.enum(RUN_RESULTS).meta({
      description: "lost: its process ended before the run did",
    }),
    startedAt: Instant,
    endedAt: Instant.nullable().meta({
      description: "Null where it runs, or was lost",
    }),
    items: z.int().meta({ description: "What it worked on, counted" }),
    outcome: z.string().nullable().meta({
      description: "What it came to, or why it failed; null before its end",
    }),
  }).nullable().meta({ description: "Null where it never ran" }),
}).meta({ id: "JobStatus" });
/** A job: when it ran last, and when it is due. */
export type JobStatus = z.infer<typeof JobStatus>;

/** The answer of `GET /status.json`. */
export const StatusAnswer = z.object({
  status: z.enum(["ok", "degraded"]).meta({
    description:
      "degraded: the database is out of reach or takes no writes, or a job's last run failed",
  }),
  version: z.string().meta({ description: "Version of the service" }),
  time: Instant.meta({ description: "When this was put together" }),
  database: z.object({
    status: z.enum(["ok", "readOnly", "unreachable"]).meta({
      description: "readOnly: it takes no writes, as where its disk is full",
    }),
    pingMs: z.number().nullable().meta({
      description: "How long one read took; null where none came back",
    }),
  }).meta({ description: "Whether the database answers within a second" }),
  sources: z.array(SourceQuality).nullable().meta({
    description: "How current each source is; null where that is unknown",
  }),
  checks: z.array(CheckQuality).nullable().meta({
    description: "How far sources agree; null where that is unknown",
  }),
  openDisputeCount: z.int().nullable().meta({
    description: "Days on which two sources disagree; null where unknown",
  }),
  jobs: z.array(JobStatus).nullable().meta({
    description: "Every job; null where their records cannot be read",
  }),
  traffic: Traffic.meta({ description: "Requests of this process alone" }),
  process: ProcessMetricsAnswer.meta({
    description: "What this process alone did in the last hour",
  }),
}).meta({ id: "Status" });
/** The answer of `GET /status.json`. */
export type StatusAnswer = z.infer<typeof StatusAnswer>;
