import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { parse } from "@std/csv";
import { createApp } from "../../../routes/app.ts";
import {
  type Metric,
  METRIC_NAMES,
  METRICS,
  type MetricsAnswer,
} from "../../../services/chain_data/metrics_schema.ts";
import { ANOMALY_CHAIN_IDS } from "../../../simnet/series/anomalies.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { putSeries } from "../../support/series.ts";

const PATH = "/api/chain-data/metrics";
const HOUR_MS = 3_600_000;

/** Asks the app and reads the answer. */
async function ask(deps: TestDeps, query = "", init?: RequestInit) {
  const response = await createApp(deps).request(`${PATH}?${query}`, init);
  const body = await response.json();
  return { response, status: response.status, body: body as MetricsAnswer };
}

const errorOf = (body: unknown) => (body as { error: string }).error;

Deno.test("GET /metrics answers the C-Chain's year of transactions by default", async () => {
  using deps = await testDeps();
  const { response, status, body } = await ask(deps);
  assertEquals(status, 200);
  assertEquals(Object.keys(body), [
    "metric",
    "chainId",
    "chainName",
    "unit",
    "token",
    "kind",
    "interval",
    "range",
    "aggregation",
    "series",
    "lastPeriodComplete",
    "gaps",
    "dataThrough",
    "fetchedAt",
    "source",
  ]);
  const { series, ...rest } = body;
  assertEquals(rest, {
    metric: "txCount",
    chainId: 43114,
    chainName: "C-Chain",
    unit: "count",
    token: "AVAX",
    kind: "per day",
    interval: "day",
    range: "1y",
    aggregation: "sum",
    lastPeriodComplete: false,
    gaps: [],
    dataThrough: "2026-11-18",
    fetchedAt: "2026-11-21T08:00:00.000Z",
    source: "simulated (simnet in place of the Avalanche Metrics API)",
  });
  assertEquals(series[0]!.day, "2025-11-22", "365 days back, today included");
  assertEquals(series.at(-1)!.day, "2026-11-19");
  assertEquals(series.filter((point) => !point.complete).length, 1);
  assertEquals(response.headers.get("Content-Type"), "application/json");
});

Deno.test("GET /metrics refuses what it does not accept, and says what it does", async (t) => {
  using deps = await testDeps();
  const app = createApp(deps);
  const refusals: [query: string, status: number, error: RegExp][] = [
    [
      "metric=gas",
      400,
      /metric "gas": expected one of txCount, .*cumulativeDeployers/,
    ],
    ["metric=", 400, /metric "": expected one of txCount/],
    ["metric=TXCOUNT", 400, /expected one of txCount/],
    ["range=2y", 400, /range "2y": expected one of 30d, 90d, 1y, all/],
    [
      "interval=hour",
      400,
      /interval "hour": expected one of day, week, month/,
    ],
    ["chainId=abc", 400, /chainId "abc": expected an EVM chain id/],
    ["chainId=1.5", 400, /chainId "1.5": expected an EVM/],
    ["chainId=-1", 400, /chainId "-1": expected an EVM/],
    ["chainId=", 400, /chainId "": expected an EVM/],
    ["chainId=0", 400, /chainId "0": expected an EVM/],
    ["chainId=4e4", 400, /chainId "4e4": expected an EVM/],
    ["chainId=%2B43114", 400, /expected an EVM chain id/],
    ["chainId=%D9%A4", 400, /expected an EVM chain id/],
    ["format=xml", 400, /format "xml": expected one of json, csv/],
    ["from=2026-02-30", 400, /from "2026-02-30": expected a calendar day/],
    ["to=21.11.2026", 400, /to "21.11.2026": expected a calendar day/],
    [
      "from=2026-11-02&to=2026-11-01",
      400,
      /from "2026-11-02": expected a day on or before to/,
    ],
    [
      "range=30d&from=2026-11-01",
      400,
      /range "30d": expected no range beside from or to/,
    ],
    ["range=30d&to=2026-11-01", 400, /expected no range beside from or to/],
    [
      "from=2026-11-22",
      400,
      /from "2026-11-22": expected a day up to 2026-11-21$/,
    ],
    [
      "to=2020-09-20",
      400,
      /to "2020-09-20": expected a day from 2020-09-21 on$/,
    ],
    [
      "metrics=txCount",
      400,
      /parameter "metrics": expected one of metric, range, from, to, interval, chainId, format/,
    ],
    [
      "metric=txCount&metric=gasUsed",
      400,
      /metric: given 2 times, expected once/,
    ],
    ["chainId=1&chainId=1", 400, /chainId: given 2 times, expected once/],
    ["chainId=999999999", 404, /999999999.*no tracked mainnet chain/],
    ["chainId=999999999999999", 404, /no tracked mainnet chain/],
    [`chainId=${"9".repeat(16)}`, 400, /at most 15 digits/],
    [`metric=${"x".repeat(50_000)}`, 400, /^Invalid metric "x{60}…": /],
  ];
  for (const [query, status, error] of refusals) {
    await t.step(`${query.slice(0, 40)} with ${status}`, async () => {
      const response = await app.request(`${PATH}?${query}`);
      assertEquals(response.status, status);
      assertEquals(response.headers.get("Cache-Control"), "no-store");
      assertEquals(response.headers.get("Access-Control-Allow-Origin"), "*");
      const body = await response.json();
      assertMatch(body.error, error);
      assertEquals(body.message, body.error);
      assertEquals(body.code, status === 400 ? "BAD_REQUEST" : "NOT_FOUND");
    });
  }
});

