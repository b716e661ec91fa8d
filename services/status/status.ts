/** Collects the status, every part that can be read within a second, and the gauges of OpenTelemetry. */
import { readCapacityUse } from "../scores/capacity.ts";
import { instant, withTimeout } from "../platform/clock.ts";
import { Cron } from "croner";
import { VERSION } from "../platform/version.ts";
import {
  JOB_NAMES,
  JOB_SCHEDULES,
  type JobName,
  type JobSchedule,
} from "../platform/jobs/job_schedules_schema.ts";
import type { JobStatus, StatusAnswer } from "./status_schema.ts";
import type { ChainDataDeps } from "../chain_data/checks/deps.ts";
import type { HealthProbes } from "../platform/kv/store_format.ts";
import type { Incident, JobRun } from "../platform/jobs/jobs_store.ts";
import { isDoneToday, MAX_RUN_MS } from "../platform/jobs/job_run.ts";
import type { SourceQuality } from "../chain_data/quality/quality_schema.ts";
import { listChecks, listSources } from "../chain_data/quality/quality.ts";
import type { Publication } from "../chain_data/series/publications_store.ts";
import type { DoubtedSeries } from "../chain_data/series/series_store.ts";
import { nameSeries } from "../chain_data/catalogue/series_id.ts";
import { findPublication } from "../chain_data/series/series_reader.ts";
import type { PaymentsDeps } from "../payments/payments.ts";
import { minOf } from "../platform/numbers.ts";
import {
  DAY_MS,
  dayAt,
  formatDay,
  HOUR_MS,
  MINUTE_MS,
  startOfDay,
} from "../platform/days.ts";
import type { DiskSpace } from "../platform/open/deps.ts";
import {
  HISTORY_DAYS,
  type Surface,
} from "../platform/observability/process_metrics_schema.ts";
import {
  type Counted,
  failedPct,
  type TrafficCounter,
  type TrafficHistory,
} from "../platform/observability/traffic.ts";
import type { Gauge } from "../platform/observability/telemetry.ts";

type StatusDeps =
  & Pick<ChainDataDeps, "now" | "processMetrics" | "proxies" | "readDisk">
  & Pick<PaymentsDeps, "payment">
  & {
    readonly store: ChainDataDeps["store"] & HealthProbes;
    readonly upstream:
      & ChainDataDeps["upstream"]
      & PaymentsDeps["upstream"]
      & Parameters<typeof readCapacityUse>[0]["upstream"];
  };

/** Timeout of each part. */
const PART_MS = 1_000;

/** How long the read parts are reused, because anyone can request the status often. */
const REUSED_MS = 5_000;

/** What this process counts of its requests. */
export interface RequestCounters {
  readonly traffic: TrafficCounter;
  readonly history: TrafficHistory;
}

/** Creates the reader of the status. A part that times out is null. */
export function statusReader(
  deps: StatusDeps,
  { traffic, history }: RequestCounters,
) {
  let held: { readonly at: number; readonly stored: Promise<Stored> };
  return async function readStatus(): Promise<StatusAnswer> {
    const at = deps.now().getTime();
    if (held === undefined || Math.abs(at - held.at) >= REUSED_MS) {
      held = { at, stored: readStored(deps, history) };
    }
    const {
      database,
      sources,
      publication,
      checks,
      doubted,
      runs,
      incidents,
      capacity,
      days,
      exportedAt,
      disk,
    } = await held.stored;
    const hour = traffic.read();
    const jobs = runs && JOB_NAMES.map((job) => showJob(job, runs, at));
    const reasons = [
      ...database.status === "ok" ? [] : [`the database is ${database.status}`],
      ...sources === null ? ["the state of the sources is unknown"] : [],
      ...checks === null ? ["the state of the checks is unknown"] : [],
      ...jobs === null ? ["the state of the jobs is unknown"] : [],
      ...isTrafficFailing(hour.families) ? ["too many requests fail"] : [],
      ...(sources ?? []).flatMap(staleSource),
      ...oldData(publication, at),
      ...capacity !== null && capacity.left < LEAST_LEFT * capacity.perDay
        ? ["under a tenth of the day's calls to the explorer index are left"]
        : [],
      ...(doubted ?? []).filter(({ kind }) => kind !== "fallingTotal")
        .map(doubtedSeries),
      ...(jobs ?? []).filter(({ job }) => isScheduled(job, deps))
        .flatMap((job) => unwellJob(job, at)),
      ...(runs ?? []).flatMap(backlogOf),
      ...oldExport(exportedAt, at),
      ...fullDisk(disk),
    ];
    return {
      status: reasons.length === 0 ? "ok" : "degraded",
      reasons,
      warnings: [
        ...listWarnings(deps).map(({ warning }) => warning),
        ...(doubted ?? []).filter(({ kind }) => kind === "fallingTotal")
          .map(doubtedSeries),
      ],
      version: VERSION,
      time: instant(at),
      database,
      sources,
      checks,
      openDisputeCount: checks &&
        checks.reduce((count, check) => count + check.openDisputeCount, 0),
      capacity,
      jobs,
      incidents: incidents && incidents.map(showIncident),
      history: days && listHistory(days, dayAt(at)),
      traffic: hour,
      process: deps.processMetrics.read(),
    };
  };
}

