/** A process that runs the refresh job on a clock that is faster than the real one. */
import { JOBS } from "../../jobs/schedule.ts";
import { readConfig } from "../../services/config.ts";
import { runJob } from "../../services/job_run.ts";
import { openDeps } from "../../services/deps.ts";

const [kvPath, metricsApiUrl, start, factor] = Deno.args as [
  string,
  string,
  string,
  string,
];
const began = Date.now();
const kv = await Deno.openKv(kvPath);
const deps = openDeps(readConfig({ METRICS_API_URL: metricsApiUrl }), {
  kv,
  fetch,
  now: () =>
    new Date(Date.parse(start) + (Date.now() - began) * Number(factor)),
  sleep: (ms) =>
    new Promise((resolve) => setTimeout(resolve, ms / Number(factor))),
  // deno-lint-ignore no-console
  log: (line) => console.log(line),
});
const job = JOBS.find(({ name }) => name === "refresh-series")!;
await runJob(deps, job);
kv.close();
