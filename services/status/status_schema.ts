/** The answer of `GET /status.json`: sources, checks, jobs, database and requests. */
import { z } from "@hono/zod-openapi";
import {
  JOB_NAMES,
  JOB_SCHEDULES,
} from "../platform/jobs/job_schedules_schema.ts";
import {
  ProcessMetricsAnswer,
  Traffic,
} from "../platform/observability/process_metrics_schema.ts";
import {
  CheckQuality,
  SourceQuality,
} from "../chain_data/quality/quality_schema.ts";
import { PlanColdReads } from "../payments/payments_schema.ts";
import { Day, Instant } from "../platform/wire_schema.ts";

/** The answer of `GET /live`. */
export const LivenessAnswer = z.object({
  status: z.literal("ok").meta({ description: "Always ok" }),
}).openapi("Liveness");

/** The results of a job run. `lost`: the process ended before the run did. */
const RUN_RESULTS = ["ok", "failed", "running", "lost"] as const;

/** A job: its last run, and when it is due next. */
export const JobStatus = z.object({
  job: z.enum(JOB_NAMES).meta({
    description: "Name of the job",
    example: "refresh-chains",
  }),
  does: z.string().meta({
    description: "Purpose of the job",
    example: JOB_SCHEDULES["refresh-chains"].does,
  }),
  schedule: z.string().meta({
    description: "Schedule as cron fields, UTC",
    example: JOB_SCHEDULES["refresh-chains"].schedule,
  }),
  nextDueAt: Instant.meta({ description: "When the job is due next" }),
  lastRun: z.object({
    result: z.enum(RUN_RESULTS).meta({
      description: "lost: the process ended before the run did",
      example: "ok",
    }),
    startedAt: Instant.meta({ description: "When the run started" }),
    endedAt: Instant.nullable().meta({
      description: "When the run ended; null while it runs, and if it was lost",
    }),
    items: z.int().meta({
      description: "Number of items that the run processed",
      example: 30,
    }),
    outcome: z.string().nullable().meta({
      description:
        "Result in words, or why the run failed; null before its end",
      example: "snapshot taken",
    }),
  }).nullable().meta({ description: "The last run; null without one" }),
}).meta({ id: "JobStatus" });
/** A job: its last run, and when it is due next. */
export type JobStatus = z.infer<typeof JobStatus>;

/** A time in which the runs of a job failed. */
const IncidentStatus = z.object({
  job: z.enum(JOB_NAMES).meta({
    description: "Name of the job",
    example: "refresh-series",
  }),
  from: Instant.meta({ description: "When the first failed run started" }),
  to: Instant.nullable().meta({
    description: "When a run succeeded again; null while it lasts",
  }),
  failedRuns: z.int().meta({
    description: "Number of failed runs",
    example: 3,
  }),
  reason: z.string().meta({
    description: "Why the last of them failed",
    example: "Cannot read metrics.avax.network: it answered 503",
  }),
}).meta({ id: "Incident" });

/** The requests of a day over all processes. */
const DayStatus = z.object({
  date: Day.meta({ description: "UTC day, YYYY-MM-DD" }),
  status: z.enum(["ok", "degraded"]).nullable().meta({
    description:
      "degraded: 1 % of the requests failed, or more; null if none were counted",
    example: "ok",
  }),
  requests: z.int().meta({
    description: "Requests of the day",
    example: 120_000,
  }),
  serverErrors: z.int().meta({
    description: "Failures, as in `traffic`",
    example: 12,
  }),
  serverErrorPct: z.number().meta({
    description: "Failures in percent of all requests",
    example: 0.01,
  }),
}).meta({ id: "DayStatus" });

/** The answer of `GET /status.json`. */
export const StatusAnswer = z.object({
  status: z.enum(["ok", "degraded"]).meta({
    description:
      "degraded: the database is unreachable or read-only, the last run of a job failed, too many requests of the last hour failed, a source is not read, publishes no new days, or has days that can't be true",
    example: "ok",
  }),
  reasons: z.array(z.string()).meta({
    description: "Why the status is degraded, in sentences; empty if it is ok",
    example: [],
  }),
  warnings: z.array(z.string()).meta({
    description: "What the operator should change, in sentences",
    example: [],
  }),
  version: z.string().meta({
    description: "Version of the service",
    example: "1.0.0",
  }),
  time: Instant.meta({ description: "When this answer was made" }),
  database: z.object({
    status: z.enum(["ok", "readOnly", "unreachable"]).meta({
      description:
        "readOnly: writes fail, for example because the disk is full",
      example: "ok",
    }),
    pingMs: z.number().nullable().meta({
      description: "Duration of one read in milliseconds; null if it failed",
      example: 6.4,
    }),
  }).meta({ description: "State of the database" }),
  sources: z.array(SourceQuality).nullable().meta({
    description: "How up to date each source is; null if unknown",
  }),
  checks: z.array(CheckQuality).nullable().meta({
    description: "How well the sources agree; null if unknown",
  }),
  openDisputeCount: z.int().nullable().meta({
    description:
      "Days of the C-Chain's checked series on which two sources disagree; null if unknown",
    example: 6,
  }),
  capacity: z.object({
    perMinute: z.int().meta({
      description: "Cold reads a minute that the source allows",
      example: 120,
    }),
    perDay: z.int().meta({
      description: "Cold reads a day that the source allows",
      example: 9_800,
    }),
    used: z.int().meta({
      description: "Calls of the last 24 hours",
      example: 1_200,
    }),
    left: z.int().meta({
      description:
        "Cold reads that are left now; the last half of `perDay` is for paid plans, as `plans` says",
      example: 8_600,
    }),
    plans: z.array(PlanColdReads).meta({
      description: "The part of one wallet by plan, lowest first",
    }),
  }).nullable().meta({
    description:
      "Cold reads: scores of addresses that nobody has read for a day; null if unknown",
  }),
  jobs: z.array(JobStatus).nullable().meta({
    description: "All jobs; null if their records cannot be read",
  }),
  incidents: z.array(IncidentStatus).nullable().meta({
    description:
      "Times of the last 90 days in which runs of a job failed, newest first; null if their records cannot be read",
    example: [],
  }),
  history: z.array(DayStatus).nullable().meta({
    description:
      "The last 90 UTC days, today last, over all processes; null if unknown",
  }),
  traffic: Traffic.meta({ description: "Requests to this process" }),
  process: ProcessMetricsAnswer.meta({
    description: "Metrics of this process over the last hour",
  }),
}).meta({ id: "Status" });
/** The answer of `GET /status.json`. */
export type StatusAnswer = z.infer<typeof StatusAnswer>;
