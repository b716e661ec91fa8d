import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import {
  askMetrics,
  errorOf,
  PATH,
} from "../../support/chain_data/metrics_answers.ts";
import { STORED_METRICS } from "../../../services/chain_data/catalogue/metrics_schema.ts";
import { pointsOf } from "../../../services/chain_data/series/series.ts";
import { runNamed, succeed } from "../../support/jobs.ts";

const HOUR_MS = 3_600_000;
Deno.test("with upstream down, a series returns 200 within one hour and 503 after it", async (t) => {
  for (
    const mode of [
      "refuse",
      "status",
      "html",
      "garbage",
      "shape",
    ] as const
  ) {
    await t.step(mode, async () => {
      using deps = await testDeps();
      const fresh = await askMetrics(deps, "range=all");
      deps.upstreams.metricsApi.switch.set({ mode });
      deps.advance(HOUR_MS - 1);
      const inside = await askMetrics(deps, "range=all");
      assertEquals(inside.status, 200);
      assertEquals(inside.body.series, fresh.body.series);
      deps.advance(8 * 24 * HOUR_MS);
      const past = await askMetrics(deps, "range=all");
      assertEquals(past.status, 503);
      assert(Number(past.response.headers.get("Retry-After")) > 0);
      assertEquals(past.response.headers.get("Cache-Control"), "no-store");
      deps.upstreams.metricsApi.switch.set({ mode: "ok" });
      deps.advance(60_000);
      const back = await askMetrics(deps, "range=all");
      assertEquals(back.status, 200);
      assert(back.body.series.length > fresh.body.series.length);
    });
  }
});

Deno.test("with an empty store and upstream down, an unknown chain returns 503, not 404", async () => {
  using deps = await testDeps();
  deps.upstreams.metricsApi.switch.set({ mode: "refuse" });
  const { status, body } = await askMetrics(deps, "chainId=999999999");
  assertEquals(status, 503);
  assertStringIncludes(errorOf(body), "metrics.test: no connection");
});

Deno.test("max-stale returns the last whole series with its real Age", async () => {
  using deps = await testDeps();
  const fresh = await askMetrics(deps, "range=30d");
  deps.upstreams.metricsApi.switch.set({ mode: "refuse" });
  deps.advance(2 * HOUR_MS);
  const accept = async (value: string) => {
    const headers = { "Cache-Control": value };
    return await askMetrics(deps, "range=30d", { headers });
  };
  for (
    const value of [
      "max-stale",
      "no-transform, max-stale=3600",
      "Max-Stale=9999",
    ]
  ) {
    const { response, status, body } = await accept(value);
    assertEquals(status, 200, value);
    assertEquals(response.headers.get("Age"), "7200");
    assertEquals(response.headers.get("Cache-Control"), "public, max-age=0");
    assertEquals(body.series, fresh.body.series);
    assertEquals(body.fetchedAt, fresh.body.fetchedAt);
  }
  for (
    const value of ["max-stale=3599", "no-cache", "max-stalest", "max-stale=x"]
  ) {
    assertEquals((await accept(value)).status, 503, value);
  }
  deps.upstreams.metricsApi.switch.set({ mode: "ok" });
  deps.advance(60_000);
  const { response } = await accept("max-stale");
  assertEquals(response.headers.get("Age"), null, "fresh data come first");
});

Deno.test("impossible days of a history are set aside", async (t) => {
  const day = (text: string) => Date.parse(text) / 1000;
  const whole = ["2026-11-19", "2026-11-18", "2026-11-17", "2026-11-16"];
  const cases: [name: string, timestamps: number[], setAside: number][] = [
    ["the same", whole.map(day), 0],
    ["of the future", [day("2026-11-29"), ...whole.map(day)], 1],
    ["of 1970", [...whole.map(day), 0], 1],
    ["absurd", [86_400 * 2e8, ...whole.map(day)], 1],
  ];
  for (const [name, timestamps, setAside] of cases) {
    await t.step(name, async () => {
      let answer = whole.map(day);
      const fetch = (input: RequestInfo | URL) =>
        Promise.resolve(Response.json(
          new URL((input as Request).url).pathname === "/v2/chains"
            ? {
              chains: [{
                evmChainId: 43114,
                chainName: "c",
                blockchainId: "",
                subnetId: "",
              }],
            }
            : { results: answer.map((timestamp) => ({ timestamp, value: 5 })) },
        ));
      using deps = await testDeps({ fetch: fetch as typeof globalThis.fetch });
      assertEquals((await askMetrics(deps)).status, 200);
      answer = timestamps;
      deps.advance(HOUR_MS);
      const { body: { series } } = await askMetrics(deps);
      assertEquals(
        series.map((point) => point.day),
        whole.toReversed(),
      );
      const { lines } = deps;
      const said = lines.filter((line) => line.includes("rows_set_aside"));
      assertEquals(said.length, setAside);
    });
  }
});

Deno.test("a history with an empty second page is rejected", async () => {
  for (const results of [null, []]) {
    let page = 0;
    const fetch = (input: RequestInfo | URL) =>
      Promise.resolve(Response.json(
        new URL((input as Request).url).pathname === "/v2/chains"
          ? {
            chains: [{
              evmChainId: 43114,
              chainName: "c",
              blockchainId: "",
              subnetId: "",
            }],
          }
          : page++ === 0
          ? {
            results: [{ timestamp: Date.parse("2026-11-19") / 1000, value: 5 }],
            nextPageToken: "more",
          }
          : { results },
      ));
    using deps = await testDeps({ fetch: fetch as typeof globalThis.fetch });
    assertEquals((await askMetrics(deps)).status, 503);
  }
});

Deno.test("setting the clock back does not make stored data fresh", async () => {
  using deps = await testDeps();
  assertEquals((await askMetrics(deps, "range=30d")).status, 200);
  deps.upstreams.metricsApi.switch.set({ mode: "refuse" });
  deps.advance(-48 * HOUR_MS);
  assertEquals((await askMetrics(deps, "range=30d")).status, 503);
});

Deno.test("a truncated history leaves the store unchanged", async () => {
  using deps = await testDeps();
  deps.upstreams.metricsApi.switch.set({ mode: "cut" });
  assertEquals((await askMetrics(deps, "range=all")).status, 503);
  const stored = await Array.fromAsync(deps.kv.list({ prefix: ["series"] }));
  assertEquals(stored, []);
});

Deno.test("500 concurrent first requests cause one fetch of each page", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  await app.request("/api/chain-data/chains");
  const { calls } = deps.upstreams.metricsApi;
  calls.length = 0;
  const answers = await Promise.all(
    Array.from({ length: 500 }, () => app.request(`${PATH}?range=all`)),
  );
  assert(answers.every((response) => response.status === 200));
  assertEquals(calls.length, 2, "the whole history is two pages");
});

Deno.test("data of a previously configured upstream are ignored", async () => {
  using deps = await testDeps();
  await askMetrics(deps, "range=30d");
  const metrics = { ...deps.upstream.metrics, baseUrl: "http://other.test" };
  deps.upstreams.metricsApi.switch.set({ mode: "refuse" });
  const moved = { ...deps, upstream: { ...deps.upstream, metrics } };
  assertEquals((await askMetrics(moved, "range=30d")).status, 503);
});

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
