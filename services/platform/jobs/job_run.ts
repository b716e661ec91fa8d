/** Runs a job: with a lease, bounded in time, and recorded. */
import { workWithoutTurn } from "../turn.ts";
import { dayAt, MINUTE_MS } from "../days.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../observability/log.ts";
import type { Telemetry } from "../observability/telemetry.ts";
import type { jobStore } from "./jobs_store.ts";
import { Fault } from "../fault.ts";
import { RENEW_MS, type RunningJob, type RunningJobs } from "./running_jobs.ts";

/** Arguments of a run besides its dependencies. */
export interface RunContext {
  /** Counts one item and renews the lease. False if the run has to stop. */
  readonly proceed: () => Promise<boolean>;
  /** Notes how many due items the run leaves for the next one. */
  readonly leave?: (items: number) => void;
}

/** A job. Runs are idempotent and return one line for the log. */
export interface Job<JobDeps> {
  readonly name: string;
  /** Returns the outcome if there is nothing to do now, without a write; else null. It is recorded every five minutes. */
  readonly findIdle?: (deps: JobDeps) => Promise<string | null>;
  readonly run: (deps: JobDeps, context: RunContext) => Promise<string>;
}

/** The record of a run. */
export type JobRun = Parameters<ReturnType<typeof jobStore>["begin"]>[0];

/** Dependencies of every run. */
interface RunDeps extends Clock {
  readonly log: Log;
  readonly telemetry: Telemetry;
  readonly runningJobs: RunningJobs;
  readonly store: { readonly jobs: ReturnType<typeof jobStore> };
}

/** Lease duration: a holder that is silent longer counts as dead. */
const LEASE_MS = 45_000;

/** Maximum duration of a run; the next run continues. */
export const MAX_RUN_MS = 50 * MINUTE_MS;

/** Runs a job now, unless another process is running it. The outcome says which. */
export function runJob<JobDeps extends RunDeps>(
  deps: JobDeps,
  job: Job<JobDeps>,
): Promise<JobRun> {
  return deps.telemetry.trace({
    name: `job ${job.name}`,
    kind: "internal",
    attributes: { "firn.job": job.name },
  }, async ({ set, fail }) => {
    const running = { job: job.name, holder: crypto.randomUUID() };
    // Before the lease is taken, so that a stop does not overlook it.
    deps.runningJobs.begin(running);
    const { run, error } = await runLeased(deps, job, running)
      .finally(() => deps.runningJobs.end(running));
    if (error !== undefined) fail(error);
    set({
      "firn.job.outcome": run.error ?? run.outcome ?? "",
      "firn.job.items": run.items,
    });
    return run;
  });
}

/** Runs a job under its lease. `error` is what the job threw. */
async function runLeased<JobDeps extends RunDeps>(
  deps: JobDeps,
  job: Job<JobDeps>,
  { holder }: RunningJob,
): Promise<{ readonly run: JobRun; readonly error?: unknown }> {
  const { runningJobs, store: { jobs } } = deps;
  const now = () => deps.now().getTime();
  const startedAt = now();
  let run: JobRun = {
    job: job.name,
    startedAt,
    endedAt: null,
    outcome: null,
    items: 0,
    error: null,
  };
  const ended = (outcome: string) => ({ ...run, endedAt: now(), outcome });
  function skipped() {
    deps.log("job.skipped", { job: job.name });
    return { run: ended("runs already") };
  }
  if (runningJobs.isStopping()) return { run: ended("process stops") };
  const isRunning = runningJobs.list()
    .some((other) => other.job === job.name && other.holder !== holder);
  if (isRunning) return skipped();
  const idle = await job.findIdle?.(deps) ?? null;
  if (idle !== null) {
    const run = ended(idle);
    if (runningJobs.isIdleRecorded(job.name, startedAt)) return { run };
    return await jobs.end(run, holder) ? { run } : skipped();
  }
  const times = () => ({ now: now(), forMs: LEASE_MS });
  if (!await jobs.begin(run, holder, times())) return skipped();
  let renewedAt = startedAt;
  let isLost = false;
  async function renew(): Promise<void> {
    renewedAt = now();
    isLost ||= !await jobs.hold(job.name, holder, times());
  }
  // If the database does not answer, the next item or the next time tries again.
  const endRenewal = runningJobs.keepAlive(() => void renew().catch(() => {}));
  let thrown: { readonly error?: unknown } = {};
  let isCut = false;
  try {
    const outcome = await workWithoutTurn(() =>
      job.run(deps, {
        async proceed() {
          run = { ...run, items: run.items + 1 };
          isCut ||= runningJobs.isStopping();
          if (isCut || now() - startedAt >= MAX_RUN_MS) return false;
          if (Math.abs(now() - renewedAt) >= RENEW_MS) await renew();
          return !isLost;
        },
        leave(left) {
          if (left > 0) run = { ...run, left };
        },
      })
    );
    run = ended(outcome);
  } catch (error) {
    isCut ||= runningJobs.isStopping();
    thrown = { error };
    run = { ...run, endedAt: now(), error: publicMessageOf(error) };
  } finally {
    endRenewal();
  }
  if (isCut) {
    // It stays unfinished, so that another process continues it within a minute.
    await jobs.release(job.name, holder);
    const { outcome } = run;
    run = { ...run, outcome: outcome ?? "process stops", error: null };
    thrown = {};
  } else {
    // After losing the lease, this does not overwrite the record of the new holder.
    await jobs.end({ ...run, endedAt: run.endedAt! }, holder);
  }
  logRun(deps, run, thrown);
  return { run, ...thrown };
}

/** The status page is public: the message of a bug goes to the log only. */
function publicMessageOf(error: unknown): string {
  return error instanceof Fault ? error.message : "internal error";
}

function logRun(
  { log }: Pick<RunDeps, "log">,
  { job, startedAt, endedAt, items, outcome, error }: JobRun,
  thrown: { readonly error?: unknown },
): void {
  const facts = { job, items, ms: (endedAt ?? startedAt) - startedAt };
  if (error === null) log("job.ended", { ...facts, outcome });
  else log("job.failed", { ...facts, ...thrown });
}

/** Returns whether the last run of a job, if any, was of today (UTC) and succeeded. `now` is epoch ms. */
export function isDoneToday(
  run: Pick<JobRun, "startedAt" | "endedAt" | "error"> | undefined,
  now: number,
): boolean {
  return run !== undefined && run.endedAt !== null && run.error === null &&
    dayAt(run.startedAt) === dayAt(now);
}
