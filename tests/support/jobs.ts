/** Runs jobs by name. */
import { assertEquals } from "@std/assert";
import { JOBS } from "../../jobs/register_jobs.ts";
import { DAY_MS } from "../../services/platform/days.ts";
import type { Deps } from "../../services/deps.ts";
import { runJob, runningJobs } from "../../services/platform/jobs/job_run.ts";
import { restart } from "./app.ts";
import type { TestDeps } from "./deps.ts";
import { withTimeoutsOn } from "./timeouts.ts";

/** Longer than the lease of a killed job. */
export const LEASE_OVER_MS = 600_000;

/** Finds a job. */
const jobOf = (name: string) => JOBS.find((job) => job.name === name)!;

/**
 * Returns the dependencies of a process of its own. No timer renews the leases of its
 * runs, so that a test may leave them in the middle.
 */
export function ownProcess<D extends Deps>(deps: D): D {
  const ownJobs = { ...runningJobs(), keepAlive: () => () => {} };
  return { ...deps, runningJobs: ownJobs };
}

/**
 * Runs a job as a process of its own, and returns its record, even if it failed. What
 * the app remembers of the time before is forgotten.
 */
export function runNamed(deps: Deps, name: string) {
  restart(deps);
  return runJob(ownProcess(deps), jobOf(name));
}

/** Runs a job, asserts that it succeeds, and returns its outcome. */
export async function succeed(deps: Deps, name: string): Promise<string> {
  const { outcome, error } = await runNamed(deps, name);
  assertEquals(error, null, name);
  return outcome!;
}

/** Runs the jobs behind the checked series on some days, the clock's own first. */
export async function checkDaily(deps: TestDeps, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    if (day > 0) deps.advance(DAY_MS);
    await succeed(deps, "snapshot-validators");
    await succeed(deps, "cross-check");
    await succeed(deps, "sample-blocks");
  }
}

/**
 * How long a slow call takes: less than the timeout of an item, and more than a lease,
 * which a real timer renews. The test's clock passes it: the process knows its runs.
 */
const SLOW_MS = 110_000;

/**
 * Runs a job whose upstream calls are slow on the test's clock: each waits first,
 * unless its signal ends. Returns the error, and the different outcomes of other
 * processes that try to run the job meanwhile.
 */
export async function runSlowly(
  deps: TestDeps,
  name: string,
  slowed: (wait: (signal: AbortSignal) => Promise<void>) => Deps,
): Promise<{ error: string | null; others: (string | null)[] }> {
  const others = new Set<string | null>();
  const rival = { name, run: () => Promise.resolve("took the lease") };
  const { error } = await withTimeoutsOn(deps, (pass) =>
    runJob(
      slowed(async (signal) => {
        const endsAt = deps.now().getTime() + SLOW_MS;
        while (!signal.aborted && deps.now().getTime() < endsAt) {
          pass(5_000);
          others.add((await runJob(deps, rival)).outcome);
        }
      }),
      jobOf(name),
    ));
  return { error, others: [...others] };
}

/** Stands in for a process that is killed during the call after `calls` of them. */
export function dyingAfter<Args extends unknown[], Result>(
  calls: number,
  call: (...args: Args) => Promise<Result>,
): { call: (...args: Args) => Promise<Result>; died: Promise<void> } {
  const { promise: died, resolve } = Promise.withResolvers<void>();
  let made = 0;
  return {
    died,
    call(...args) {
      if (made++ < calls) return call(...args);
      resolve();
      return Promise.withResolvers<Result>().promise;
    },
  };
}
