/** Runs every job once, and prints the error of each. */
import { JOBS } from "../../../jobs/register_jobs.ts";
import { runJob } from "../../../services/platform/jobs/job_run.ts";
import { testDeps } from "../deps.ts";

using deps = await testDeps();
const ended: unknown[] = [];
for (const job of JOBS) {
  const { error } = await runJob(deps, job);
  ended.push({ job: job.name, error });
}
// deno-lint-ignore no-console
console.log(JSON.stringify(ended));
