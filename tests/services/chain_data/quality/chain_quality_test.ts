import { assert, assertEquals } from "@std/assert";
import { JOBS } from "../../../../jobs/register_jobs.ts";
import { runJob } from "../../../../services/platform/jobs/job_run.ts";
import {
  checkIdentities,
  IDENTITY_METRICS,
  readChainQuality,
  type SeriesByMetric,
} from "../../../../services/chain_data/quality/chain_quality.ts";
import {
  type Metric,
  type StoredMetric,
} from "../../../../services/chain_data/catalogue/metrics_schema.ts";
import {
  ChainQuality,
  IDENTITY_LIST,
} from "../../../../services/chain_data/quality/quality_schema.ts";
import { dayAt, formatDay } from "../../../../services/platform/days.ts";
import {
  type DailySeries,
  EMPTY_SERIES,
  seriesOf,
  valueOn,
} from "../../../../services/chain_data/series/series.ts";
import { ANOMALY_CHAIN_IDS } from "../../../../simnet/series/anomalies.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";
import { isComplete } from "../../../../services/chain_data/series/buckets.ts";
import { fc } from "../../../support/properties.ts";

const refreshSeries = JOBS.find(({ name }) => name === "refresh-series")!;

/** Fetch time and source of the stored data. */
const READ = { fetchedAt: 1, changedAt: 1, source: "test" };

/** Returns the value of a day by its age in days. */
async function readStored(
  deps: TestDeps,
  { subject, metric, age }: {
    subject: number;
    metric: StoredMetric;
    age: number;
  },
): Promise<number> {
  const { series } = (await deps.store.series.find({ subject, metric }))!;
  return valueOn(series, dayAt(deps.now().getTime()) - age);
}

/** Stores a chain list of this upstream or another one. */
async function listChains(
  { store, upstream }: TestDeps,
  { chainIds, origin = upstream.metrics.baseUrl }: {
    chainIds: readonly number[];
    origin?: string;
  },
) {
  const chains = chainIds.map((chainId) => ({
    chainId,
    chainName: `chain ${chainId}`,
    token: null,
    blockchainId: "b",
    subnetId: "s",
  }));
  await store.chains.replace({ chains, origin, ...READ });
}

/** Stores senders and addresses from day 100 on, with more senders than addresses on every day. */
async function putWrongSenders(
  { store, upstream }: TestDeps,
  { subject, days, origin = upstream.metrics.baseUrl }: {
    subject: number;
    days: number;
    origin?: string;
  },
) {
  const values = { activeSenders: 8, activeAddresses: 7 };
  for (const metric of ["activeSenders", "activeAddresses"] as const) {
    const points = Array.from(
      { length: days },
      (_, index) => ({ day: 100 + index, value: values[metric] }),
    );
    await store.series.replace({ subject, metric }, {
      series: seriesOf(points),
      origin,
      wholeAt: 1,
      versionstamp: null,
      ...READ,
    });
  }
}

Deno.test("readChainQuality finds exactly the planted anomalies", async (t) => {
  using deps = await testDeps();
  assertEquals((await runJob(deps, refreshSeries)).error, null);
  deps.upstreams.metricsApi.switch.set({ mode: "refuse" });
  const callCount = deps.upstreams.metricsApi.calls.length;
  const qualities = await readChainQuality(deps);
  const today = dayAt(deps.now().getTime());
  const ofChain = (id: number) =>
    qualities.find(({ chainId }) => chainId === id)!;

  await t.step("all chains are there by id, and no upstream was asked", () => {
    assertEquals(deps.upstreams.metricsApi.calls.length, callCount);
    assertEquals(ChainQuality.array().parse(qualities), qualities);
    const ids = qualities.map(({ chainId }) => chainId);
    assertEquals(ids.length, 30);
    assertEquals(ids, ids.toSorted((a, b) => a - b));
  });
  await t.step("a total that falls on one day is not believed", async () => {
    const at = { subject: ANOMALY_CHAIN_IDS.fallingTotal, age: 20 };
    const metric = "cumulativeTxCount";
    assertEquals(await readStored(deps, { ...at, metric }), NaN);
    const [held] = await deps.store.series.listHeld([{ ...at, metric }]);
    assertEquals(held!.doubts.map(({ from, to, kind }) => [from, to, kind]), [
      [today - 20, today - 20, "fallingTotal"],
    ]);
  });
  await t.step("a mean that contradicts the count", async () => {
    const at = { subject: ANOMALY_CHAIN_IDS.wrongTps, age: 25 };
    const tps = await readStored(deps, { ...at, metric: "avgTps" });
    assertEquals(ofChain(at.subject).failingDays, [{
      identity: "avgTpsMatchesTxCount",
      day: formatDay(today - 25),
      left: Math.round(tps * 86_400),
      right: await readStored(deps, { ...at, metric: "txCount" }),
    }]);
  });
  await t.step("no other chain fails, and all with data are checked", () => {
    const failing = qualities.filter((quality) => quality.failingDayCount > 0);
    assertEquals(failing.map(({ chainId }) => chainId), [
      ANOMALY_CHAIN_IDS.wrongTps,
    ]);
    const unchecked = qualities.filter((quality) => !quality.checkedDayCount);
    assertEquals(unchecked.map(({ chainId }) => chainId), [
      ANOMALY_CHAIN_IDS.never,
    ]);
    assert(ofChain(43114).checkedDayCount > 9 * 2_200);
  });
});

