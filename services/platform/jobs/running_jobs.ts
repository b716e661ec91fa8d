/** The job runs of this process, and how it stops: requests are answered, and the leases of its jobs are given back. */
import { MINUTE_MS } from "../days.ts";
import type { jobStore } from "./jobs_store.ts";
import type { Timer } from "../clock.ts";

/** A run: its job, and the holder of its lease. */
export interface RunningJob {
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
export const RENEW_MS = 15_000;

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
export const STOP_MS = 3_900;

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
 * Then it releases the leases of the remaining runs.
 */
export async function stopGracefully(
  { runningJobs, sleep, store }: StopDeps,
  server: { shutdown(): Promise<void> },
): Promise<void> {
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
}