/** Says that a source has days of a series that can't be true. A total that falls hides no other day. */
function doubtedSeries({ id, from }: DoubtedSeries): string {
  return `${nameSeries(id)} can't be true on ${
    formatDay(from)
  }, so an operator has to decide: see deno task operator doubts list`;
}

/** The part of a day's calls below which the status says so. */
const LEAST_LEFT = 1 / 10;

/** Hours after its last successful read at which a source is older than its promise: it is read at least daily. */
const STALE_SOURCE_HOURS = 30;

/** Says that a source was not read for too long. One that was never read is new. */
function staleSource({ serves, lagHours }: SourceQuality): string[] {
  if (lagHours === null || lagHours <= STALE_SOURCE_HOURS) return [];
  return [
    `the source of ${serves} was last read ${Math.round(lagHours)} hours ago`,
  ];
}

/** Days after which the newest published day is old: a source publishes a day within two. */
const OLD_DATA_DAYS = 5;

/** Says that a source publishes no new days. One that is not read is said to be so. */
function oldData(publication: Publication | null, now: number): string[] {
  if (publication === null) return [];
  const { newestDay, publishedAt, confirmedAt } = publication;
  const readAt = Math.max(publishedAt, confirmedAt);
  const isRead = now - readAt <= STALE_SOURCE_HOURS * HOUR_MS;
  const days = dayAt(now) - newestDay;
  return !isRead || days < OLD_DATA_DAYS
    ? []
    : [`the newest published day of the C-Chain is ${days} days ago`];
}

/** A job that runs every minute is not late within this time: its last run may have waited. */
const LATE_MS = 10 * MINUTE_MS;

/** Returns whether a job has work with the settings. */
function isScheduled(
  job: JobName,
  { payment }: Pick<StatusDeps, "payment">,
): boolean {
  const { needsTreasury }: JobSchedule = JOB_SCHEDULES[job];
  return !needsTreasury || payment.treasury !== null;
}

/** Says that a job fails, or that it did not start at its last two due times. */
function unwellJob(
  { job, schedule, lastRun }: JobStatus,
  now: number,
): string[] {
  if (lastRun === null) return [];
  const { result, startedAt } = lastRun;
  if (result === "failed" || result === "lost") return [`${job}: ${result}`];
  const { oncePerDay }: JobSchedule = JOB_SCHEDULES[job];
  const started = Date.parse(startedAt);
  const isOverdue = result !== "running" &&
    (oncePerDay
      ? dayAt(started) < dayAt(now) - 1
      : started < Math.min(now - LATE_MS, secondDueBefore(schedule, now)));
  return isOverdue ? [`${job}: missed two due times`] : [];
}

/** Says that a run has left due items for the next one: more become due than it can do. */
function backlogOf({ job, endedAt, left }: JobRun): string[] {
  if (endedAt === null || left === undefined) return [];
  return [`${job}: ${left} due items are left for its next run`];
}

/** Age from which an export is old, where exports are made: a week and a day. */
const OLD_EXPORT_DAYS = 8;

function oldExport(exportedAt: number | null, now: number): string[] {
  if (exportedAt === null) return [];
  const days = Math.floor((now - exportedAt) / DAY_MS);
  return days < OLD_EXPORT_DAYS
    ? []
    : [`the last export of the database was ${days} days ago`];
}

/** Room that the disk must have left, in sizes of the database: an export takes a copy and a file. */
const LEAST_FREE = 2;

function fullDisk(disk: DiskSpace | null): string[] {
  if (disk === null || disk.free >= LEAST_FREE * disk.used) return [];
  return ["the disk has room for less than two copies of the database"];
}

/** Returns the due time before the last one, epoch ms. */
function secondDueBefore(schedule: string, now: number): number {
  const due = new Cron(schedule, { timezone: "UTC" })
    .previousRuns(2, new Date(now));
  return minOf(due.map((at) => at.getTime()));
}

type Stored = Awaited<ReturnType<typeof readStored>>;

