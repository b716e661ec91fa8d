/** Store rules of the platform: job leases, job runs, and imported copies. */
import { DAY_MS } from "./days.ts";
import type { JobRun, Lease } from "./jobs/jobs_store.ts";
import type { Rule } from "./kv/store_rule.ts";

const lease: Rule<Lease> = {
  name: "job-lease",
  of: ["job_leases", null],
  demands: "nobody holds a job for a day or longer",
  holds: ({ value: { until } }, { now }) => until < now + DAY_MS,
};

const jobRun: Rule<JobRun> = {
  name: "job-run",
  of: ["job_runs", null],
  demands: "a run of a job that ended came to something or failed, never both",
  holds: ({ key, value: { job, endedAt, outcome, error } }) =>
    job === key[1] &&
    (endedAt === null || (outcome === null) !== (error === null)),
};

const whole: Rule<unknown> = {
  name: "whole-copy",
  of: ["import"],
  demands: "no copy of another store is half put in",
  holds: () => false,
};

/** The rules of the platform. */
export const PLATFORM_RULES: readonly Rule<never>[] = [lease, jobRun, whole];
