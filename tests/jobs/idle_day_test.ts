/** What the jobs of an idle day cost on a hosted database, which bills what is read and written. */
import { assert, assertEquals } from "@std/assert";
import { JOBS, runScheduled } from "../../jobs/register_jobs.ts";
import { testDeps } from "../support/deps.ts";
import { fillByJobs, unitsOfDay } from "../support/kv/idle_day.ts";

const CHAINS = 8;

/** A few units more than was counted when `bench/README.md` was measured. */
const MAX_READS = 12_400;
const MAX_WRITES = 5_750;

Deno.test("an idle day takes no more read and write units than the table of the benchmarks rests on", async () => {
  using deps = await testDeps({
    chains: CHAINS,
    // The default on Deno Deploy.
    settings: { METRIC_FILES_DAYS: "7" },
  });
  await fillByJobs(deps);
  const { all, rows } = await unitsOfDay(deps);
  const most = [...rows].toSorted(([, a], [, b]) =>
    b.reads + b.writes - a.reads - a.writes
  ).slice(0, 20);
  const table = most.map(([name, { reads, writes }]) =>
    `${name}: ${reads} read, ${writes} written`
  ).join("\n");
  assert(all.reads <= MAX_READS, `${all.reads} read units\n${table}`);
  assert(all.writes <= MAX_WRITES, `${all.writes} write units\n${table}`);
});

/** Jobs that ask a source each time: they always have something to do. */
const ALWAYS_ASKING = ["refresh-chains", "find-payments"];

Deno.test("a run with nothing to do writes at most once", async () => {
  using deps = await testDeps({ chains: 2 });
  await fillByJobs(deps);
  const writes: string[] = [];
  let counted = "";
  const note = () => counted !== "" && writes.push(counted);
  const { atomic, set, delete: remove } = deps.kv;
  deps.kv.atomic = () => (note(), atomic.call(deps.kv));
  deps.kv.set = (...args) => (note(), set.apply(deps.kv, args));
  deps.kv.delete = (key) => (note(), remove.call(deps.kv, key));
  for (const job of JOBS) {
    if (ALWAYS_ASKING.includes(job.name)) continue;
    counted = "";
    await runScheduled(deps, job);
    counted = job.name;
    await runScheduled(deps, job);
  }
  assertEquals(writes, [...new Set(writes)]);
});
