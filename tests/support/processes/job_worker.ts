/**
 * Runs the jobs named in the arguments, one after the other. Arguments: the time
 * at the start (ISO 8601), then job names. Settings come from the environment.
 * Sleeping takes no time: it moves this process's clock.
 */
import { JOBS } from "../../../jobs/register_jobs.ts";
import { readConfig } from "../../../services/config.ts";
import { openDeps } from "../../../services/deps.ts";
import { runJob } from "../../../services/platform/jobs/job_run.ts";

const [start = "", ...names] = Deno.args;
let offsetMs = Date.parse(start) - Date.now();
const clockMs = () => Date.now() + offsetMs;

const config = readConfig(Deno.env.toObject());
const kv = await Deno.openKv(config.kvPath);
const deps = openDeps(config, {
  kv,
  fetch,
  now: () => new Date(clockMs()),
  async sleep(ms) {
    const wakeAt = clockMs() + ms;
    await new Promise((resolve) => setTimeout(resolve));
    offsetMs += Math.max(0, wakeAt - clockMs());
  },
  // deno-lint-ignore no-console
  write: (line) => console.log(line),
});
// deno-lint-ignore no-console
console.log("ready");
for (const name of names) {
  await runJob(deps, JOBS.find((job) => job.name === name)!);
}
kv.close();
