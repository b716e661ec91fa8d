/** Registers all jobs with their schedules. */
import { Cron } from "croner";
import {
  JOB_NAMES,
  JOB_SCHEDULES,
  type JobName,
  type JobSchedule,
} from "../services/platform/jobs/job_schedules_schema.ts";
import {
  isDoneToday,
  type Job,
  runJob,
} from "../services/platform/jobs/job_run.ts";
import type { JobRun } from "../services/platform/jobs/jobs_store.ts";
import {
  buildRelease,
  findIdleRelease,
} from "../services/downloads/build_release.ts";
import { MINUTE_MS } from "../services/platform/days.ts";
import { minOf } from "../services/platform/numbers.ts";
import { crossCheck } from "./cross_check.ts";
import { findPayments } from "./find_payments.ts";
import { findIdleScores, recordScores } from "./record_scores.ts";
import { findIdleGraph, refreshGraph } from "./refresh_graph.ts";
import { findIdleRefresh, refreshAllSeries } from "./refresh_series.ts";
import {
  findIdleSnapshot,
  type MeasurementDeps,
  sampleBlocks,
  snapshotValidators,
} from "./own_measurements.ts";
import { findIdleWaiting, scoreWaiting } from "./score_waiting.ts";
import type { ProfilesDeps } from "../services/profiles/profiles.ts";
import type { ScoresDeps } from "../services/scores/scores.ts";
import { refreshChains } from "../services/chain_data/catalogue/chains.ts";
import type { ChainDataDeps } from "../services/chain_data/checks/deps.ts";
import { jobCallOptions } from "../services/platform/rate_limit/call_budget.ts";
import type { DownloadsDeps } from "../services/downloads/downloads.ts";

/** A job with its schedule. */
interface ScheduledJob extends Job<JobDeps>, JobSchedule {
  /** Whether the job runs at the first start, to fill a new database. */
  readonly atFirstStart?: true;
}

/** The work of each job. */
const RUNS: Record<
  JobName,
  Pick<ScheduledJob, "run" | "findIdle" | "atFirstStart">
> = {
  "refresh-chains": { run: refreshChainList, atFirstStart: true },
  "refresh-series": { run: refreshAllSeries, findIdle: findIdleRefresh },
  "build-downloads": { run: buildRelease, findIdle: findIdleRelease },
  "snapshot-validators": {
    run: snapshotValidators,
    findIdle: findIdleSnapshot,
    atFirstStart: true,
  },
  "cross-check": { run: crossCheck, atFirstStart: true },
  "sample-blocks": { run: sampleBlocks, atFirstStart: true },
  "record-scores": { run: recordScores, findIdle: findIdleScores },
  "refresh-graph": { run: refreshGraph, findIdle: findIdleGraph },
  "find-payments": { run: findPayments },
  "score-waiting": { run: scoreWaiting, findIdle: findIdleWaiting },
};

/** All jobs. */
export const JOBS: readonly ScheduledJob[] = JOB_NAMES.map((name) => ({
  name,
  ...JOB_SCHEDULES[name],
  ...RUNS[name],
}));

/** Delays before a failed run is retried. */
const BACKOFF_MS = [10_000, 60_000];

/**
 * Registers every job that has work with these settings. A failed run is retried here:
 * the platform would retry it, too, but prints lines of its own in the log.
 */
export function scheduleJobs(
  opening: Promise<JobDeps>,
  { runsJobs, treasuryAddress }: {
    readonly runsJobs: boolean;
    readonly treasuryAddress: string | null;
  },
): void {
  for (const job of JOBS) {
    if (job.needsTreasury && treasuryAddress === null) continue;
    const options = { backoffSchedule: BACKOFF_MS };
    Deno.cron(job.name, job.schedule, options, async () => {
      if (!runsJobs) return;
      // The start has said why nothing opens; the platform would log it again in each run.
      const deps = await opening.catch(() => null);
      if (deps === null) return;
      await runScheduled(deps, job);
    });
  }
}

/** The job, due every minute, at whose times the service looks for runs whose process was killed. */
const WATCH: JobName = "refresh-series";

