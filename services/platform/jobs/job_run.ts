/** Runs a job: with a lease, bounded in time, and recorded. */
import { MINUTE_MS } from "../days.ts";
import type { PlatformDeps } from "../deps.ts";
import { Fault } from "../fault.ts";
import type { RunningJob } from "./running_jobs.ts";

/** Arguments of a run besides its dependencies. */
export interface RunContext {
  /** Counts one item and renews the lease. False if the run has to stop. */
  readonly proceed: () => Promise<boolean>;
}

/** A job. Runs are idempotent and return one line for the log. */
export interface Job<JobDeps> {
  readonly name: string;
  readonly run: (deps: JobDeps, context: RunContext) => Promise<string>;
}

/** The record of a run. */
export type JobRun = Parameters<PlatformDeps["store"]["jobs"]["record"]>[0];

/** Dependencies of every run. */
type RunDeps =
  & Pick<PlatformDeps, "log" | "now" | "telemetry" | "runningJobs">
  & {
    readonly store: Pick<PlatformDeps["store"], "jobs">;
  };

/**
 * Lease duration: a holder that is silent longer counts as dead, so no item may
 * take longer.
 */
const LEASE_MS = 180_000;

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
  const hold = () =>
    jobs.hold(job.name, holder, { now: now(), forMs: LEASE_MS });
  const startedAt = now();
  let run: JobRun = {
    job: job.name,
    startedAt,
    endedAt: null,
    outcome: null,
    items: 0,
    error: null,
  };
  if (runningJobs.isStopping()) {
    return { run: { ...run, endedAt: startedAt, outcome: "process stops" } };
  }
  if (!await hold()) {
    deps.log("job.skipped", { job: job.name });
    return { run: { ...run, endedAt: startedAt, outcome: "runs already" } };
  }
  let thrown: { readonly error?: unknown } = {};
  try {
    await jobs.record(run);
    const outcome = await job.run(deps, {
      async proceed() {
        run = { ...run, items: run.items + 1 };
        return !runningJobs.isStopping() && now() - startedAt < MAX_RUN_MS &&
          await hold();
      },
    });
    run = { ...run, endedAt: now(), outcome };
  } catch (error) {
    thrown = { error };
    run = { ...run, endedAt: now(), error: publicMessageOf(error) };
  } finally {
    // After losing the lease, do not overwrite the record of the new holder.
    if (await hold()) await jobs.record(run);
    await jobs.release(job.name, holder);
  }
  logRun(deps, run, thrown);
  return { run, ...thrown };
}

/** The status page is public: the message of a bug goes to the log only. */
function publicMessageOf(error: unknown): string {
  return error instanceof Fault ? error.message : "internal error";
}

function logRun(
  { log }: Pick<PlatformDeps, "log">,
  { job, startedAt, endedAt, items, outcome, error }: JobRun,
  thrown: { readonly error?: unknown },
): void {
  const facts = { job, items, ms: (endedAt ?? startedAt) - startedAt };
  if (error === null) log("job.ended", { ...facts, outcome });
  else log("job.failed", { ...facts, ...thrown });
}
