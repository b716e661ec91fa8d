/** What the jobs of an idle day cost on a hosted database, which bills what is read and written. */
import { assert } from "@std/assert";
import { testDeps } from "../support/deps.ts";
import { fillByJobs, unitsOfDay } from "../support/kv/idle_day.ts";

const CHAINS = 8;

/** A few units more than was counted when `bench/README.md` was measured. */
const MAX_READS = 11_250;
const MAX_WRITES = 5_900;

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
