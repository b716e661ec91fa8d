/** How the explorer index checks every chain: from the captures of July 2025, and by the rules. */
import { indexSeriesId } from "../../../../services/chain_data/catalogue/series_id.ts";
import type { IndexMetric } from "../../../../services/chain_data/catalogue/cross_checks_schema.ts";
import { assertEquals } from "@std/assert";
import {
  compareWithIndex,
  readCheckedMetrics,
} from "../../../../services/chain_data/checks/index_checks.ts";
import {
  readDisputes,
} from "../../../../services/chain_data/checks/disputes.ts";
import { MetricsQuery } from "../../../../services/chain_data/catalogue/metrics_schema.ts";
import { readQuality } from "../../../../services/chain_data/quality/quality.ts";
import { seriesOf } from "../../../../services/chain_data/series/series.ts";
import { formatDay } from "../../../../services/platform/days.ts";
import { readCapturedChains } from "../../../support/captured.ts";
import { EVER } from "../../../support/chain_data/agreement.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";
import { putSeries } from "../../../support/series.ts";

async function putChains(deps: TestDeps, chainIds: readonly number[]) {
  await deps.store.chains.replace({
    chains: chainIds.map((chainId) => ({
      chainId,
      chainName: `Chain ${chainId}`,
      token: null,
      blockchainId: "b",
      subnetId: "s",
    })),
    fetchedAt: deps.now().getTime(),
    changedAt: deps.now().getTime(),
    origin: deps.upstream.metrics.baseUrl,
    source: "test",
  });
}

Deno.test("the captures of July 2025: what is compared, not covered, agreed and disputed, by the service's own rules", async () => {
  using deps = await testDeps({ start: "2025-07-18T08:00:00Z" });
  const ours = await readCapturedChains("metrics-api");
  const second = await readCapturedChains("routescan-aggregations");
  const put = async (sources: typeof ours, isSecond: boolean) => {
    for (const [chainId, values] of sources) {
      const { firstDay, values: days } = seriesOf(values);
      await putSeries(
        deps,
        isSecond && chainId !== 43114
          ? indexSeriesId(chainId, "txCount")
          : isSecond
          ? { subject: "explorer-index", metric: "txCount" }
          : { subject: chainId, metric: "txCount" },
        {
          from: formatDay(firstDay),
          values: Array.from(
            days,
            (value) => Number.isNaN(value) ? null : value,
          ),
        },
      );
    }
  };
  await putChains(deps, [...ours.keys()].toSorted((a, b) => a - b));
  await put(ours, false);
  await put(second, true);

  const { chainCheckTotals, chainChecks, checks } =
    (await readQuality(deps)).answer;
  const unindexed = chainChecks.filter(({ reason }) => reason === "notIndexed");
  assertEquals(ours.size, 131, "chains");
  assertEquals(
    chainChecks.map(({ reason }) => reason).filter((reason) =>
      !["notIndexed", null].includes(reason)
    ),
    [],
  );
  assertEquals(
    chainChecks.filter(({ crossCheckSource, chainId }) =>
      crossCheckSource && second.get(chainId)!.length > 0
    ).length,
    44,
    "L1s that the index has rows of",
  );
  assertEquals(unindexed.length, 101, "L1s without rows, or with zeroes alone");
  assertEquals(chainCheckTotals[0], {
    metric: "txCount",
    comparedChainCount: 29,
    comparedDayCount: 92,
    agreeingDayCount: 89,
    disputedDayCount: 3,
    notCoveredDayCount: 24,
  });
  assertEquals(
    unindexed.reduce(
      (sum, { notCoveredDayCount }) => sum + notCoveredDayCount,
      0,
    ),
    60,
    "days that both have of the chains that are not indexed",
  );
  assertEquals(
    checks.map(({ series, comparedDayCount, agreementPct }) => [
      series,
      comparedDayCount,
      agreementPct,
    ]),
    [["transactions", 4, 100]],
    "the C-Chain",
  );
  const { disputes } = (await readDisputes(deps)).answer;
  assertEquals(
    disputes.map(({ chainId, day, value, crossCheckValue, differencePct }) =>
      `${chainId} ${day}: ${value}, ${crossCheckValue}, ${differencePct} %`
    ),
    [
      "10850 2025-07-06: 1445, 1719, 18.9619 %",
      "1853 2025-07-05: 5976, 5296, -11.3788 %",
      "53935 2025-07-05: 598644, 603326, 0.7821 %",
    ],
  );
});

/** Compares values of days from 2026-01-01 on; the newest of each side is incomplete. */
function compareDaily(
  ours: readonly number[],
  second: readonly number[],
  { metric = "txCount", txCount }: {
    metric?: IndexMetric;
    txCount?: readonly number[];
  } = {},
) {
  const series = (values: readonly number[]) =>
    seriesOf(
      [...values, Math.max(...values)].map((value, nth) => ({
        day: 20_454 + nth,
        value,
      })),
    );
  const { reason, comparedDayCount, notCoveredDayCount, disputedDays } =
    compareWithIndex(metric, {
      ours: series(ours),
      second: series(second),
      txCount: txCount && series(txCount),
    }, { window: EVER, today: 30_000 });
  return {
    reason,
    comparedDayCount,
    notCoveredDayCount,
    disputed: disputedDays.map(({ day }) => day - 20_454),
  };
}

const times = (count: number, value: number) =>
  Array<number>(count).fill(value);