Deno.test("readChainQuality lists the newest 100 failing days and counts all", async () => {
  using deps = await testDeps();
  await listChains(deps, { chainIds: [9, 5] });
  await putWrongSenders(deps, { subject: 9, days: 251 });
  const [empty, wrong] = await readChainQuality(deps);
  assertEquals(empty, {
    chainId: 5,
    chainName: "chain 5",
    checkedDayCount: 0,
    failingDayCount: 0,
    failingDays: [],
  });
  const { failingDays, ...counts } = wrong!;
  assertEquals(counts, {
    chainId: 9,
    chainName: "chain 9",
    checkedDayCount: 250,
    failingDayCount: 250,
  });
  assertEquals(failingDays.length, 100);
  assertEquals(failingDays[0], {
    identity: "activeSendersWithinActiveAddresses",
    day: formatDay(349),
    left: 8,
    right: 7,
  });
  assertEquals(failingDays.at(-1)!.day, formatDay(250));
});

Deno.test("readChainQuality ignores data of another upstream", async () => {
  using deps = await testDeps();
  const origin = "http://elsewhere.test";
  assertEquals(await readChainQuality(deps), []);
  await listChains(deps, { chainIds: [5], origin });
  assertEquals(await readChainQuality(deps), []);
  await listChains(deps, { chainIds: [5] });
  await putWrongSenders(deps, { subject: 5, days: 9, origin });
  const [quality] = await readChainQuality(deps);
  assertEquals([quality?.checkedDayCount, quality?.failingDayCount], [0, 0]);
});

type Remake = (value: number, day: number) => number;

