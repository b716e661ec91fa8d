/** Stops a process: requests are answered, and the leases of its jobs are given back. */
import type { Timer } from "../clock.ts";
import type { jobStore } from "./jobs_store.ts";
import type { RunningJobs } from "./running_jobs.ts";

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
