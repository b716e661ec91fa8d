import { assert, assertEquals, assertMatch } from "@std/assert";
import { parse } from "@std/csv";
import { createApp } from "../../../routes/app.ts";
import {
  type Metric,
  METRIC_NAMES,
  METRICS,
} from "../../../services/chain_data/catalogue/metrics_schema.ts";
import { appOf } from "../../support/app.ts";
import { ANOMALY_CHAIN_IDS } from "../../../simnet/series/anomalies.ts";
import { testDeps } from "../../support/deps.ts";
import {
  askMetrics,
  errorOf,
  PATH,
} from "../../support/chain_data/metrics_answers.ts";
import { indexSeriesId } from "../../../services/chain_data/catalogue/series_id.ts";
import { succeed } from "../../support/jobs.ts";
import { putSeries } from "../../support/series.ts";
import { C_CHAIN } from "../../../simnet/chains.ts";
import { dayOf } from "../../../simnet/series/days.ts";
import {
  countTxs,
  DAILY_METRICS,
  RUNNING_TOTALS,
} from "../../../simnet/series/series.ts";

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
    const response = await appOf(deps)
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
      const response = await appOf(deps).request(url, { headers });
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

Deno.test("a missing week is a gap, and weeks that lack days since a month are complete and say so", async () => {
  using deps = await testDeps();
  const id = ANOMALY_CHAIN_IDS.missingWeek;
  const days = await askMetrics(deps, `chainId=${id}&range=90d`);
  assertEquals(days.body.gaps, [{ from: "2026-09-19", to: "2026-09-25" }]);
  assert(
    days.body.series.every(({ day }) =>
      day < "2026-09-19" || day > "2026-09-25"
    ),
  );
  const weeks = await askMetrics(deps, `chainId=${id}&range=90d&interval=week`);
  const marked = weeks.body.series.flatMap(({ day, complete, missingDays }) =>
    complete && !missingDays ? [] : [[day, complete, missingDays]]
  );
  assertEquals(marked, [
    ["2026-09-14", true, ["2026-09-19", "2026-09-20"]],
    ["2026-09-21", true, [21, 22, 23, 24, 25].map((day) => `2026-09-${day}`)],
    ["2026-11-16", false, undefined],
  ]);
});

Deno.test("a chain without points returns inferred zeroes for every metric", async () => {
  using deps = await testDeps();
  for (const metric of METRIC_NAMES) {
    const query =
      `chainId=${ANOMALY_CHAIN_IDS.never}&metric=${metric}&range=30d`;
    const { status, body } = await askMetrics(deps, query);
    assertEquals(status, 200);
    assertEquals(body.series.length, 21, "seven days behind the C-Chain");
    assertEquals(body.series.at(-1), {
      day: "2026-11-12",
      value: 0,
      complete: true,
      inferred: true,
    });
    assert(
      body.series.every(({ value, complete, inferred }) =>
        value === 0 && complete && inferred
      ),
    );
    assertEquals(body.inferredDayCount, 21);
    assertEquals(body.lastPeriodComplete, true);
    assertEquals(body.dataThrough, "2026-11-12");
    assertEquals(body.gaps, []);
  }
  const all = await askMetrics(
    deps,
    `chainId=${ANOMALY_CHAIN_IDS.never}&range=all`,
  );
  assertEquals(all.body.series[0]!.day, "2020-09-21");
});

Deno.test("an inactive chain returns zeroes per day and constant running totals", async () => {
  using deps = await testDeps();
  for (const metric of METRIC_NAMES) {
    const query =
      `chainId=${ANOMALY_CHAIN_IDS.dead}&metric=${metric}&range=90d`;
    const { status, body } = await askMetrics(deps, query);
    assertEquals(status, 200, metric);
    // A day of contracts needs the total of the next day.
    const days = metric === "newContracts" ? 87 : 88;
    assertEquals(body.series.length, days, metric);
    const total = body.series[0]!.value;
    assert(body.series.every(({ value }) => value === total), metric);
    assertEquals(total === 0, METRICS[metric].kind === "per day", metric);
  }
});

Deno.test("days that upstream has not published are not filled with zeroes", async () => {
  using deps = await testDeps();
  const { never, dead, missingWeek, young } = ANOMALY_CHAIN_IDS;
  const cases: [query: string, values: number[]][] = [
    ["from=2026-11-20&to=2026-11-20", []],
    ["from=2026-11-20&to=2026-11-21&metric=cumulativeTxCount", []],
    ["from=2026-11-20", []],
    [`from=2026-11-20&chainId=${never}`, []],
    [`from=2026-11-20&chainId=${dead}&metric=cumulativeTxCount`, []],
    [`from=2026-09-20&to=2026-09-21&chainId=${missingWeek}`, []],
    [`from=2026-10-01&to=2026-10-02&chainId=${young}`, []],
    [`from=2026-11-12&chainId=${never}`, [0]],
  ];
  for (const [query, values] of cases) {
    const { status, body } = await askMetrics(deps, query);
    assertEquals(status, 200, query);
    assertEquals(body.series.map(({ value }) => value), values, query);
    assertEquals(body.lastPeriodComplete, values.length > 0, query);
  }
});