/** Does what is due at a time of a job's schedule. What fails is logged. */
export async function runScheduled(
  deps: JobDeps,
  job: ScheduledJob,
): Promise<void> {
  await Promise.all([
    runUntilDone(deps, job),
    job.name === WATCH && resumeLost(deps).catch(toLog(deps, job)),
  ]);
}

/** Runs a job that is due, and again after each delay while it fails: until the next time of its schedule. */
async function runUntilDone(deps: JobDeps, job: ScheduledJob): Promise<void> {
  const { now, runningJobs, sleep } = deps;
  const nextAt = new Cron(job.schedule, { timezone: "UTC" }).nextRun(now())!
    .getTime();
  for (const delayMs of [...BACKOFF_MS, Infinity]) {
    const isDone = await runDueJob(deps, job)
      .then((run) => run === null || run.error === null, toLog(deps, job));
    if (isDone || now().getTime() + delayMs >= nextAt) return;
    await Promise.race([sleep(delayMs), runningJobs.untilStop]);
    if (runningJobs.isStopping()) return;
  }
}

/** Logs what the database refused before or after a run. */
const toLog = ({ log }: JobDeps, { name }: ScheduledJob) => (error: unknown) =>
  void log("job.failed", { job: name, error });

/** A job of this schedule runs again within a minute by itself. */
const EVERY_MINUTE = "* * * * *";

/**
 * Runs the jobs again whose last run neither ended nor has a process any more: now, or
 * when the lease ends that a process may have left, if that is before the next minute.
 */
async function resumeLost(deps: JobDeps): Promise<void> {
  const { now, sleep, runningJobs, store: { jobs } } = deps;
  const nextAt = now().getTime() + MINUTE_MS;
  for (let isFirst = true;; isFirst = false) {
    const unfinished = (await jobs.listRuns())
      .filter(({ endedAt }) => endedAt === null).map(({ job }) => job);
    if (unfinished.length === 0) return;
    const held = await jobs.listHeld(now().getTime());
    for (const job of JOBS) {
      const { name, schedule } = job;
      const isLost = unfinished.includes(name) && !held.has(name);
      // The first time such a job is due anyway.
      if (isLost && !(isFirst && schedule === EVERY_MINUTE)) {
        await runJob(deps, job);
      }
    }
    const own = runningJobs.list().map(({ job }) => job);
    const endsAt = minOf(
      unfinished.filter((name) => !own.includes(name))
        .map((name) => held.get(name) ?? Infinity),
    );
    if (endsAt >= nextAt) return;
    await Promise.race([
      sleep(endsAt - now().getTime()),
      runningJobs.untilStop,
    ]);
    if (runningJobs.isStopping()) return;
  }
}

/** Runs a job at a time of its schedule. Returns null if it has had its one run of the day. */
export async function runDueJob(
  deps: JobDeps,
  job: ScheduledJob,
): Promise<JobRun | null> {
  if (job.oncePerDay) {
    const runs = await deps.store.jobs.listRuns();
    const last = runs.find((run) => run.job === job.name);
    if (isDoneToday(last, deps.now().getTime())) return null;
  }
  return await runJob(deps, job);
}

/** Runs the jobs that fill a new database, one after the other. */
export async function runFirstJobs(
  deps: JobDeps,
  { runsJobs }: { readonly runsJobs: boolean },
): Promise<void> {
  if (!runsJobs) return;
  const ran = new Set(
    (await deps.store.jobs.listRuns())
      .filter(({ endedAt, error }) => endedAt !== null && error === null)
      .map(({ job }) => job),
  );
  for (const job of JOBS) {
    if (job.atFirstStart && !ran.has(job.name)) await runJob(deps, job);
  }
}

/** Dependencies of jobs. */
type JobDeps = DownloadsDeps & MeasurementDeps & ProfilesDeps & ScoresDeps;

/** Fetches the chain list and replaces the stored one. */
async function refreshChainList(deps: ChainDataDeps): Promise<string> {
  const { chains } = await refreshChains(deps, jobCallOptions());
  return `${chains.length} chains`;
}