/** Reads the stored parts of the status, each with a timeout of its own. */
async function readStored(deps: StatusDeps, history: TrafficHistory) {
  const { store } = deps;
  return await together({
    database: pingDatabase(deps),
    sources: inTime(() => listSources(deps)),
    publication: inTime(() => findPublication(deps)),
    checks: inTime(() => listChecks(deps)),
    doubted: inTime(() => store.series.listDoubted()),
    runs: inTime(() => store.jobs.listRuns()),
    incidents: inTime(() => store.jobs.listIncidents()),
    capacity: inTime(() => readCapacityUse(deps)),
    days: inTime(async () => {
      await history.record();
      return await store.trafficDays.list(dayAt(deps.now().getTime()));
    }),
    exportedAt: inTime(() => store.entries.findExport()),
    disk: inTime(() => deps.readDisk()),
  });
}

/** Waits for all values of an object. */
async function together<Parts extends Record<string, Promise<unknown>>>(
  parts: Parts,
) {
  const values = await Promise.all(Object.values(parts));
  return Object.fromEntries(
    Object.keys(parts).map((name, nth) => [name, values[nth]]),
  ) as { [Name in keyof Parts]: Awaited<Parts[Name]> };
}

/** Probes whether the database reads and writes. */
async function pingDatabase(
  { store }: Pick<StatusDeps, "store">,
): Promise<StatusAnswer["database"]> {
  const startedAt = performance.now();
  const [readMs, isWritten] = await Promise.all([
    inTime(() => store.ping().then(() => performance.now() - startedAt)),
    inTime(() => store.pingWrite().then(() => true)),
  ]);
  if (readMs === null) return { status: "unreachable", pingMs: null };
  const pingMs = Math.round(readMs * 10) / 10;
  return { status: isWritten ? "ok" : "readOnly", pingMs };
}

/** Returns the result of a read; null if it fails or takes longer than a second. */
function inTime<T>(read: () => Promise<T>): Promise<T | null> {
  return withTimeout(read(), PART_MS).catch(() => null);
}

/** Lists the days of the history, oldest first. A day without requests has no status. */
function listHistory(
  days: Awaited<ReturnType<StatusDeps["store"]["trafficDays"]["list"]>>,
  today: number,
): NonNullable<StatusAnswer["history"]> {
  const recorded = new Map(days.map(({ day, ...counted }) => [day, counted]));
  return Array.from({ length: HISTORY_DAYS }, (_, nth) => {
    const day = today - HISTORY_DAYS + 1 + nth;
    const counted = recorded.get(day) ?? { requests: 0, serverErrors: 0 };
    const isBad = isFailing(counted, DEGRADED_PCT.all);
    return {
      date: formatDay(day),
      status: counted.requests === 0 ? null : isBad ? "degraded" : "ok",
      ...counted,
      serverErrorPct: failedPct(counted),
    };
  });
}

function showJob(
  job: JobName,
  runs: readonly JobRun[],
  now: number,
): JobStatus {
  const run = runs.find((candidate) => candidate.job === job);
  const { schedule, does, oncePerDay }: JobSchedule = JOB_SCHEDULES[job];
  const isDone = oncePerDay === true && isDoneToday(run, now);
  const from = isDone ? startOfDay(dayAt(now) + 1) : now;
  const due = new Cron(schedule, { timezone: "UTC" }).nextRun(new Date(from))!;
  return {
    job,
    does,
    schedule,
    nextDueAt: due.toISOString(),
    lastRun: run === undefined ? null : {
      result: resultOf(run, now),
      startedAt: instant(run.startedAt),
      endedAt: instant(run.endedAt),
      items: run.items,
      outcome: run.error ?? run.outcome,
    },
  };
}

function showIncident(
  { job, from, to, failedRuns, error }: Incident,
): NonNullable<StatusAnswer["incidents"]>[number] {
  return {
    job: job as JobName,
    from: instant(from),
    to: instant(to),
    failedRuns,
    reason: error,
  };
}

function resultOf({ startedAt, endedAt, error }: JobRun, now: number) {
  if (endedAt !== null) return error === null ? "ok" : "failed";
  return now - startedAt > MAX_RUN_MS ? "lost" : "running";
}

/** From this percentage of failed requests on, the service counts as degraded. */
const DEGRADED_PCT = { all: 1, surface: 5 } as const;

/** With fewer failed requests than this, their percentage is ignored. */
const MIN_FAILURES = 3;

/** Returns whether too many requests failed. */
function isFailing(counted: Counted, maxPct: number): boolean {
  return counted.serverErrors >= MIN_FAILURES && failedPct(counted) >= maxPct;
}

/**
 * Returns whether too many requests of an hour failed: of all requests, or of
 * those to one surface.
 */
export function isTrafficFailing(
  surfaces: readonly (Counted & {
    readonly family: Surface;
    readonly clientErrors: number;
  })[],
): boolean {
  // Refused requests are no successes: otherwise they would hide failures.
  const admitted = surfaces.map((surface) => ({
    ...surface,
    requests: surface.requests - surface.clientErrors,
  }));
  const all = admitted.reduce((sum, { requests, serverErrors }) => ({
    requests: sum.requests + requests,
    serverErrors: sum.serverErrors + serverErrors,
  }), { requests: 0, serverErrors: 0 });
  return isFailing(all, DEGRADED_PCT.all) ||
    admitted.some((surface) => isFailing(surface, DEGRADED_PCT.surface));
}