Deno.test("dataThrough ignores filled zeroes of a chain that is active again", async () => {
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
    const { status, body } = await askMetrics(deps, query);
    assertEquals([status, body.dataThrough], [200, "2026-09-19"], query);
  }
});

Deno.test("a missing metric of an active chain returns 503 with the reason", async () => {
  using deps = await testDeps();
  const id = ANOMALY_CHAIN_IDS.nullAddresses;
  const { response, status, body } = await askMetrics(
    deps,
    `chainId=${id}&metric=cumulativeAddresses`,
  );
  assertEquals(status, 503);
  assertEquals(response.headers.get("Retry-After"), "3600");
  assertMatch(errorOf(body), /has no values, although the chain was active/);
});

Deno.test("a chain that the second source shows active has no zeroes: its series ends, and one without a day is a 503", async () => {
  using deps = await testDeps();
  const { never } = ANOMALY_CHAIN_IDS;
  await succeed(deps, "refresh-chains");
  const days = (count: number) => Array<number>(count).fill(5);
  const stopped = 2044;
  for (const metric of ["txCount", "gasUsed"] as const) {
    await putSeries(deps, { subject: stopped, metric }, {
      from: "2026-10-01",
      values: days(10),
    });
  }
  const ask = async (chainId: number, metric: string) => {
    const { status, body } = await askMetrics(
      deps,
      `chainId=${chainId}&metric=${metric}&range=all`,
    );
    return [status, body.series?.at(-1)?.day, body.inferredDayCount];
  };
  assertEquals(await ask(stopped, "gasUsed"), [200, "2026-11-12", 33]);
  for (const subject of [stopped, never]) {
    const id = indexSeriesId(subject, "txCount");
    await putSeries(deps, id, { from: "2026-10-01", values: days(40) });
  }
  const zeroed = 10036;
  await putSeries(deps, { subject: zeroed, metric: "gasUsed" }, {
    from: "2026-10-01",
    values: days(40),
  });
  await putSeries(deps, { subject: zeroed, metric: "txCount" }, {
    from: "2026-10-01",
    values: [...days(40), ...Array<number>(11).fill(0)],
  });
  assertEquals(await ask(zeroed, "gasUsed"), [200, "2026-11-12", 3]);
  await putSeries(deps, indexSeriesId(zeroed, "txCount"), {
    from: "2026-10-01",
    values: days(50),
  });
  deps.advance(1);
  assertEquals(await ask(zeroed, "gasUsed"), [200, "2026-11-09", 0]);
  assertEquals(await ask(stopped, "gasUsed"), [200, "2026-10-10", 0]);
  assertEquals(await ask(stopped, "txCount"), [200, "2026-10-10", 0]);
  assertEquals(await ask(never, "txCount"), [503, undefined, undefined]);
  const chains = await (await createApp(deps).request(
    "/api/chain-data/chains",
  )).json();
  const states = new Map(
    chains.chains.map(({ chainId, coverage }: {
      chainId: number;
      coverage: { state: string; since: string | null };
    }) => [chainId, [coverage.state, coverage.since]]),
  );
  assertEquals(states.get(stopped), ["stopped", "2026-10-11"]);
  assertEquals(states.get(never), ["notIndexed", "2026-10-01"]);
  assertEquals(states.get(zeroed), ["stopped", "2026-11-10"]);
});

const DAYS = ["2026-10-01", "2026-10-02", "2026-10-03"];

Deno.test("each metric beyond the thirteen has the values of the simulated chain, and says whether it is derived", async () => {
  using deps = await testDeps();
  const oracles = {
    avgGasPrice: [DAILY_METRICS.avgGasPrice, undefined],
    maxGasPrice: [DAILY_METRICS.maxGasPrice, undefined],
    newAddresses: [
      RUNNING_TOTALS.cumulativeAddresses.adds,
      "cumulativeAddresses",
    ],
    newContracts: [DAILY_METRICS.contracts, "cumulativeContracts"],
    newDeployers: [
      RUNNING_TOTALS.cumulativeDeployers.adds,
      "cumulativeDeployers",
    ],
  } as const;
  for (const [metric, [valueOf, derivedFrom]] of Object.entries(oracles)) {
    const { body } = await askMetrics(
      deps,
      `metric=${metric}&from=${DAYS[0]}&to=${DAYS[2]}`,
    );
    const expected = DAYS.map((name) => {
      const day = dayOf(name);
      const txCount = countTxs(C_CHAIN, day);
      const value = valueOf({ chain: C_CHAIN, day, txCount });
      return { day: name, value, complete: true };
    });
    assertEquals(body.series, expected, metric);
    assertEquals([body.derivedFrom, body.kind], [derivedFrom, "per day"]);
  }
});

