/**
 * A process that runs jobs, one after the other, on a clock that is faster than
 * the real one; its settings are in the environment.
 */
import { JOBS } from "../../../jobs/schedule.ts";
import { readConfig } from "../../../services/config.ts";
import { openDeps } from "../../../services/deps.ts";
import { runJob } from "../../../services/platform/jobs/job_run.ts";

const [start = "", factor = "1", ...names] = Deno.args;
const began = Date.now();
const config = readConfig(Deno.env.toObject());
const kv = await Deno.openKv(config.kvPath);
const deps = openDeps(config, {
  kv,
  fetch,
  now: () =>
    new Date(Date.parse(start) + (Date.now() - began) * Number(factor)),
  sleep: (ms) =>
    new Promise((resolve) => setTimeout(resolve, ms / Number(factor))),
  // deno-lint-ignore no-console
  write: (line) => console.log(line),
});
// deno-lint-ignore no-console
console.log("ready");
for (const name of names) {
  await runJob(deps, JOBS.find((job) => job.name === name)!);
}
kv.close();
