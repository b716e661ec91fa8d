import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { JOBS } from "../../jobs/register_jobs.ts";
import { runJob } from "../../services/platform/jobs/job_run.ts";
import { METRIC_NAMES } from "../../services/chain_data/metrics_schema.ts";
import { type TestDeps, testDeps } from "../support/deps.ts";

const refreshSeries = JOBS.find(({ name }) => name === "refresh-series")!;
const HOUR_MS = 3_600_000;

const seriesCalls = (deps: TestDeps) =>
  deps.upstreams.metricsApi.calls.filter(({ path }) =>
    path.includes("/metrics/")
  );

/** Returns the maximum number of calls within any minute. */
function maxInAMinute(deps: TestDeps): number {
  const instants = deps.upstreams.metricsApi.calls.map(({ at }) => at);
  return Math.max(
    ...instants.map((from) =>
      instants.filter((at) => at >= from && at < from + 60_000).length
    ),
  );
}

async function countHeads(deps: TestDeps): Promise<number> {
  const entries = deps.kv.list({ prefix: ["series"] });
  const keys = await Array.fromAsync(entries, ({ key }) => key.at(-1));
  return keys.filter((part) => part === "head").length;
}

Deno.test("refresh-series starts with the C-Chain, stops at its limit and continues in the next run", async () => {
  using deps = await testDeps({ chains: 40 });
  const first = await runJob(deps, refreshSeries);
  assertEquals(first.error, null);
  assertEquals(first.outcome, "400 series read, 0 failed, 124 still due");
  const chains = seriesCalls(deps).map(({ path }) => path.split("/")[3]);
  assertEquals(
    new Set(chains.slice(8, 8 + 26)),
    new Set(["43114"]),
    "13 metrics, 2 pages each",
  );
  const second = await runJob(deps, refreshSeries);
  assertStringIncludes(second.outcome!, "still due");
  assertEquals(await countHeads(deps), 524);
  const distinct = new Set(
    seriesCalls(deps).map(({ path }) => path.split("?")[0]),
  );
  assertEquals(distinct.size, 40 * METRIC_NAMES.length + 4);
});

Deno.test("refresh-series makes at most 50 calls per minute for 200 chains, 60 with readers", async () => {
  using deps = await testDeps({ chains: 200 });
  let due = Infinity;
  for (let run = 0; due > 0 && run < 20; run++) {
    const { outcome, error } = await runJob(deps, refreshSeries);
    assertEquals(error, null);
    due = Number(outcome!.match(/(\d+) still due/)![1]);
    deps.advance(10 * 60_000);
    if (run === 0) assertEquals(due, 2_204);
    // The C-Chain and the first chains are due again. One refresh of every chain is enough.
    if (await countHeads(deps) === 2_604) break;
  }
  assertEquals(await countHeads(deps), 2_604);
  assert(maxInAMinute(deps) <= 50, `${maxInAMinute(deps)} calls in a minute`);
});

Deno.test("refresh-series continues with other series if one always fails", async () => {
  using deps = await testDeps({ chains: 3 });
  await runJob(deps, refreshSeries);
  deps.advance(2 * HOUR_MS);
  const { metrics } = deps.upstream;
  const failing = {
    ...metrics,
    readDaily:
      ((id, options) =>
        id.subject === 43114 && id.metric !== "txCount"
          ? metrics.readDaily({ ...id, subject: -1 }, options)
          : metrics.readDaily(id, options)) as typeof metrics.readDaily,
  };
  const flawed = { ...deps, upstream: { ...deps.upstream, metrics: failing } };
  for (let run = 0; run < 4; run++) await runJob(flawed, refreshSeries);
  const { outcome } = await runJob(deps, refreshSeries);
  assertEquals(outcome, "0 series read, 0 failed, 0 still due");
});

Deno.test("refresh-series with upstream down fails early and changes nothing", async () => {
  using deps = await testDeps();
  await deps.upstream.metrics.listChains({
    priority: "job",
    signal: new AbortController().signal,
  });
  deps.upstreams.metricsApi.switch.set({ mode: "status", status: 500 });
  const run = await runJob(deps, refreshSeries);
  assertEquals(run.error, "Cannot read metrics.test: status is 500");
  assertEquals(await countHeads(deps), 0);
  assert(seriesCalls(deps).length <= 5);
  const [record] = await deps.store.jobs.listRuns();
  assertEquals(record, run);
});

Deno.test("refresh-series runs in one process at a time and continues after a dead one", async () => {
  using deps = await testDeps({ chains: 2 });
  const [first, second] = await Promise.all([
    runJob(deps, refreshSeries),
    runJob(deps, refreshSeries),
  ]);
  assertEquals([first.outcome, second.outcome].toSorted(), [
    "30 series read, 0 failed, 0 still due",
    "runs already",
  ]);
  const now = deps.now().getTime();
  await deps.store.jobs.hold("refresh-series", "killed", {
    now,
    forMs: 180_000,
  });
  assertEquals((await runJob(deps, refreshSeries)).outcome, "runs already");
  deps.advance(180_000);
  assertEquals(
    (await runJob(deps, refreshSeries)).outcome,
    "0 series read, 0 failed, 0 still due",
  );
});
