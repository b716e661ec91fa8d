/** Whether a job that needs one run a day has had it. */
import { dayAt } from "../days.ts";
import type { JobRun } from "./jobs_store.ts";

/** Returns whether the last run of a job, if any, was of today (UTC) and succeeded. `now` is epoch ms. */
export function isDoneToday(
  run: Pick<JobRun, "startedAt" | "endedAt" | "error"> | undefined,
  now: number,
): boolean {
  return run !== undefined && run.endedAt !== null && run.error === null &&
    dayAt(run.startedAt) === dayAt(now);
}
