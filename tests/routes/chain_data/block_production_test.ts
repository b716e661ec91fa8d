import { assert, assertEquals } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import type { BlocksAnswer } from "../../../services/chain_data/checks/checked_series_schema.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { askChecked, BASE } from "../../support/checked_answers.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { checkDaily } from "../../support/jobs.ts";
import { putSeries } from "../../support/series.ts";

const ask = (deps: TestDeps, query = "") =>
  askChecked(deps, "/block-production", query);

Deno.test("GET /block-production averages over the trailing 7, 30 or 90 days", async () => {
  using deps = await testDeps();
  for (const window of [7, 30, 90]) {
    const body = await ask(deps, `window=${window}`);
    const { series } = body;
    assertEquals(body.window, window);
    const means = series.map((item) => item.meanBlockTimeSeconds);
    const first = means.findIndex((mean) => mean !== null);
    assertEquals(first, window - 1, "not before the window is full");
    for (const index of [first, 500, 1_700, series.length - 2]) {
      const blocks = series.slice(index - window + 1, index + 1)
        .reduce((total, item) => total + item.blocks, 0);
      const mean = Math.round(window * 86_400 / blocks * 1e4) / 1e4;
      assertEquals(means[index], mean, `${window} days to ${index}`);
    }
    assertEquals(means.at(-1), null, "the newest day is still being counted");
  }
  const all = await ask(deps);
  assertEquals(all.window, 30);
  const { series } = await ask(deps, "range=30d");
  assertEquals(
    series,
    all.series.slice(-series.length),
    "a mean looks back beyond the range",
  );
});

Deno.test("GET /block-production returns a null mean for a missing day and for no blocks", async () => {
  using deps = await testDeps({ start: "2020-12-20T08:00:00Z" });
  const blocks = Array.from({ length: 60 }, (_, index) => {
    if (index === 20) return null;
    return 30 <= index && index < 40 ? 0 : 8_640;
  });
  const id = { subject: "explorer-index", metric: "blocks" } as const;
  await putSeries(deps, id, { from: "2020-10-20", values: blocks });
  const { series, gaps } = await ask(deps, "window=7");
  assertEquals(gaps, [{ from: "2020-11-09", to: "2020-11-09" }]);
  const meanOn = (day: string) =>
    series.find((item) => item.day === day)!.meanBlockTimeSeconds;
  const cases: [day: string, mean: number | null][] = [
    ["2020-11-08", 10],
    ["2020-11-10", null],
    ["2020-11-15", null],
    ["2020-11-16", 10],
    ["2020-11-19", 11.6667],
    ["2020-11-24", 70],
    ["2020-11-25", null],
    ["2020-11-28", null],
    ["2020-11-29", 70],
  ];
  for (const [day, mean] of cases) assertEquals(meanOn(day), mean, day);
});

Deno.test("GET /block-production shows samples with the counts that they check", async () => {
  using deps = await testDeps({ start: "2026-11-14T08:00:00Z" });
  await checkDaily(deps, 1);
  deps.advance(7 * DAY_MS);
  await checkDaily(deps, 1);
  const { samples, series, checks } = await ask(deps);
  assert(samples.length >= 15);
  const blocks = new Map(series.map((item) => [item.day, item.blocks]));
  for (const sample of samples) {
    const midnight = `${sample.day}T00:00:00.000Z`;
    assert(sample.firstBlockTimestamp >= midnight);
    assert(sample.previousBlockTimestamp! < midnight);
    const rpcBlocks = sample.nextDayFirstBlock - sample.firstBlock;
    assertEquals(
      [sample.rpcBlocks, sample.blocks, sample.agrees],
      [rpcBlocks, blocks.get(sample.day)!, sample.blocks === rpcBlocks],
    );
  }
  assertEquals(checks.comparedDayCount, samples.length);
  assertEquals(
    checks.disputedDays.map(({ day, value, crossCheckValue }) => [
      day,
      crossCheckValue - value,
    ]),
    [["2026-11-06", 3]],
  );
  const week = await ask(deps, "from=2026-11-06&to=2026-11-07");
  assertEquals(
    week.samples.map(({ day }) => day),
    ["2026-11-06", "2026-11-07"],
    "of the window alone",
  );
});

Deno.test("GET /block-production on an empty store fetches the explorer series once for concurrent requests", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const { calls } = deps.upstreams.explorer;
  const answers = await Promise.all(
    Array.from(
      { length: 100 },
      (_, index) =>
        app.request(
          `${BASE}/block-production?window=${[7, 30, 90][index % 3]}`,
        ),
    ),
  );
  for (const response of answers) {
    assertEquals(response.status, 200);
    const { series }: BlocksAnswer = await response.json();
    assertEquals(series[0]!.day, "2020-09-23");
    assertEquals(series.at(-1)!.day, "2026-11-20");
  }
  assertEquals(calls.length, 7, "the whole history is seven calls");
  deps.advance(DAY_MS);
  await ask(deps, "range=30d");
  assertEquals(calls.length, 7, "later only the job reads");
});

Deno.test("GET /block-production does not serve a truncated history", async () => {
  using deps = await testDeps();
  deps.upstreams.explorer.switch.set({ mode: "status", status: 500, after: 3 });
  for (let request = 0; request < 3; request++) {
    const response = await createApp(deps).request(`${BASE}/block-production`);
    assertEquals(response.status, 503);
    assertEquals((await response.json()).code, "UPSTREAM_UNAVAILABLE");
    deps.advance(60_000);
  }
  deps.upstreams.explorer.switch.set({ mode: "ok" });
  const { calls } = deps.upstreams.explorer;
  calls.length = 0;
  const { series, dataThrough } = await ask(deps);
  assertEquals([series.length, dataThrough], [2_250, "2026-11-19"]);
  assertEquals(calls.length, 4, "what was read is not read again");
});
