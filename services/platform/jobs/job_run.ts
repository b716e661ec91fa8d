/** A run of a job: under a lease, bounded in time, and recorded whatever it came to. */
import type { PlatformDeps } from "../deps.ts";
import { Fault } from "../fault.ts";

/** What a run gets beside its dependencies. */
export interface RunContext {
  /** Counts one item; false when the run has to stop. */
  readonly proceed: () => Promise<boolean>;
}

/** A job: safe to repeat, returns one line for the log. */
export interface Job<JobDeps> {
  readonly name: string;
  readonly run: (deps: JobDeps, context: RunContext) => Promise<string>;
}

/** A run as it is recorded. */
export type JobRun = Parameters<PlatformDeps["store"]["jobs"]["record"]>[0];

/** What every run uses, whatever its job uses besides. */
type RunDeps = Pick<PlatformDeps, "log" | "now" | "telemetry"> & {
  readonly store: Pick<PlatformDeps["store"], "jobs">;
};

/** Silence after which a holder counts as dead; no single item may take as long. */
const LEASE_MS = 180_000;

/** Longest run; the schedule starts the next one. */
export const LONGEST_RUN_MS = 50 * 60_000;

/** Runs a job now, unless it runs somewhere already; the outcome says which. */
export function runJob<JobDeps extends RunDeps>(
  deps: JobDeps,
  job: Job<JobDeps>,
): Promise<JobRun> {
  return deps.telemetry.trace({
    name: `job ${job.name}`,
    kind: "internal",
    attributes: { "firn.job": job.name },
  }, async ({ set, fail }) => {
    const { run, error } = await runLeased(deps, job);
    if (error !== undefined) fail(error);
    set({
      "firn.job.outcome": run.error ?? run.outcome ?? "",
      "firn.job.items": run.items,
    });
    return run;
  });
}

/** Runs a job under its lease; `error` is what it threw. */
async function runLeased<JobDeps extends RunDeps>(
  deps: JobDeps,
  job: Job<JobDeps>,
): Promise<{ readonly run: JobRun; readonly error?: unknown }> {
  const { jobs } = deps.store;
  const holder = crypto.randomUUID();
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
        return now() - startedAt < LONGEST_RUN_MS && await hold();
      },
    });
    run = { ...run, endedAt: now(), outcome };
  } catch (error) {
    thrown = { error };
    run = { ...run, endedAt: now(), error: publicMessageOf(error) };
  } finally {
    // Whoever lost the lease must not write over the record of its successor.
    if (await hold()) await jobs.record(run);
    await jobs.release(job.name, holder);
  }
  logRun(deps, run, thrown);
  return { run, ...thrown };
}

/** Everybody may read how a run ended: what a defect says is in the log alone. */
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