/** Lists what an operator should change, as the events and sentences of the log. */
export function listWarnings(
  { payment, upstream, proxies }: {
    readonly payment: { readonly treasury: string | null };
    /** The nodes that must agree on a payment. */
    readonly upstream: {
      readonly transfers: readonly { readonly host: string }[];
    };
    readonly proxies: { readonly isBypassable: boolean };
  },
): Warning[] {
  const hosts = new Set(upstream.transfers.map(({ host }) => host));
  const isAlone = payment.treasury !== null && hosts.size < 2;
  return [
    ...isAlone ? [ONE_NODE] : [],
    ...proxies.isBypassable ? [OPEN_PORT] : [],
  ];
}

interface Warning {
  readonly event: "service.single_node" | "service.open_port";
  readonly warning: string;
}

const ONE_NODE: Warning = {
  event: "service.single_node",
  warning:
    "One node alone decides which payments count: set C_CHAIN_RPC_URL to nodes of independent providers",
};

const OPEN_PORT: Warning = {
  event: "service.open_port",
  warning:
    "Whoever reaches the port beside the proxies chooses the address by which he is limited: set TRUSTED_PROXIES to their networks, or LISTEN_ADDRESS to an address that only they reach",
};

/** The reasons of each alert, by the anchor of its section in the runbook. */
const ALERTS = {
  "the-database-is-unreachable": /^the database is unreachable$/,
  "the-database-is-read-only": /^the database is readOnly$/,
  "a-state-is-unknown": /^the state of the \w+ is unknown$/,
  "too-many-requests-fail": /^too many requests fail$/,
  "a-source-was-not-read": /^the source of .* was last read \d+ hours ago$/,
  "no-new-days-are-published":
    /^the newest published day of the C-Chain is \d+ days ago$/,
  "few-calls-are-left": /^under a tenth of the day's calls /,
  "a-source-has-days-that-cannot-be-true": / can't be true on /,
  "a-job-failed": /^[a-z-]+: failed$/,
  "a-job-was-lost": /^[a-z-]+: lost$/,
  "a-job-missed-two-due-times": /^[a-z-]+: missed two due times$/,
  "due-items-are-left": /^[a-z-]+: \d+ due items are left for its next run$/,
  "the-last-export-is-old":
    /^the last export of the database was \d+ days ago$/,
  "the-disk-is-nearly-full": /^the disk has room for less than two copies /,
} as const satisfies Record<string, RegExp>;

/** Returns the path of the section of the runbook about a reason; of the whole page if none is. */
export function runbookPath(reason: string): string {
  const alert = Object.entries(ALERTS).find(([, says]) => says.test(reason));
  return alert === undefined ? "/docs/runbook" : `/docs/runbook#${alert[0]}`;
}

type GaugeDeps =
  & ChainDataDeps
  & { readonly upstream: Parameters<typeof readCapacityUse>[0]["upstream"] };

/** Lists the gauges. */
export function listGauges(deps: GaugeDeps): Gauge[] {
  return [
    {
      name: "firn.source.lag",
      unit: "h",
      description: "Hours since a source was last read",
      read: async () =>
        (await listSources(deps)).flatMap(({ serves, lagHours }) =>
          lagHours === null
            ? []
            : [{ value: lagHours, attributes: { "firn.serves": serves } }]
        ),
    },
    {
      name: "firn.job.age",
      unit: "s",
      description: "Seconds since a job last started",
      read: async () =>
        (await deps.store.jobs.listRuns()).map(({ job, startedAt }) => ({
          value: Math.round((deps.now().getTime() - startedAt) / 1_000),
          attributes: { "firn.job": job },
        })),
    },
    {
      name: "firn.explorer.calls_left",
      unit: "{call}",
      description: "Calls to the explorer index that are left today",
      read: async () => [{ value: (await readCapacityUse(deps)).left }],
    },
    {
      name: "firn.store.size",
      unit: "By",
      description: "Size of the database file",
      read: async () => {
        const disk = await deps.readDisk();
        return disk === null ? [] : [{ value: disk.used }];
      },
    },
    {
      name: "firn.backup.age",
      unit: "s",
      description: "Seconds since the last complete export began",
      read: async () => {
        const at = await deps.store.entries.findExport();
        return at === null
          ? []
          : [{ value: Math.round((deps.now().getTime() - at) / 1_000) }];
      },
    },
    {
      name: "firn.store.conflicts",
      unit: "{commit}",
      description: "Commits of the last hour that had to be repeated",
      read: () =>
        Promise.resolve([{ value: deps.processMetrics.kv.read().conflicts }]),
    },
  ];
}
