/** Stops a process: requests are answered, and the leases of its jobs are given back. */
import type { PlatformDeps } from "../deps.ts";

/** Time for a whole stop. A supervisor usually kills a process after ten seconds. */
export const STOP_MS = 9_500;

/** Time for requests and runs. The rest is for the last writes. */
const PATIENCE_MS = 8_500;

type StopDeps = Pick<PlatformDeps, "runningJobs" | "sleep"> & {
  readonly store: Pick<PlatformDeps["store"], "jobs">;
};

/**
 * Waits until the server has answered its requests and the runs have ended, but
 * at most `PATIENCE_MS`. Then it releases the leases of the remaining runs.
 */
export async function stopGracefully(
  { runningJobs, sleep, store }: StopDeps,
  server: { shutdown(): Promise<void> },
): Promise<void> {
  const ended = Promise.all([server.shutdown(), runningJobs.stop()]);
  await Promise.race([ended, sleep(PATIENCE_MS)]);
  // A lease that cannot be released ends by itself; the writes after it must not wait.
  await Promise.allSettled(
    runningJobs.list().map(({ job, holder }) =>
      store.jobs.release(job, holder)
    ),
  );
}
