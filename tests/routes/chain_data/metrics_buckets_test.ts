import { assert, assertEquals } from "@std/assert";
import {
  METRIC_NAMES,
  METRICS,
} from "../../../services/chain_data/catalogue/metrics_schema.ts";
import { testDeps } from "../../support/deps.ts";
import { askMetrics } from "../../support/chain_data/metrics_answers.ts";
Deno.test("a range counts days back from today; all starts at the first point", async () => {
  using deps = await testDeps();
  const cases = [
    ["range=30d", "2026-10-23"],
    ["range=90d", "2026-08-24"],
    ["range=1y", "2025-11-22"],
    ["range=all", "2020-09-23"],
    ["range=30d&interval=week", "2026-10-19"],
    ["range=30d&interval=month", "2026-10-01"],
    ["from=2026-11-04&to=2026-11-10", "2026-11-04"],
    ["from=2001-01-01", "2020-09-23"],
    ["to=2020-10-01", "2020-09-23"],
  ];
  for (const [query, first] of cases) {
    const { body } = await askMetrics(deps, query);
    assertEquals(body.series[0]!.day, first, query);
  }
  const { body } = await askMetrics(deps, "from=2026-11-04&to=2026-11-10");
  assertEquals(body.series.length, 7);
  assertEquals(body.range, null);
});

Deno.test("every metric folds all days of a bucket", async (t) => {
  using deps = await testDeps();
  const folds: Record<string, (values: number[]) => number> = {
    sum: (values) => values.reduce((total, value) => total + value, 0),
    mean: (values) =>
      values.reduce((total, value) => total + value, 0) / values.length,
    max: (values) => Math.max(...values),
    last: (values) => values[values.length - 1]!,
  };
  for (const metric of METRIC_NAMES) {
    await t.step(metric, async () => {
      deps.advance(10_000);
      const week = "from=2026-10-05&to=2026-10-11";
      const days = await askMetrics(deps, `metric=${metric}&${week}`);
      const weeks = await askMetrics(
        deps,
        `metric=${metric}&${week}&interval=week`,
      );
      const values = days.body.series.map((point) => point.value);
      assertEquals(values.length, 7);
      assertEquals(weeks.body.series, [{
        day: "2026-10-05",
        value: folds[METRICS[metric].fold]!(values),
        complete: true,
      }]);
    });
  }
});

Deno.test("months differ from upstream's own rollup, which is wrong", async () => {
  using deps = await testDeps();
  const url = "http://metrics.test/v2/chains/43114/metrics/txCount" +
    "?timeInterval=month&pageSize=200";
  const rollup =
    await (await deps.upstreams.metricsApi.handle(new Request(url)))
      .json();
  const wrong = new Map<string, number>(
    rollup.results.map(({ timestamp, value }: Record<string, number>) => [
      new Date(timestamp! * 1000).toISOString().slice(0, 10),
      value,
    ]),
  );
  const { body } = await askMetrics(deps, "range=all&interval=month");
  const complete = body.series.filter((point) => point.complete);
  assert(complete.length > 70);
  for (const { day, value } of complete) {
    assert(wrong.has(day));
    assert(wrong.get(day) !== value, day);
  }
});

Deno.test("only the running month is incomplete: the first one is complete since its first day", async () => {
  using deps = await testDeps();
  const { body } = await askMetrics(deps, "range=all&interval=month");
  assertEquals(body.series[0]!.day, "2020-09-01");
  const open = body.series.filter((point) => !point.complete);
  assertEquals(open.map(({ day }) => day), ["2026-11-01"]);
  assertEquals(body.lastPeriodComplete, false);
});
Deno.test("the captured days of July 2025 are served unchanged", async () => {
  const { captures } = JSON.parse(
    await Deno.readTextFile(
      new URL(
        "../../fixtures/txCount_daily_metrics-api_2025-07.json",
        import.meta.url,
      ),
    ),
  );
  const { chains, committedAt } = captures[1];
  const replay: typeof fetch = (input) => {
    const { pathname } = new URL((input as Request).url);
    const id = pathname.split("/")[3];
    return Promise.resolve(Response.json(
      id ? { results: chains[id].results } : {
        chains: Object.entries<{ chainName: string }>(chains).map((
          [id, { chainName }],
        ) => ({
          evmChainId: Number(id),
          chainName,
          blockchainId: "",
          subnetId: "",
        })),
      },
    ));
  };
  using deps = await testDeps({ start: committedAt, fetch: replay });
  const { body } = await askMetrics(deps, "range=30d");
  assertEquals(body.series.slice(-2), [
    { day: "2025-07-06", value: 1302496, complete: true },
    { day: "2025-07-07", value: 176511, complete: false },
  ]);
  assertEquals(body.dataThrough, "2025-07-06");
  assertEquals(body.lastPeriodComplete, false);
});