Deno.test("GET /metrics alone: other methods are refused with what is allowed", async () => {
  using deps = await testDeps();
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    const response = await createApp(deps).request(PATH, { method });
    assertEquals(response.status, 405);
    assertEquals(response.headers.get("Allow"), "GET, HEAD");
    assertEquals((await response.json()).code, "METHOD_NOT_ALLOWED");
  }
});

Deno.test("a browser of any origin may read, and may ask whether it may", async () => {
  using deps = await testDeps();
  const response = await createApp(deps).request(PATH, {
    method: "OPTIONS",
    headers: {
      Origin: "https://site.test",
      "Access-Control-Request-Method": "GET",
    },
  });
  assertEquals(response.status, 204);
  assertEquals(response.headers.get("Access-Control-Allow-Origin"), "*");
  assertEquals(
    response.headers.get("Access-Control-Allow-Methods"),
    "GET,HEAD",
  );
});

Deno.test("a range counts days back from today, all goes back to the first point", async () => {
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
    const { body } = await ask(deps, query);
    assertEquals(body.series[0]!.day, first, query);
  }
  const { body } = await ask(deps, "from=2026-11-04&to=2026-11-10");
  assertEquals(body.series.length, 7);
  assertEquals(body.range, null);
});

Deno.test("a bucket is the fold of all its days, for every metric", async (t) => {
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
      const week = "from=2026-10-05&to=2026-10-11";
      const days = await ask(deps, `metric=${metric}&${week}`);
      const weeks = await ask(deps, `metric=${metric}&${week}&interval=week`);
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

Deno.test("a window that begins or ends inside a bucket shows the whole bucket", async () => {
  using deps = await testDeps();
  const whole = await ask(deps, "from=2026-10-05&to=2026-10-11&interval=week");
  const cut = await ask(deps, "from=2026-10-07&to=2026-10-09&interval=week");
  assertEquals(cut.body.series, whole.body.series);
});

Deno.test("no month equals upstream's own rollup, which is wrong", async () => {
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
  const { body } = await ask(deps, "range=all&interval=month");
  const complete = body.series.filter((point) => point.complete);
  assert(complete.length > 70);
  for (const { day, value } of complete) {
    assert(wrong.has(day));
    assert(wrong.get(day) !== value, day);
  }
});

Deno.test("the month of the first point and the running month are incomplete", async () => {
  using deps = await testDeps();
  const { body } = await ask(deps, "range=all&interval=month");
  assertEquals(body.series[0]!.day, "2020-09-01");
  const open = body.series.filter((point) => !point.complete);
  assertEquals(open.map(({ day }) => day), ["2020-09-01", "2026-11-01"]);
  assertEquals(body.lastPeriodComplete, false);
});

Deno.test("a young chain starts at its first point, without zeroes or gaps before", async () => {
  using deps = await testDeps();
  const { body } = await ask(deps, `chainId=${ANOMALY_CHAIN_IDS.young}`);
  assertEquals(body.series[0]!.day, "2026-10-12");
  assertEquals(body.gaps, []);
});

Deno.test("a missing week is a gap, and its weekly buckets are incomplete", async () => {
  using deps = await testDeps();
  const id = ANOMALY_CHAIN_IDS.missingWeek;
  const days = await ask(deps, `chainId=${id}&range=90d`);
  assertEquals(days.body.gaps, [{ from: "2026-09-19", to: "2026-09-25" }]);
  assert(
    days.body.series.every(({ day }) =>
      day < "2026-09-19" || day > "2026-09-25"
    ),
  );
  const weeks = await ask(deps, `chainId=${id}&range=90d&interval=week`);
  const open = weeks.body.series.filter((point) => !point.complete);
  assertEquals(open.map(({ day }) => day), [
    "2026-09-14",
    "2026-09-21",
    "2026-11-16",
  ]);
});

Deno.test("a chain that never had a point answers zeroes for every metric", async () => {
  using deps = await testDeps();
  for (const metric of METRIC_NAMES) {
    const query =
      `chainId=${ANOMALY_CHAIN_IDS.never}&metric=${metric}&range=30d`;
    const { status, body } = await ask(deps, query);
    assertEquals(status, 200);
    assertEquals(body.series.length, 28, "as far as upstream has published");
    assert(body.series.every(({ value }) => value === 0));
    assertEquals(body.lastPeriodComplete, false);
    assertEquals(body.dataThrough, "2026-11-18");
    assertEquals(body.gaps, []);
  }
  const all = await ask(deps, `chainId=${ANOMALY_CHAIN_IDS.never}&range=all`);
  assertEquals(all.body.series[0]!.day, "2020-09-21");
});

Deno.test("a dead chain answers zeroes for what a day brought, and its totals stand", async () => {
  using deps = await testDeps();
  for (const metric of METRIC_NAMES) {
    const query =
      `chainId=${ANOMALY_CHAIN_IDS.dead}&metric=${metric}&range=90d`;
    const { status, body } = await ask(deps, query);
    assertEquals(status, 200, metric);
    assertEquals(body.series.length, 88, metric);
    const total = body.series[0]!.value;
    assert(body.series.every(({ value }) => value === total), metric);
    assertEquals(total === 0, METRICS[metric].kind === "per day", metric);
  }
});

Deno.test("days that upstream has not published are no zeroes", async () => {
  using deps = await testDeps();
  const { never, dead, missingWeek, young } = ANOMALY_CHAIN_IDS;
  const cases: [query: string, values: number[]][] = [
    ["from=2026-11-20&to=2026-11-20", []],
    ["from=2026-11-20&to=2026-11-21&metric=cumulativeTxCount", []],
    ["from=2026-11-20", []],
    [`from=2026-11-20&chainId=${never}`, []],
    [`from=2026-11-20&chainId=${dead}&metric=cumulativeTxCount`, []],
    [`from=2026-09-20&to=2026-09-21&chainId=${missingWeek}`, []],
    [`from=2026-10-01&to=2026-10-02&chainId=${young}`, [0, 0]],
    [`from=2026-11-19&chainId=${never}`, [0]],
  ];
  for (const [query, values] of cases) {
    const { status, body } = await ask(deps, query);
    assertEquals(status, 200, query);
    assertEquals(body.series.map(({ value }) => value), values, query);
    assertEquals(body.lastPeriodComplete, values.length === 2, query);
    assertEquals(body.dataThrough, "2026-11-18", query);
  }
});

Deno.test("dataThrough claims no zeroes of a chain that was idle for a while and is active again", async () => {
  using deps = await testDeps();
  const subject = 53935;
  const days = (count: number, value: number) =>
    Array<number>(count).fill(value);
  const idleOnce = [...days(10, 5), ...days(10, 0)];
  await putSeries(deps, { subject, metric: "txCount" }, {
    from: "2026-09-01",
    values: [...idleOnce, ...days(60, 5)],
  });
  await putSeries(deps, { subject, metric: "feesPaid" }, {
    from: "2026-09-01",
    values: idleOnce,
  });
  for (const window of ["from=2026-09-12&to=2026-09-18", "range=all"]) {
    const query = `chainId=${subject}&metric=feesPaid&${window}`;
    const { status, body } = await ask(deps, query);
    assertEquals([status, body.dataThrough], [200, "2026-09-19"], query);
  }
});

Deno.test("dataThrough is of the whole series: no window moves it", async () => {
  using deps = await testDeps();
  const { dead, never, missingWeek, young } = ANOMALY_CHAIN_IDS;
  const windows = [
    "range=30d",
    "range=all&interval=month",
    "from=2026-11-20",
    "from=2026-11-21&to=2026-11-21&interval=week",
    "from=2026-11-19&to=2026-11-19",
    "from=2026-09-20&to=2026-09-21",
    "from=2020-09-21&to=2020-09-21",
  ];
  for (const chainId of [43114, dead, never, missingWeek, young]) {
    for (const metric of ["txCount", "feesPaid", "cumulativeTxCount"]) {
      for (const window of windows) {
        const query = `chainId=${chainId}&metric=${metric}&${window}`;
        const { status, body } = await ask(deps, query);
        assertEquals([status, body.dataThrough], [200, "2026-11-18"], query);
      }
    }
  }
});

Deno.test("a window inside a missing week lists it, and folds nothing", async () => {
  using deps = await testDeps();
  const id = ANOMALY_CHAIN_IDS.missingWeek;
  for (const metric of ["txCount", "gasUsed", "cumulativeTxCount"]) {
    const query =
      `chainId=${id}&metric=${metric}&from=2026-09-20&to=2026-09-21`;
    const { body } = await ask(deps, query);
    assertEquals(body.series, []);
    assertEquals(body.gaps, [{ from: "2026-09-20", to: "2026-09-21" }]);
  }
});

Deno.test("a metric that upstream lacks of an active chain is a 503 that says so", async () => {
  using deps = await testDeps();
  const id = ANOMALY_CHAIN_IDS.nullAddresses;
  const { response, status, body } = await ask(
    deps,
    `chainId=${id}&metric=cumulativeAddresses`,
  );
  assertEquals(status, 503);
  assertEquals(response.headers.get("Retry-After"), "3600");
  assertMatch(errorOf(body), /has no values, although the chain was active/);
});

Deno.test("CSV has the specified columns and the values of the JSON answer", async () => {
  using deps = await testDeps();
  const query = "metric=feesPaid&range=30d";
  const { body } = await ask(deps, query);
  const response = await createApp(deps).request(`${PATH}?${query}&format=csv`);
  assertEquals(
    response.headers.get("Content-Type"),
    "text/csv; charset=utf-8; header=present",
  );
  const [header, ...rows] = parse(await response.text());
  assertEquals(header, ["period", "feesPaid", "complete"]);
  assertEquals(
    rows,
    body.series.map(({ day, value, complete }) => [
      day,
      String(value),
      String(complete),
    ]),
  );
  assertEquals(
    rows.at(-1)!.at(-1),
    "false",
    "the still-running period is last",
  );
});

Deno.test("the captured days of July 2025 come out as upstream gave them", async () => {
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
  const { body } = await ask(deps, "range=30d");
  assertEquals(body.series.slice(-2), [
    { day: "2025-07-06", value: 1302496, complete: true },
    { day: "2025-07-07", value: 176511, complete: false },
  ]);
  assertEquals(body.dataThrough, "2025-07-06");
  assertEquals(body.lastPeriodComplete, false);
});

Deno.test("upstream down: inside its hour a series answers 200, past it 503", async (t) => {
  for (
    const mode of [
      "refuse",
      "status",
      "html",
      "garbage",
      "shape",
      "cut",
    ] as const
  ) {
    await t.step(mode, async () => {
      using deps = await testDeps();
      const fresh = await ask(deps, "range=all");
      deps.upstreams.metricsApi.switch.set({ mode });
      deps.advance(HOUR_MS - 1);
      const inside = await ask(deps, "range=all");
      assertEquals(inside.status, 200);
      assertEquals(inside.body.series, fresh.body.series);
      deps.advance(8 * 24 * HOUR_MS);
      const past = await ask(deps, "range=all");
      assertEquals(past.status, 503);
      assert(Number(past.response.headers.get("Retry-After")) > 0);
      assertEquals(past.response.headers.get("Cache-Control"), "no-store");
      deps.upstreams.metricsApi.switch.set({ mode: "ok" });
      deps.advance(60_000);
      const back = await ask(deps, "range=all");
      assertEquals(back.status, 200);
      assert(back.body.series.length > fresh.body.series.length);
    });
  }
});

Deno.test("nothing stored and upstream down is a 503, not a 404", async () => {
  using deps = await testDeps();
  deps.upstreams.metricsApi.switch.set({ mode: "refuse" });
  const { status, body } = await ask(deps, "chainId=999999999");
  assertEquals(status, 503);
  assertStringIncludes(errorOf(body), "metrics.test: no connection");
});

Deno.test("max-stale accepts the last whole series, with an honest Age", async () => {
  using deps = await testDeps();
  const fresh = await ask(deps, "range=30d");
  deps.upstreams.metricsApi.switch.set({ mode: "refuse" });
  deps.advance(2 * HOUR_MS);
  const accept = async (value: string) => {
    const headers = { "Cache-Control": value };
    return await ask(deps, "range=30d", { headers });
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

Deno.test("a history that lost a day, or has impossible ones, is refused", async (t) => {
  const day = (text: string) => Date.parse(text) / 1000;
  const whole = ["2026-11-19", "2026-11-18", "2026-11-17", "2026-11-16"];
  const cases: [name: string, timestamps: number[], status: number][] = [
    ["the same", whole.map(day), 200],
    ["lost a day", whole.toSpliced(2, 1).map(day), 503],
    ["lost its newest", whole.slice(1).map(day), 503],
    ["of the future", [day("2026-11-29"), ...whole.map(day)], 503],
    ["of 1970", [...whole.map(day), 0], 503],
    ["absurd", [86_400 * 2e8, ...whole.map(day)], 503],
  ];
  for (const [name, timestamps, status] of cases) {
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
      assertEquals((await ask(deps)).status, 200);
      answer = timestamps;
      deps.advance(HOUR_MS);
      assertEquals((await ask(deps)).status, status);
    });
  }
});

Deno.test("a history whose second page is empty is refused", async () => {
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
    assertEquals((await ask(deps)).status, 503);
  }
});

Deno.test("a clock set back does not make old data good", async () => {
  using deps = await testDeps();
  assertEquals((await ask(deps, "range=30d")).status, 200);
  deps.upstreams.metricsApi.switch.set({ mode: "refuse" });
  deps.advance(-48 * HOUR_MS);
  assertEquals((await ask(deps, "range=30d")).status, 503);
});

Deno.test("a history cut half way leaves the store as it was", async () => {
  using deps = await testDeps();
  deps.upstreams.metricsApi.switch.set({ mode: "cut" });
  assertEquals((await ask(deps, "range=all")).status, 503);
  const stored = await Array.fromAsync(deps.kv.list({ prefix: ["series"] }));
  assertEquals(stored, []);
});

Deno.test("500 first requests at once make one upstream fetch a page", async () => {
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

Deno.test("after the first read only the tail is read, and the whole once a week", async () => {
  using deps = await testDeps();
  const { calls } = deps.upstreams.metricsApi;
  const read = async () => {
    calls.length = 0;
    await ask(deps, "range=all");
    return calls.map(({ path }) => path).filter((path) =>
      path.includes("txCount")
    );
  };
  assertEquals((await read()).length, 2);
  deps.advance(HOUR_MS);
  const tail = await read();
  assertEquals(tail.length, 1);
  assertStringIncludes(
    tail[0]!,
    `startTimestamp=${Date.parse("2026-11-05") / 1000}`,
  );
  deps.advance(7 * 24 * HOUR_MS);
  assertEquals((await read()).length, 2);
});

Deno.test("data of another upstream count as none after a change of settings", async () => {
  using deps = await testDeps();
  await ask(deps, "range=30d");
  const metrics = { ...deps.upstream.metrics, baseUrl: "http://other.test" };
  deps.upstreams.metricsApi.switch.set({ mode: "refuse" });
  const moved = { ...deps, upstream: { metrics } } as TestDeps;
  assertEquals((await ask(moved, "range=30d")).status, 503);
});

Deno.test("every metric of every chain answers 200 or says what is missing", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const { chains } = await (await app.request("/api/chain-data/chains")).json();
  const metrics: Metric[] = ["txCount", "maxGps", "cumulativeAddresses"];
  for (const { chainId } of chains) {
    for (const metric of metrics) {
      deps.advance(1_100);
      const { status, body } = await ask(
        deps,
        `chainId=${chainId}&metric=${metric}`,
      );
      const lacking = chainId === ANOMALY_CHAIN_IDS.nullAddresses &&
        metric === "cumulativeAddresses";
      assertEquals(
        status,
        lacking ? 503 : 200,
        JSON.stringify(body).slice(0, 200),
      );
    }
  }
});
