import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { jobCallOptions } from "../../../../services/platform/cache/read_through.ts";
import {
  readSeries,
  refreshSeries,
} from "../../../../services/chain_data/series/series_reader.ts";
import { CANARY } from "../../../../services/chain_data/series/series_freshness.ts";
import { newestDay } from "../../../../services/chain_data/series/series.ts";
import { Fault } from "../../../../services/platform/fault.ts";
import { runNamed, succeed } from "../../../support/jobs.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const L1 = { subject: 2044, metric: "gasUsed" } as const;

/** Reads a series as a request without `max-stale` does. */
const read = (deps: TestDeps, id: Parameters<typeof readSeries>[1] = L1) =>
  readSeries(deps, id, { maxStaleMs: 0 });

Deno.test("readSeries() serves a stored series for as long as the canary shows nothing newer, without reading it", async () => {
  using deps = await testDeps({ chains: 3 });
  await succeed(deps, "refresh-series");
  const { fetchedAt } = await read(deps);
  for (let tick = 0; tick < 60; tick++) {
    deps.advance(10 * MINUTE_MS);
    await succeed(deps, "refresh-series");
  }
  deps.upstreams.metricsApi.calls.length = 0;
  const found = await read(deps);
  assertEquals(found.fetchedAt, fetchedAt, "10 hours ago");
  assert(deps.now().getTime() - found.confirmedAt < 10 * MINUTE_MS);
  assertEquals(deps.upstreams.metricsApi.calls, []);
});

Deno.test("readSeries() reads the canary if no job did within the hour, and the series only after a publication", async () => {
  using deps = await testDeps({ chains: 3 });
  const { calls } = deps.upstreams.metricsApi;
  await read(deps);
  calls.length = 0;
  deps.advance(HOUR_MS);
  await read(deps);
  await read(deps);
  const paths = calls.map(({ path }) => path.split("?")[0]);
  assertEquals(new Set(paths), new Set(["/v2/chains/43114/metrics/txCount"]));
  deps.advance(24 * HOUR_MS);
  calls.length = 0;
  const { series, fetchedAt } = await read(deps);
  assertEquals(fetchedAt, deps.now().getTime());
  assert(series.values.length > 0);
  assertEquals(calls.map(({ path }) => path.split("?")[0]), [
    "/v2/chains/43114/metrics/txCount",
    "/v2/chains/2044/metrics/gasUsed",
  ]);
});

Deno.test("refreshSeries() publishes no day of the canary that is not stored, because another process stored its read meanwhile", async () => {
  using deps = await testDeps({ chains: 3 });
  await succeed(deps, "refresh-series");
  const { newestDay: before } = (await deps.store.publications.find())!;
  deps.advance(24 * HOUR_MS);
  const { metrics } = deps.upstream;
  const readDaily: typeof metrics.readDaily = async (id, options) => {
    const read = await metrics.readDaily(id, options);
    const olderReads: typeof metrics.readDaily = () =>
      Promise.resolve({
        ...read,
        body: read.body.filter(({ day }) => day <= before),
      });
    await refreshSeries(reading(olderReads), CANARY, jobCallOptions());
    return read;
  };
  const reading = (readDaily: typeof metrics.readDaily) => ({
    ...deps,
    upstream: { ...deps.upstream, metrics: { ...metrics, readDaily } },
  });
  await refreshSeries(reading(readDaily), CANARY, jobCallOptions());
  const stored = (await deps.store.series.find(CANARY))!;
  const published = (await deps.store.publications.find())!;
  assertEquals(newestDay(stored.series), before);
  assertEquals(published.newestDay, before);
  assertEquals(published.confirmedAt, deps.now().getTime());
  deps.advance(10 * MINUTE_MS);
  await succeed(deps, "refresh-series");
  const { newestDay: after } = (await deps.store.publications.find())!;
  assertEquals(after, before + 1, "the next read of the canary");
});

Deno.test("readSeries() serves the stored series while a sweep is under way, for at most 80 minutes", async () => {
  using deps = await testDeps({ chains: 3, start: "2026-11-21T22:00:00Z" });
  await succeed(deps, "refresh-series");
  const { fetchedAt } = await read(deps);
  deps.advance(110 * MINUTE_MS);
  await succeed(deps, "refresh-series");
  deps.advance(5 * MINUTE_MS);
  // Another process read the canary; its sweep has not begun.
  const unpublished = (await deps.store.publications.find())!;
  await deps.store.publications.confirm({
    newestDay: unpublished.newestDay + 1,
    readAt: deps.now().getTime(),
    origin: unpublished.origin,
  });
  deps.advance(55 * MINUTE_MS);
  const swept = await read(deps);
  assertEquals(swept.fetchedAt, fetchedAt);
  assertEquals(swept.confirmedAt, unpublished.confirmedAt);
  deps.advance(22 * MINUTE_MS);
  assertEquals((await read(deps)).fetchedAt, deps.now().getTime());
});

Deno.test("readSeries() queues a series that it cannot read, and a job reads it within a minute", async () => {
  using deps = await testDeps({ chains: 3 });
  await succeed(deps, "refresh-chains");
  const { metricsApi } = deps.upstreams;
  metricsApi.switch.set({ mode: "refuse" });
  const { message, failure } = await assertRejects(() => read(deps), Fault);
  assertMatch(message, /no connection; it is queued and read next$/);
  assert(failure.kind === "upstreamDown" && failure.retryAfterMs === 30_000);
  metricsApi.switch.set({ mode: "ok" });
  metricsApi.calls.length = 0;
  deps.advance(MINUTE_MS);
  await runNamed(deps, "refresh-series");
  const paths = metricsApi.calls.map(({ path }) => path.split("?")[0]);
  assert(paths.indexOf("/v2/chains/2044/metrics/gasUsed") <= 2, `${paths}`);
  assert((await read(deps)).series.values.length > 0);
});

Deno.test("readSeries() returns series of many processes at once after one fetch each", async () => {
  const kvPath = await Deno.makeTempFile({ suffix: ".sqlite3" });
  {
    using first = await testDeps({ chains: 3, kvPath });
    using second = await testDeps({ chains: 3, kvPath });
    await Promise.all([
      runNamed(first, "refresh-series"),
      runNamed(second, "refresh-series"),
      ...[first, second, first, second].map((deps) => read(deps)),
    ]);
    const publication = await first.store.publications.find();
    assertEquals(publication, await second.store.publications.find());
    assertEquals(publication!.previousAt, null, "one publication");
    const [a, b] = [await read(first), await read(second)];
    assertEquals(a.series, b.series);
  }
  await Deno.remove(kvPath);
});
