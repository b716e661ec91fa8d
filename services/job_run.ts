/** A run of a job: under a lease, bounded in time, and recorded whatever it came to. */
import type { Deps } from "./deps.ts";

/** What a run gets beside its dependencies. */
export interface RunContext {
  /** Instant the run started, epoch ms. */
  readonly startedAt: number;
  /** Prolongs the lease and counts one item; false when the run has to stop. */
  readonly proceed: () => Promise<boolean>;
}

/** A job: safe to repeat, returns one line for the log. */
export interface Job {
  readonly name: string;
  readonly run: (deps: Deps, context: RunContext) => Promise<string>;
}

/** A run as it is recorded. */
export type JobRun = Parameters<Deps["store"]["jobs"]["record"]>[0];

/** Silence after which a holder counts as dead. */
const LEASE_MS = 120_000;

/** Longest run; the schedule starts the next one. */
const LONGEST_RUN_MS = 50 * 60_000;

/** Runs a job unless somebody else does; the record says which of the two it was. */
export async function runLeased(deps: Deps, job: Job): Promise<JobRun> {
  const { jobs } = deps.store;
  const holder = crypto.randomUUID();
  const now = () => deps.now().getTime();
  const startedAt = now();
  const hold = () =>
    jobs.hold(job.name, holder, { now: now(), until: now() + LEASE_MS });
  let run: JobRun = {
    job: job.name,
    startedAt,
    endedAt: null,
    outcome: null,
    items: 0,
    error: null,
  };
  if (!await hold()) {
    deps.log(`job ${job.name}: runs already`);
    return { ...run, endedAt: startedAt, outcome: "runs already" };
  }
  await jobs.record(run);
  try {
    const outcome = await job.run(deps, {
      startedAt,
      async proceed() {
        run = { ...run, items: run.items + 1 };
        return now() - startedAt < LONGEST_RUN_MS && await hold();
      },
    });
    run = { ...run, endedAt: now(), outcome };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    run = { ...run, endedAt: now(), error: text };
  }
  await jobs.record(run);
  await jobs.release(job.name, holder);
  deps.log(`job ${job.name}: ${run.error ?? run.outcome}`);
  return run;
}
