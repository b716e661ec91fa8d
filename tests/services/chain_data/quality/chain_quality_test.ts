import { assert, assertEquals } from "@std/assert";
import { JOBS } from "../../../../jobs/register_jobs.ts";
import { runJob } from "../../../../services/platform/jobs/job_run.ts";
import { readChainQuality } from "../../../../services/chain_data/quality/chain_quality.ts";
import type { StoredMetric } from "../../../../services/chain_data/catalogue/metrics_schema.ts";
import { ChainQuality } from "../../../../services/chain_data/quality/quality_schema.ts";
import { dayAt, formatDay } from "../../../../services/platform/days.ts";
import {
  seriesOf,
  valueOn,
} from "../../../../services/chain_data/series/series.ts";
import { ANOMALY_CHAIN_IDS } from "../../../../simnet/series/anomalies.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";

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
