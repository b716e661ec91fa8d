import { createApp } from "../../../routes/app.ts";
import { indexSeriesId } from "../../../services/chain_data/catalogue/series_id.ts";
import { succeed } from "../../support/jobs.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  METRIC_NAMES,
  METRICS,
} from "../../../services/chain_data/catalogue/metrics_schema.ts";
import { ANOMALY_CHAIN_IDS } from "../../../simnet/series/anomalies.ts";
import { testDeps } from "../../support/deps.ts";
import {
  askMetrics,
  errorOf,
} from "../../support/chain_data/metrics_answers.ts";
import { putSeries } from "../../support/series.ts";

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