/** The units of pages: each metric with the size of its unit and the unit's name. */
const SHOWN_UNITS = [
  ["avgGasPrice", 1e9, "gwei"],
  ["gasUsed", 1e9, "Ggas"],
  ["maxGps", 1e6, "Mgas/s"],
] as const;

for (const [metric, size, unit] of SHOWN_UNITS) {
  Deno.test(`${metric} is in ${unit} on pages and pictures, and in the unit of the catalogue in answers, files and on the page of a day`, async () => {
    using deps = await testDeps();
    const app = createApp(deps);
    const days = `metric=${metric}&from=${DAYS[0]}&to=${DAYS[0]}`;
    const { body } = await askMetrics(deps, days);
    const { value } = body.series[0]!;
    await putSeries(deps, { subject: 43114, metric }, {
      from: DAYS[0]!,
      values: [value, value],
    });
    const shown = `${Number((value / size).toPrecision(5))}`;
    const shows = async (path: string) => {
      const response = await app.request(path);
      const text = await response.text();
      // Not the decimals of the value in the unit of pages.
      const whole = new RegExp(`(?<![.\\d])${[...`${value}`].join(",?")}`);
      return [
        response.status,
        text.includes(shown),
        text.toLowerCase().includes(unit.toLowerCase()),
        whole.test(text),
      ];
    };
    for (
      const path of [
        `/?${days.replace("&", "&chainId=43114&")}&interval=day`,
        "/chains/43114",
        `/chart/${metric}.svg?from=${DAYS[0]}&to=${DAYS[0]}`,
      ]
    ) {
      assertEquals(await shows(path), [200, true, true, false], path);
    }
    // The page of a day shows the value that answers have.
    for (
      const path of [
        `${PATH}?${days}&format=csv`,
        `/days/${metric}/43114/${DAYS[0]}`,
      ]
    ) {
      assertEquals(await shows(path), [200, false, false, true], path);
    }
  });
}

Deno.test("a derived day is complete when both totals are, a fall is a gap with its reason, and CSV stays as it is", async () => {
  using deps = await testDeps();
  const day = (nth: number) => `2026-11-0${nth}`;
  for (
    const metric of ["cumulativeAddresses", "cumulativeContracts"] as const
  ) {
    await putSeries(deps, { subject: 43114, metric }, {
      from: day(1),
      values: [10, 12, 11, 15, 20],
    });
  }
  const seriesOf = async (metric: string, to: string) => {
    const { body } = await askMetrics(
      deps,
      `metric=${metric}&from=2026-10-30&to=${to}`,
      { headers: { "Cache-Control": "max-stale" } },
    );
    const { series, gaps } = body;
    return [
      series.map(({ day, value, complete }) => [day, value, complete]),
      gaps,
    ];
  };
  const gap = (nth: number) => [{
    from: day(nth),
    to: day(nth),
    reason: "the running total falls",
  }];
  assertEquals(await seriesOf("newAddresses", day(5)), [
    [[day(2), 2, true], [day(4), 4, true], [day(5), 5, false]],
    gap(3),
  ]);
  assertEquals(await seriesOf("newContracts", day(4)), [
    [[day(1), 2, true], [day(3), 4, true], [day(4), 5, false]],
    gap(2),
  ]);
  const csv = await createApp(deps).request(
    `${PATH}?metric=newAddresses&from=${day(2)}&to=${day(2)}&format=csv`,
    { headers: { "Cache-Control": "max-stale" } },
  );
  assertMatch(
    await csv.text(),
    /^period,newAddresses,complete\r?\n2026-11-02,2,true\r?\n$/,
  );
});

Deno.test("/revisions of a derived metric has those of its running total", async () => {
  using deps = await testDeps();
  for (const values of [[10, 12, 15, 20], [10, 13, 15, 20]]) {
    await putSeries(deps, { subject: 43114, metric: "cumulativeAddresses" }, {
      from: "2026-11-01",
      values,
    });
    deps.advance(60_000);
  }
  const response = await createApp(deps).request(
    "/api/chain-data/revisions?metric=newAddresses",
  );
  const { revisions } = await response.json();
  assertEquals(
    [revisions.length, revisions[0].metric, revisions[0].newValue],
    [1, "cumulativeAddresses", 13],
  );
});