/** Ten days from day 100 on. The newest one is never complete. */
const GOOD: Partial<Record<Metric, readonly number[]>> = {
  txCount: [0, 432, 431, 8_640, 86_400, 90_000, 86_832, 7, 1_000_000, 5],
  cumulativeTxCount: [
    ...[50, 482, 913, 9_553, 95_953, 185_953, 272_785, 272_792, 1_272_792],
    1_272_797,
  ],
  avgTps: [0, 0.01, 0, 0.1, 1, 1.04, 1, 0, 11.57, 0],
  maxTps: [0, 0.01, 1, 2, 3, 4, 5, 6, 11.57, 8],
  avgGps: [0, 7, 7, 7, 7, 7, 7, 7, 7, 7],
  maxGps: [0, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  activeSenders: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  activeAddresses: [0, 1, 3, 5, 7, 9, 11, 13, 15, 17],
  cumulativeAddresses: [1, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  cumulativeContracts: [0, 0, 0, 0, 0, 1, 1, 1, 1, 1],
  cumulativeDeployers: [0, 0, 0, 0, 0, 1, 1, 1, 1, 1],
};
const FIRST_DAY = 100;
const LATER = 1_000;

/** Builds a series from one value per day; `NaN` is an absent day. */
function daily(values: readonly number[], firstDay = FIRST_DAY): DailySeries {
  const points = values
    .map((value, slot) => ({ day: firstDay + slot, value }))
    .filter(({ value }) => !Number.isNaN(value));
  return seriesOf(points);
}

const GOOD_SERIES: SeriesByMetric = Object.fromEntries(
  Object.entries(GOOD).map(([metric, values]) => [metric, daily(values)]),
);

/** The consistent series, with one metric replaced. */
function goodBut(metric: Metric, remake: Remake): SeriesByMetric {
  const remade = GOOD[metric]!
    .map((value, slot) => remake(value, FIRST_DAY + slot));
  return { ...GOOD_SERIES, [metric]: daily(remade) };
}

const failuresOf = (series: SeriesByMetric, today = LATER) =>
  checkIdentities(series, today).flatMap(({ failures }) => failures);
const countsOf = (series: SeriesByMetric, today = LATER) =>
  checkIdentities(series, today).map((result) => result.checkedDayCount);

Deno.test("every identity holds on a consistent series; the newest day is not checked", () => {
  const results = checkIdentities(GOOD_SERIES, LATER);
  assertEquals(
    results.map(({ identity }) => identity),
    IDENTITY_LIST.map(({ name }) => name),
  );
  assertEquals(failuresOf(GOOD_SERIES), []);
  assertEquals(countsOf(GOOD_SERIES), [8, 9, 9, 9, 9, 8, 8, 8, 8]);
  assertEquals([...IDENTITY_METRICS].sort(), Object.keys(GOOD).sort());
});

const from = (first: number, added: number): Remake => (value, day) =>
  day >= first ? value + added : value;
const on = (planted: number, made: number): Remake => (value, day) =>
  day === planted ? made : value;

/** Planted anomalies and the failures they cause: identity, day, left, right. */
const PLANTED: [Metric, Remake, ...string[]][] = [
  [
    "cumulativeTxCount",
    from(104, 1),
    "cumulativeTxCountGrowsByTxCount 104 86401 86400",
  ],
  [
    "cumulativeTxCount",
    from(107, -8),
    "cumulativeTxCountGrowsByTxCount 107 -1 7",
    "cumulativeTxCountNeverFalls 107 272785 272784",
  ],
  [
    "txCount",
    on(106, 86_833),
    "cumulativeTxCountGrowsByTxCount 106 86832 86833",
    "avgTpsMatchesTxCount 106 86400 86833",
  ],
  ["avgTps", on(103, 0.07), "avgTpsMatchesTxCount 103 6048 8640"],
  ["maxTps", on(105, 1.03), "avgTpsWithinMaxTps 105 1.04 1.03"],
  ["maxGps", on(102, 6.9), "avgGpsWithinMaxGps 102 7 6.9"],
  [
    "activeSenders",
    on(108, 16),
    "activeSendersWithinActiveAddresses 108 16 15",
  ],
  [
    "cumulativeAddresses",
    from(106, -2),
    "cumulativeAddressesNeverFalls 106 5 4",
  ],
  [
    "cumulativeContracts",
    from(106, -1),
    "cumulativeContractsNeverFalls 106 1 0",
  ],
  ["cumulativeDeployers", on(108, 0), "cumulativeDeployersNeverFalls 108 1 0"],
];

Deno.test("an identity fails only on the planted day, with both numbers", async (t) => {
  for (const [metric, remake, ...expected] of PLANTED) {
    await t.step(`${metric}: ${expected.join(", ")}`, () => {
      const failures = failuresOf(goodBut(metric, remake));
      assertEquals(
        failures.map(({ identity, day, left, right }) =>
          `${identity} ${day} ${left} ${right}`
        ),
        expected,
      );
    });
  }
});

Deno.test("a day is checked if both series have it, and growth if the previous day exists too", () => {
  const gap = goodBut(
    "cumulativeTxCount",
    (value, day) => day === 104 ? NaN : value,
  );
  assertEquals(failuresOf(gap), []);
  assertEquals(countsOf(gap), [6, 9, 9, 9, 9, 7, 8, 8, 8]);
  const { txCount: _, activeSenders: __, ...others } = GOOD_SERIES;
  const lacking = { ...others, activeSenders: EMPTY_SERIES };
  assertEquals(countsOf(lacking), [0, 0, 9, 9, 0, 8, 8, 8, 8]);
  assertEquals(countsOf({}), Array(9).fill(0));
});

Deno.test("a gap does not hide a decrease of a running total", () => {
  const totals = daily([5, 6, NaN, NaN, 4, 4, 9]);
  assertEquals(failuresOf({ cumulativeAddresses: totals }), [
    { identity: "cumulativeAddressesNeverFalls", day: 104, left: 6, right: 4 },
  ]);
});

Deno.test("a day is checked if it is complete in both series, whatever their first days", () => {
  const value = fc.option(fc.integer({ min: 0, max: 3 }), { nil: NaN });
  const series = fc.tuple(
    fc.array(value, { maxLength: 12 }),
    fc.integer({ min: FIRST_DAY, max: FIRST_DAY + 12 }),
  ).map(([values, firstDay]) => daily(values, firstDay));
  const today = fc.integer({ min: FIRST_DAY - 1, max: FIRST_DAY + 26 });
  fc.assert(fc.property(series, series, today, (avgGps, maxGps, today) => {
    const days = Array.from({ length: 30 }, (_, index) => FIRST_DAY + index)
      .filter((day) =>
        isComplete(avgGps, day, today) && isComplete(maxGps, day, today)
      );
    const result = checkIdentities({ avgGps, maxGps }, today)
      .find(({ identity }) => identity === "avgGpsWithinMaxGps")!;
    assertEquals(result.checkedDayCount, days.length);
    const low = days.filter((day) =>
      valueOn(avgGps, day) > valueOn(maxGps, day)
    );
    assertEquals(result.failures.map(({ day }) => day), low);
  }));
});
