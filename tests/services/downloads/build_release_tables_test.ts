/** Which tables a release has: those that fit, and of its own upstream. */
import { assert, assertEquals } from "@std/assert";
import { DAY_MS, parseDay } from "../../../services/platform/days.ts";
import { runJob } from "../../../services/platform/jobs/job_run.ts";
import { JOBS } from "../../../jobs/register_jobs.ts";
import { testDeps } from "../../support/deps.ts";
import { succeed } from "../../support/jobs.ts";
import { endSweep, sweep } from "../../support/chain_data/swept.ts";
import { fill, TABLES } from "../../support/chain_data/downloads.ts";

const JOB = JOBS.find(({ name }) => name === "build-downloads")!;

Deno.test("a table that cannot be read keeps its files, but not those of another upstream", async () => {
  using deps = await testDeps();
  await fill(deps);
  await succeed(deps, "build-downloads");
  const listChecked = async () =>
    (await deps.store.downloads.listTables()).map(({ name }) => name)
      .filter((name) => name.startsWith("checked-"));
  const before = await listChecked();
  assert(before.length > 1);
  for (const url of [undefined, "http://other.test"]) {
    using down = await testDeps({
      fetch: () => Promise.reject(new TypeError("no connection")),
      ...url && { settings: { METRICS_API_URL: url } },
    });
    const moved = { ...deps, share: down.share, upstream: down.upstream };
    deps.advance(DAY_MS);
    await sweep(moved, {
      chains: { 7: "Seven" },
      metrics: ["txCount"],
      valuesOf: () => ({ from: "2026-11-01", values: [1, 2] }),
    });
    await runJob(moved, JOB);
    // The explorer index, which is the source of the blocks, has not changed.
    const kept = url === undefined
      ? before
      : before.filter((name) => name === "checked-blocks");
    assertEquals(await listChecked(), kept);
  }
});

Deno.test("a table that exceeds the 512 MiB of a release is left out, and the others are released", async () => {
  using deps = await testDeps();
  await fill(deps);
  await succeed(deps, "build-downloads");
  const { store, kv } = deps;
  const table = (await store.downloads.findTable("gasUsed-2026"))!;
  const [first, ...others] = table.files;
  const large = { ...table, files: [{ ...first!, bytes: 2 ** 29 }, ...others] };
  await kv.set(["download_tables", table.name], large);
  deps.advance(DAY_MS);
  await endSweep(deps, parseDay("2026-11-22"));
  const outcome = await succeed(deps, "build-downloads");
  assert(outcome.endsWith("; over the limit: gasUsed-2026"), outcome);
  assertEquals(await store.downloads.findTable(table.name), null);
  const { length } = await store.downloads.listTables();
  assertEquals(length, TABLES - 1);
});
