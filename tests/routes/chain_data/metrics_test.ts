import { assertEquals, assertMatch } from "@std/assert";
import { parse } from "@std/csv";
import { createApp } from "../../../routes/app.ts";
import { type Metric } from "../../../services/chain_data/catalogue/metrics_schema.ts";
import { ANOMALY_CHAIN_IDS } from "../../../simnet/series/anomalies.ts";
import { testDeps } from "../../support/deps.ts";
import { askMetrics, PATH } from "../../support/chain_data/metrics_answers.ts";

Deno.test("GET /metrics returns one year of C-Chain transactions by default", async () => {
  using deps = await testDeps();
  const { response, status, body } = await askMetrics(deps);
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
    "from",
    "to",
    "aggregation",
    "series",
    "lastPeriodComplete",
    "inferredDayCount",
    "gaps",
    "dataThrough",
    "fetchedAt",
    "confirmedAt",
    "source",
    "check",
  ]);
  const { series, check, ...rest } = body;
  assertEquals([check.compared, check.reason], [false, "notRead"]);
  assertEquals(rest, {
    metric: "txCount",
    chainId: 43114,
    chainName: "C-Chain",
    unit: "count",
    token: "AVAX",
    kind: "per day",
    interval: "day",
    range: "1y",
    from: "2025-11-22",
    to: "2026-11-21",
    aggregation: "sum",
    lastPeriodComplete: false,
    inferredDayCount: 0,
    gaps: [],
    dataThrough: "2026-11-18",
    fetchedAt: "2026-11-21T08:00:00.000Z",
    confirmedAt: "2026-11-21T08:00:00.000Z",
    source: "simulated (simnet in place of the Avalanche Metrics API)",
  });
  assertEquals(series[0]!.day, "2025-11-22", "365 days back, today included");
  assertEquals(series.at(-1)!.day, "2026-11-19");
  assertEquals(series.filter((point) => !point.complete).length, 1);
  assertEquals(response.headers.get("Content-Type"), "application/json");
});

Deno.test("GET /metrics rejects invalid parameters and names the accepted values", async (t) => {
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
    ["format=csv&metric=gas", 400, /metric "gas": expected one of txCount/],
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
      /range "30d": expected 1y or none together with from or to/,
    ],
    [
      "range=30d&to=2026-11-01",
      400,
      /expected 1y or none together with from or to/,
    ],
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
      /parameter "metrics": expected one of metric, range, from, to, interval, chainId, asOf, updatedAfter, format/,
    ],
    [
      "metric=txCount&metric=gasUsed",
      400,
      /metric "txCount", "gasUsed": expected one value/,
    ],
    ["chainId=1&chainId=1", 400, /chainId "1", "1": expected one value/],
    ["chainId=999999999", 404, /999999999.*no tracked mainnet chain/],
    ["chainId=999999999999999", 404, /no tracked mainnet chain/],
    [
      `chainId=${"9".repeat(16)}`,
      404,
      /^Cannot find the chain of this chainId/,
    ],
    [`chainId=${"9".repeat(79)}`, 400, /a whole number, such as 43114/],
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
Deno.test("CSV has the specified columns and the values of the JSON answer, of every interval and of an empty window", async () => {
  using deps = await testDeps();
  const windows: [query: string, count: number][] = [
    ["range=30d", 28],
    ["range=30d&interval=week", 5],
    ["range=90d&interval=month", 4],
    ["from=2026-11-21", 0],
  ];
  for (const [window, count] of windows) {
    const query = `metric=feesPaid&${window}`;
    const { body } = await askMetrics(deps, query);
    const response = await createApp(deps)
      .request(`${PATH}?${query}&format=csv`);
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
      rows.map((row) => row.at(-1)),
      rows.map((_, nth) => String(nth < count - 1)),
      `${window}: the still-running period is the last row, and no other`,
    );
    assertEquals(rows.length, count, window);
    assertEquals(body.lastPeriodComplete, false);
  }
});

Deno.test("chain data needs no key, and a key of any form changes nothing", async () => {
  using deps = await testDeps();
  const paths = ["/metrics", "/monthly-transactions", "/transaction-fees"];
  for (const path of [...paths, "/block-production", "/validators"]) {
    const read = async (headers: Record<string, string>) => {
      const url = `/api/chain-data${path}?range=30d&format=csv`;
      const response = await createApp(deps).request(url, { headers });
      return [response.status, await response.text()];
    };
    const keyless = await read({});
    assertEquals(keyless[0], 200, path);
    for (const key of ["", "nonsense", `firn_live_${"0".repeat(40)}`]) {
      assertEquals(await read({ "X-Api-Key": key }), keyless, path);
    }
  }
});

Deno.test("every metric of every chain returns 200 or names the missing metric", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const { chains } = await (await app.request("/api/chain-data/chains")).json();
  const metrics: Metric[] = ["txCount", "maxGps", "cumulativeAddresses"];
  for (const { chainId } of chains) {
    for (const metric of metrics) {
      deps.advance(2_500);
      const { status, body } = await askMetrics(
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
