/** A chain whose values upstream does not answer any more, though it lists the chain. */
import { assert, assertEquals } from "@std/assert";
import { STORED_METRICS } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { testDeps } from "../support/deps.ts";
import { runNamed, succeed } from "../support/jobs.ts";

const MINUTE_MS = 60_000;

Deno.test("refresh-series reads a chain that has become silent less and less often, and soon after a short silence", async () => {
  using deps = await testDeps({ chains: 2 });
  await succeed(deps, "refresh-series");
  const { metrics } = deps.upstream;
  let calls = 0;
  let isSilent = true;
  const readDaily: typeof metrics.readDaily = async (id, options) => {
    const { body, source } = await metrics.readDaily(id, options);
    const isL1 = typeof id.subject === "number" && id.subject !== 43114;
    if (isL1) calls++;
    return { body: isL1 && isSilent ? [] : body, source };
  };
  const upstream = { ...deps.upstream, metrics: { ...metrics, readDaily } };
  const run = async (minutes: number) => {
    for (let passed = 0; passed < minutes; passed += 10) {
      deps.advance(10 * MINUTE_MS);
      await runNamed({ ...deps, upstream }, "refresh-series");
    }
  };
  deps.advance(24 * 60 * MINUTE_MS);
  await run(24 * 60);
  const reads = calls / STORED_METRICS.length;
  assert(reads >= 10 && reads < 25, `${reads} reads of each in a day`);
  isSilent = false;
  await run(8 * 60);
  assertEquals(await deps.store.series.listFailures(), new Map());
});
