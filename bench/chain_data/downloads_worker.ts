/** Builds a release in a process of its own, and prints what it cost. Its argument is a database file. */
import process from "node:process";
import { createApp } from "../../routes/app.ts";
import { readConfig } from "../../services/config.ts";
import { openDeps } from "../../services/deps.ts";
import { runNamed } from "../../tests/support/jobs.ts";

const [path, now] = Deno.args as [string, string];
using kv = await Deno.openKv(path);
const deps = openDeps(readConfig({ KV_PATH: path }), {
  kv,
  now: () => new Date(now),
  fetch: () => Promise.reject(new TypeError("no network")),
  write: () => {},
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
});
const app = createApp(deps);
await app.request("/api/chain-data/chains");

const before = { rss: Deno.memoryUsage().rss, cpu: cpuSeconds() };
const { outcome, error } = await runNamed(deps, "build-downloads");
const after = { cpu: cpuSeconds() };
const tables = await deps.store.downloads.listTables();
const files = tables.flatMap(({ files }) => files);
// deno-lint-ignore no-console
console.log(JSON.stringify({
  outcome,
  error,
  idleMb: before.rss / 2 ** 20,
  cpuS: after.cpu - before.cpu,
  files: files.length,
  bytes: files.reduce((total, { bytes }) => total + bytes, 0),
}));

/** CPU time of the process, all threads. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
