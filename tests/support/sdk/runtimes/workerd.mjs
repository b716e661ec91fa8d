/** Runs a worker in workerd, and prints what it answers: node workerd.mjs <worker> <settings> */
import process from "node:process";
import { readFile } from "node:fs/promises";
import { Miniflare } from "miniflare";

const [worker, body] = process.argv.slice(2);
const miniflare = new Miniflare({
  modules: true,
  script: await readFile(worker, "utf8"),
  compatibilityDate: "2026-07-01",
});
const request = { method: "POST", body };
const answer = await miniflare.dispatchFetch("http://worker.example", request);
process.stdout.write(await answer.text());
await miniflare.dispose();
