/** One chain with its metrics: what each says by the days that are stored. */
import { assertEquals, assertRejects } from "@std/assert";
import { readChainMetrics } from "../../../../services/chain_data/overview/overview.ts";
import type { StoredMetric } from "../../../../services/chain_data/catalogue/metrics_schema.ts";
import {
  nameSeries,
  type SeriesId,
} from "../../../../services/chain_data/catalogue/series_id.ts";
import { Fault } from "../../../../services/platform/fault.ts";
import { sweep } from "../../../support/chain_data/swept.ts";
import { testDeps } from "../../../support/deps.ts";
import type { Days } from "../../../support/series.ts";

const PUBLISHED = Math.floor(Date.parse("2026-11-20") / 864e5);
const C_CHAIN = 43114;

/** Twenty days of 5 up to the 20th of November, the last of them not complete. */
const ACTIVE: Days = { from: "2026-11-01", values: Array(20).fill(5) };
const NONE: Days = { from: "2026-11-01", values: [] };

/** Stores the metrics of two chains, and reads those of one. */
async function metricsOf(
  stored: Partial<Record<StoredMetric, Days>>,
  chainId: number = 7,
) {
  using deps = await testDeps();
  await sweep(deps, {
    chains: { [C_CHAIN]: "C-Chain", 7: "Seven" },
    metrics: Object.keys(stored) as StoredMetric[],
    published: PUBLISHED,
    valuesOf: (_, metric) => stored[metric]!,
  });
  const { metrics, ...rest } = await readChainMetrics(deps, chainId);
  return {
    ...rest,
    of: (metric: StoredMetric) =>
      metrics.find((each) => each.metric === metric)!,
  };
}

Deno.test("readChainMetrics: refuses a chain before the list is read, and one that is not listed", async () => {
  using deps = await testDeps();
  const kindOf = async (chainId: number) => {
    const { failure } = await assertRejects(
      () => readChainMetrics(deps, chainId),
      Fault,
    );
    return failure;
  };
  assertEquals(await kindOf(7), {
    kind: "upstreamDown",
    upstream: "metrics.test",
    retryAfterMs: 60_000,
  });
  await sweep(deps, {
    chains: { 7: "Seven" },
    metrics: [],
    valuesOf: () => NONE,
  });
  assertEquals(await kindOf(8), { kind: "unknownChain", chainId: 8 });
});

Deno.test("readChainMetrics: the charts end on the last complete day and cover 90 days", async () => {
  const { chain, summary, from, to, of } = await metricsOf({
    txCount: ACTIVE,
    gasUsed: {
      from: "2026-11-10",
      values: [1, null, 3, 0, 5, 6, 7, 8, 9, 10, 11],
    },
  });
  assertEquals([chain.chainId, summary.chainId, from, to], [
    7,
    7,
    "2026-08-22",
    "2026-11-19",
  ]);
  const { recent, ...gas } = of("gasUsed");
  assertEquals(gas, {
    metric: "gasUsed",
    isLacking: false,
    day: "2026-11-19",
    value: 10,
    changePct: null,
    noChange: "young",
  });
  assertEquals(recent, [
    ...Array(80).fill(null),
    ...[1, null, 3, 0, 5, 6, 7, 8, 9, 10],
  ]);
  const txCount = of("txCount");
  assertEquals([txCount.changePct, txCount.noChange], [0, null]);
});

Deno.test("readChainMetrics: a metric says why it has no figures", async () => {
  const unread = { day: null, value: null, changePct: null, recent: [] };
  const shown = await metricsOf({ txCount: ACTIVE, gasUsed: NONE });
  assertEquals(shown.of("gasUsed"), {
    ...unread,
    metric: "gasUsed",
    isLacking: true,
    noChange: "noCompleteDay",
  });
  assertEquals(shown.of("feesPaid"), {
    ...unread,
    metric: "feesPaid",
    isLacking: false,
    noChange: "unread",
  });
  // A chain without transactions lacks nothing: its days are 0.
  const idle = (await metricsOf({ txCount: NONE, gasUsed: NONE })).of(
    "gasUsed",
  );
  assertEquals(
    [idle.isLacking, idle.noChange, idle.day, idle.value],
    [false, "idle", "2026-11-13", 0],
  );
  assertEquals(idle.recent.at(-7), 0);
  // Nor does one whose transactions were never read.
  const alone = (await metricsOf({ gasUsed: NONE })).of("gasUsed");
  assertEquals([alone.isLacking, alone.noChange], [false, "idle"]);
});

Deno.test("readChainMetrics: a metric is idle once its newest day is a week older than the publication", async () => {
  const rows = [["2026-11-13", "idle"], ["2026-11-14", null]] as const;
  for (const [newest, noChange] of rows) {
    const count = Number(newest.slice(-2));
    const days = { from: "2026-11-01", values: Array(count).fill(5) };
    // Fourteen complete days before: the change of an active metric is 0.
    const long = { from: "2026-10-01", values: Array(31 + count).fill(5) };
    const { of } = await metricsOf({ txCount: days, gasUsed: long });
    const { noChange: said, changePct } = of("gasUsed");
    assertEquals([said, changePct], [noChange, noChange ? null : 0], newest);
  }
});

Deno.test("readChainMetrics: nothing is shown before the first publication", async () => {
  using deps = await testDeps();
  const at = deps.now().getTime();
  const { baseUrl: origin, source } = deps.upstream.metrics;
  const named = { chainId: 7, chainName: "Seven", token: null };
  await deps.store.chains.replace({
    chains: [{ ...named, blockchainId: "b", subnetId: "s" }],
    ...{ fetchedAt: at, changedAt: at, origin, source },
  });
  const { from, to, metrics } = await readChainMetrics(deps, 7);
  assertEquals([from, to], [null, null]);
  assertEquals(
    new Set<string | null>(metrics.map(({ noChange }) => noChange)),
    new Set<string | null>(["unread"]),
  );
});

Deno.test("readChainMetrics: reads a running total once for its values and its daily growth", async () => {
  using deps = await testDeps();
  await sweep(deps, {
    chains: { [C_CHAIN]: "C-Chain" },
    metrics: ["cumulativeAddresses"],
    published: PUBLISHED,
    valuesOf: () => ({ from: "2026-11-17", values: [5, 6, 8, 12] }),
  });
  const read: string[] = [];
  const series = {
    ...deps.store.series,
    find(id: SeriesId) {
      read.push(nameSeries(id));
      return deps.store.series.find(id);
    },
  };
  const store = { ...deps.store, series };
  const { metrics } = await readChainMetrics({ ...deps, store }, C_CHAIN);
  const valueOf = (name: string) =>
    metrics.find(({ metric }) => metric === name)!.value;
  assertEquals([valueOf("cumulativeAddresses"), valueOf("newAddresses")], [
    8,
    2,
  ]);
  const id = { subject: C_CHAIN, metric: "cumulativeAddresses" } as const;
  assertEquals(read.filter((name) => name === nameSeries(id)).length, 1);
});
