/** Runs jobs by name. */
import { assertEquals } from "@std/assert";
import { JOBS } from "../../jobs/register_jobs.ts";
import { DAY_MS } from "../../services/platform/days.ts";
import type { Deps } from "../../services/deps.ts";
import { runJob, runningJobs } from "../../services/platform/jobs/job_run.ts";
import { restart } from "./app.ts";
import type { TestDeps } from "./deps.ts";
import { filledDeps } from "./filled_deps.ts";

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

/** Opens default deps on whose day the jobs behind the checked series have run. */
export const checkedDeps = () => filledDeps(checkOnce);

const checkOnce = (deps: TestDeps) => checkDaily(deps, 1);

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
