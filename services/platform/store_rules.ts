/** Store rules of the platform: job leases, runs and incidents, and imported copies. */
import * as keys from "./kv/keys.ts";
import { DAY_MS } from "./days.ts";
import type { Incident } from "./jobs/incidents.ts";
import type { JobRun, Lease } from "./jobs/jobs_store.ts";
import { ANY, ANY_NUMBER, numberAt, type Rule } from "./kv/store_rule.ts";
import type { AuditEntry } from "./kv/audit_store.ts";
import type { DayTraffic } from "./observability/traffic_days_store.ts";

const lease: Rule<Lease> = {
  name: "job-lease",
  of: keys.jobLease(ANY),
  invariant: "a job lease ends within a day",
  holds: ({ value: { until } }, { now }) => until < now + DAY_MS,
};

const jobRun: Rule<JobRun> = {
  name: "job-run",
  of: keys.jobRun(ANY),
  invariant: "a finished job run has either an outcome or an error",
  holds: ({ key, value: { job, endedAt, outcome, error } }) =>
    job === key[1] &&
    (endedAt === null || (outcome === null) !== (error === null)),
};

const incidents: Rule<readonly Incident[]> = {
  name: "job-incidents",
  of: keys.jobIncidents(ANY),
  invariant:
    "the incidents of a job are in order, and only the last one may be open",
  holds: ({ key, value }) =>
    value.every(({ job, from, to, failedRuns }, nth) =>
      job === key[1] && failedRuns > 0 && from >= (value[nth - 1]?.to ?? 0) &&
      (to === null ? nth === value.length - 1 : to >= from)
    ),
};

const auditEntry: Rule<AuditEntry> = {
  name: "audit-order",
  of: keys.auditEntry(ANY, ANY_NUMBER, ANY),
  invariant: "the key of an audit entry contains the entry's time",
  holds: ({ key, value: { at } }) => numberAt(key, 2) === at,
};

const trafficDay: Rule<DayTraffic> = {
  name: "traffic-day",
  of: keys.trafficDay(ANY_NUMBER),
  invariant: "no more requests of a day failed than were made",
  holds: ({ value: { requests, serverErrors } }) =>
    serverErrors >= 0 && serverErrors <= requests,
};

const whole: Rule<unknown> = {
  name: "whole-copy",
  of: keys.importMark(),
  invariant: "no import of a backup is unfinished",
  holds: () => false,
};

/** The rules of the platform. */
export const PLATFORM_RULES: readonly Rule<never>[] = [
  lease,
  jobRun,
  incidents,
  auditEntry,
  trafficDay,
  whole,
];
