/** Runs a job under its lease, notes the runs of this process, and lets them end when it stops. */
import { dayAt, MINUTE_MS } from "../days.ts";
import type { JobRun, jobStore } from "./jobs_store.ts";
import { type Clock, type Timer, withTimeout } from "../clock.ts";
import { workWithoutTurn } from "../cache.ts";
import type { Log } from "../observability/log.ts";
import type { Telemetry } from "../observability/telemetry.ts";
import { Fault } from "../fault.ts";

/** A run: its job, and the holder of its lease. */
interface RunningJob {
  readonly job: string;
  readonly holder: string;
}

/** The job runs of a process. */
export interface RunningJobs {
  /** Returns whether the process stops, so that no run may begin or continue. */
  isStopping(): boolean;
  /** Aborted when the process stops: nothing waits for a turn any more. */
  readonly stopping: AbortSignal;
  /** Resolves when the process stops. */
  readonly untilStop: Promise<void>;
  /** Aborted late in a stop: calls to upstreams end, so that their requests are answered. */
  readonly cutOff: AbortSignal;
  /** Calls `renew` now and then, whatever a run waits for, until the returned function is called. */
  keepAlive(renew: () => void): () => void;
  /**
   * Returns whether this process has recorded a run of a job that had nothing to do
   * within the last minutes. If not, the caller records one at `now`, epoch ms.
   */
  isIdleRecorded(job: string, now: number): boolean;
  /** Notes that a run has begun. */
  begin(run: RunningJob): void;
  /** Notes that a run has ended. */
  end(run: RunningJob): void;
  /** Ends all waits, and asks the runs to stop after their item. Resolves when they have. */
  stop(): Promise<void>;
  /** Ends the calls to upstreams. */
  endCalls(): void;
  /** Lists the runs that have not ended. */
  list(): readonly RunningJob[];
}

/** How often a run renews its lease. */
const RENEW_MS = 15_000;

/** How often a run that has nothing to do is recorded: the status calls a job late after ten minutes. */
const IDLE_MS = 5 * MINUTE_MS;

/** Creates an empty list of runs. */
export function runningJobs(): RunningJobs {
  const runs = new Set<RunningJob>();
  const idleAt = new Map<string, number>();
  const stopped = Promise.withResolvers<void>();
  const stop = new AbortController();
  const cut = new AbortController();
  const begun = Promise.withResolvers<void>();
  const check = () => {
    if (stop.signal.aborted && runs.size === 0) stopped.resolve();
  };
  return {
    isStopping: () => stop.signal.aborted,
    stopping: stop.signal,
    untilStop: begun.promise,
    cutOff: cut.signal,
    keepAlive(renew) {
      const timer = setInterval(renew, RENEW_MS);
      return () => clearInterval(timer);
    },
    isIdleRecorded(job, now) {
      if (Math.abs(now - (idleAt.get(job) ?? -Infinity)) < IDLE_MS) return true;
      idleAt.set(job, now);
      return false;
    },
    begin: (run) => runs.add(run),
    end(run) {
      runs.delete(run);
      check();
    },
    stop() {
      stop.abort();
      begun.resolve();
      check();
      return stopped.promise;
    },
    endCalls: () => cut.abort(),
    list: () => [...runs],
  };
}

/** Time for a whole stop. Deno Deploy kills a process after five seconds. */
const STOP_MS = 3_900;

/** How long requests are still accepted while the health probe says 503. */
const DRAIN_MS = 500;

/** Time for the calls to upstreams. */
const CALLS_MS = 2_200;

/** Time for requests and runs. The rest is for the last writes. */
const PATIENCE_MS = 3_000;

interface StopDeps extends Timer {
  readonly runningJobs: RunningJobs;
  readonly store: { readonly jobs: ReturnType<typeof jobStore> };
}

/**
 * Waits until the server has answered its requests and the runs have ended, but
 * at most `PATIENCE_MS`. What waits for its turn at an upstream is refused at once.
 * Then it releases the leases of the remaining runs, and makes the last writes.
 * Whatever hangs, it resolves within `STOP_MS`.
 */
export async function stopGracefully(
  { runningJobs, sleep, store }: StopDeps,
  server: { shutdown(): Promise<void> },
  writeLast: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  async function stop(): Promise<void> {
    const ended = Promise.all([
      runningJobs.stop(),
      sleep(DRAIN_MS).then(() => server.shutdown()),
    ]);
    void sleep(CALLS_MS).then(() => runningJobs.endCalls());
    await Promise.race([ended, sleep(PATIENCE_MS)]);
    // A lease that cannot be released ends by itself; the writes after it must not wait.
    await Promise.allSettled(
      runningJobs.list().map(({ job, holder }) =>
        store.jobs.release(job, holder)
      ),
    );
    await writeLast();
  }
  await withTimeout(stop(), STOP_MS).catch(() => {});
}

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
  if (!await jobs.hold(job.name, holder, { ...times(), begins: run })) {
    return skipped();
  }
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
