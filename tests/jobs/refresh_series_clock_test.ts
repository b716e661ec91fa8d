/** The sweep after the clock was set back. */
import { assertEquals } from "@std/assert";
import { STORED_METRICS } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { testDeps } from "../support/deps.ts";
import { succeed } from "../support/jobs.ts";

const HOUR_MS = 3_600_000;

Deno.test("refresh-series reads all series once after the clock was set back, an empty one, too", async () => {
  using deps = await testDeps({ chains: 3, start: "2026-11-21T22:00:00Z" });
  const { metrics } = deps.upstream;
  const read: string[] = [];
  const readDaily: typeof metrics.readDaily = async (id, options) => {
    read.push(`${id.subject} ${id.metric}`);
    const { body, source } = await metrics.readDaily(id, options);
    const isEmpty = id.subject === 2044 && id.metric === "activeSenders";
    return { body: isEmpty ? [] : body, source };
  };
  const upstream = { ...deps.upstream, metrics: { ...metrics, readDaily } };
  const world = { ...deps, upstream };
  await succeed(world, "refresh-series");
  deps.advance(5 * HOUR_MS);
  await succeed(world, "refresh-series");
  deps.advance(-2 * HOUR_MS);
  read.length = 0;
  await succeed(world, "refresh-series");
  assertEquals(new Set(read).size, 3 * STORED_METRICS.length + 4);
  assertEquals(read.length, new Set(read).size, "none is read twice");
  assertEquals(
    (await succeed(world, "refresh-series")).split(",")[0],
    "nothing is due",
  );
});