Deno.test("a zero beside traffic, and a zero before the first value, is not covered", () => {
  assertEquals(
    compareDaily(times(12, 5000), [
      0,
      0,
      ...times(4, 5000),
      0,
      ...times(5, 5000),
    ]),
    { reason: null, comparedDayCount: 9, notCoveredDayCount: 3, disputed: [] },
  );
  assertEquals(
    compareDaily([0, 0, ...times(10, 5000)], [0, 0, ...times(10, 5000)]),
    { reason: null, comparedDayCount: 10, notCoveredDayCount: 2, disputed: [] },
    "an index that starts with zeroes has not read the idle days either",
  );
  assertEquals(
    compareDaily([...times(9, 5000), 0], [...times(9, 5000), 0]),
    { reason: null, comparedDayCount: 10, notCoveredDayCount: 0, disputed: [] },
    "a chain that is idle in both agrees",
  );
  assertEquals(
    compareDaily([...times(9, 5000), 0], times(10, 5000)).disputed,
    [9],
    "traffic beside our zero is a dispute",
  );
});

Deno.test("an index with zeroes alone, or with fewer than seven days, checks nothing", () => {
  const none = { comparedDayCount: 0, disputed: [] };
  assertEquals(compareDaily(times(9, 5000), times(9, 0)), {
    ...none,
    reason: "notIndexed",
    notCoveredDayCount: 9,
  });
  assertEquals(compareDaily(times(9, 5000), [0, 0, 0, ...times(6, 9000)]), {
    ...none,
    reason: "tooFewDays",
    notCoveredDayCount: 3,
  });
  assertEquals(
    compareDaily(times(9, 5000), [0, 0, ...times(7, 9000)]).disputed.length,
    7,
  );
});

Deno.test("small counts may differ by a hundred, fees by those of a hundred transactions", () => {
  const with8 = (first: number, rest: number) => [first, ...times(8, rest)];
  assertEquals(compareDaily(with8(74, 9), with8(2, 9)).disputed, []);
  assertEquals(compareDaily(with8(150, 9), with8(49, 9)).disputed, [0]);
  assertEquals(compareDaily(with8(0, 9), with8(100, 9)).disputed, []);
  assertEquals(compareDaily(with8(0, 9), with8(101, 9)).disputed, [0]);
  const fees = (second: number) =>
    compareDaily(with8(10, 5), with8(second, 5), {
      metric: "feesPaid",
      txCount: times(9, 1000),
    }).disputed;
  assertEquals(fees(10.99), [], "100 of 1,000 transactions pay 1 of 10");
  assertEquals(fees(11.01), [0]);
  assertEquals(
    compareDaily(with8(10, 5), with8(10.06, 5), { metric: "feesPaid" })
      .disputed,
    [0],
    "without a count of transactions nothing is added to the tolerance",
  );
});

Deno.test("addresses that differ on most days are counted differently, and not compared", () => {
  const compare = (second: readonly number[]) =>
    compareDaily(times(10, 10_000), second, { metric: "activeAddresses" });
  assertEquals(compare([10_600, ...times(9, 10_400)]).disputed, [0]);
  assertEquals(compare(times(10, 10_600)), {
    reason: "countedDifferently",
    comparedDayCount: 0,
    notCoveredDayCount: 0,
    disputed: [],
  });
});

Deno.test("each answer of a metric tells whether its series is compared, through which day and with what result", async () => {
  using deps = await testDeps();
  const from = "2026-11-01";
  const ours = times(20, 5000);
  await putChains(deps, [4337, 43114]);
  for (const metric of ["txCount", "gasUsed"] as const) {
    await putSeries(deps, { subject: 4337, metric }, { from, values: ours });
    await putSeries(deps, { subject: 43114, metric }, { from, values: ours });
  }
  const checkOf = async (params: Record<string, string>) =>
    (await readCheckedMetrics(
      deps,
      MetricsQuery.parse(params),
      { maxStaleMs: Infinity },
    )).answer.check;
  const none = {
    checkedThrough: null,
    comparedDayCount: 0,
    notCoveredDayCount: 0,
    disputedDayCount: 0,
    agreementPct: null,
    tolerancePct: null,
    slack: null,
  };
  assertEquals(await checkOf({ chainId: "4337", metric: "gasUsed" }), {
    compared: false,
    reason: "noSecondSource",
    source: null,
    ...none,
  });
  const source = "explorer index (explorer.test)";
  assertEquals(await checkOf({ chainId: "4337" }), {
    compared: false,
    reason: "notRead",
    source: null,
    ...none,
  });
  const second = [0, 9000, ...times(18, 5000)];
  await putSeries(deps, indexSeriesId(4337, "txCount"), {
    from,
    values: second,
  });
  assertEquals(await checkOf({ chainId: "4337" }), {
    compared: true,
    reason: null,
    source,
    checkedThrough: "2026-11-19",
    comparedDayCount: 18,
    notCoveredDayCount: 1,
    disputedDayCount: 1,
    agreementPct: 94.4444,
    tolerancePct: 0.5,
    slack: 100,
  });
  const days = await checkOf({
    chainId: "4337",
    from: "2026-11-03",
    to: "2026-11-10",
  });
  assertEquals(
    [days.checkedThrough, days.comparedDayCount, days.agreementPct],
    ["2026-11-10", 8, 100],
    "about the requested days",
  );
  assertEquals((await checkOf({})).reason, "notRead");
  await putSeries(deps, { subject: "explorer-index", metric: "txCount" }, {
    from,
    values: second,
  });
  assertEquals(
    [(await checkOf({})).disputedDayCount, (await checkOf({})).slack],
    [2, 0],
    "the C-Chain by the rules of its checked series",
  );
});
