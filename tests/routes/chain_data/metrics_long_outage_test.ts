/** The Metrics API is down for three days, and comes back. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { STORED_METRICS } from "../../../services/chain_data/catalogue/metrics_schema.ts";
import { pointsOf } from "../../../services/chain_data/series/series.ts";
import { runNamed, succeed } from "../../support/jobs.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { createApp } from "../../../routes/app.ts";

const PATH = "/api/chain-data/metrics";
const HOUR_MS = 3_600_000;
const CHAINS = 3;
const L1 = 2044;

const ask = async (deps: TestDeps, path: string, headers = {}) => {
  const response = await createApp(deps).request(path, { headers });
  const { status } = response;
  const text = await response.text();
  return { status, headers: response.headers, text };
};

const countSeries = CHAINS * STORED_METRICS.length + 4;

Deno.test("during three days without upstream, settled windows are 200 and others a 503 that says what can be had; then one sweep brings every day", async (t) => {
  using deps = await testDeps({ chains: CHAINS });
  await succeed(deps, "refresh-chains");
  await succeed(deps, "refresh-series");
  const settled = `${PATH}?chainId=${L1}&metric=gasUsed&to=2026-11-04`;
  const open = `${PATH}?chainId=${L1}&metric=gasUsed&range=30d`;
  const before = await ask(deps, settled);
  deps.upstreams.metricsApi.switch.set({ mode: "refuse" });
  for (let hour = 1; hour <= 72; hour++) {
    deps.advance(HOUR_MS);
    if (hour % 12 > 0) continue;
    await t.step(`after ${hour} hours`, async () => {
      const { error } = await runNamed(deps, "refresh-series");
      assertMatch(error!, /no connection/);
      const kept = await ask(deps, settled);
      assertEquals(kept.status, 200);
      assertMatch(kept.headers.get("Cache-Control")!, /max-age=3600/);
      const { "confirmedAt": _, ...body } = JSON.parse(kept.text);
      const { "confirmedAt": __, ...was } = JSON.parse(before.text);
      assertEquals(body, was);
      const tag = { "If-None-Match": before.headers.get("ETag")! };
      assertEquals((await ask(deps, settled, tag)).status, 304);
      const refused = await ask(deps, open);
      assertEquals(refused.status, 503);
      assert(Number(refused.headers.get("Retry-After")) > 0);
      const { error: message, dataThrough, settledThrough } = JSON.parse(
        refused.text,
      );
      assertEquals([dataThrough, settledThrough], ["2026-11-18", "2026-11-04"]);
      assertMatch(message, /through 2026-11-18: .*max-stale.*to=2026-11-04/);
      const stale = await ask(deps, open, { "Cache-Control": "max-stale" });
      assertEquals(stale.status, 200);
      const page = await ask(
        deps,
        `/?metric=gasUsed&chainId=${L1}&range=1y&interval=day`,
        { Accept: "text/html" },
      );
      // The page shows what is stored, below a banner.
      assertEquals(page.status, 200);
      assertMatch(page.text, /The stored ones end on <[^>]+>2026-11-18</);
    });
  }
  await t.step("back up: one sweep, no duplicate, no lost day", async () => {
    deps.upstreams.metricsApi.switch.set({ mode: "ok" });
    deps.advance(60_000);
    deps.upstreams.metricsApi.calls.length = 0;
    await succeed(deps, "refresh-series");
    const paths = deps.upstreams.metricsApi.calls.map(({ path }) =>
      path.split("?")[0]!
    ).filter((path) => path.includes("/metrics/"));
    assertEquals(new Set(paths).size, countSeries);
    // The weekly read of the whole history has two pages for the oldest series.
    assert(paths.length <= countSeries + STORED_METRICS.length + 4);
    await succeed(deps, "refresh-series");
    const { status, text } = await ask(deps, open);
    assertEquals(status, 200);
    assertEquals(JSON.parse(text).dataThrough, "2026-11-21");
    using fresh = await testDeps({
      chains: CHAINS,
      start: deps.now().toISOString(),
    });
    await succeed(fresh, "refresh-series");
    for (const metric of STORED_METRICS) {
      const id = { subject: L1, metric };
      const held = (await deps.store.series.find(id))!;
      const whole = (await fresh.store.series.find(id))!;
      assertEquals(
        pointsOf(held.series).map(({ day }) => day),
        pointsOf(whole.series).map(({ day }) => day),
      );
    }
  });
});
