/** Disputes: their order, when each was found, and what an answer dates from. */
import { assertEquals } from "@std/assert";
import {
  compareStored,
  readDisputes,
  recordDisputes,
} from "../../../../services/chain_data/checks/disputes.ts";
import type { StoredMetric } from "../../../../services/chain_data/catalogue/metrics_schema.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";
import { putSeries } from "../../../support/series.ts";
import { disputeStore } from "../../../../services/chain_data/checks/disputes_store.ts";

const HOUR_MS = 3_600_000;
const FROM = "2026-11-10";

/** Stores what both sources say of some days, all of them complete but the last one. */
async function put(
  deps: TestDeps,
  metric: "txCount" | "feesPaid",
  [ours, second]: readonly [readonly number[], readonly number[]],
) {
  const id = { subject: 43114, metric: metric as StoredMetric };
  await putSeries(deps, id, { from: FROM, values: [...ours, 1] });
  await putSeries(deps, { subject: "explorer-index", metric }, {
    from: FROM,
    values: [...second, 1],
  });
}

const foundOf = async (deps: TestDeps) =>
  (await readDisputes(deps)).answer.disputes
    .map(({ series, day, foundAt }) => [series, day, foundAt]);

Deno.test("readDisputes: nothing was compared before the first read", async () => {
  using deps = await testDeps();
  const { answer, fetchedAt, changedAt } = await readDisputes(deps);
  assertEquals(answer, { count: 0, disputes: [], checkedAt: null });
  assertEquals([fetchedAt, changedAt], [deps.now().getTime(), null]);
});

Deno.test("readDisputes lists the newest day first, and the series of a day in their order", async () => {
  using deps = await testDeps();
  await put(deps, "txCount", [[1000, 1000, 1000], [1000, 900, 1000]]);
  const first = deps.now().getTime();
  deps.advance(HOUR_MS);
  await put(deps, "feesPaid", [[10, 10, 10], [20, 20, 10]]);
  deps.advance(HOUR_MS);
  const { answer, fetchedAt, changedAt } = await readDisputes(deps);
  const { metrics, explorer } = deps.upstream;
  assertEquals([fetchedAt, changedAt], [first + 2 * HOUR_MS, first + HOUR_MS]);
  assertEquals([answer.count, answer.checkedAt], [
    3,
    "2026-11-21T09:00:00.000Z",
  ]);
  assertEquals(answer.disputes.map(({ series, day }) => [series, day]), [
    ["transactions", "2026-11-11"],
    ["fees", "2026-11-11"],
    ["fees", "2026-11-10"],
  ]);
  assertEquals(answer.disputes[0], {
    series: "transactions",
    day: "2026-11-11",
    value: 1000,
    crossCheckValue: 900,
    differencePct: -10,
    foundAt: "2026-11-21T08:00:00.000Z",
    chainId: 43114,
    chainName: "C-Chain",
    token: "AVAX",
    unit: "count",
    tolerancePct: 0.5,
    source: metrics.source,
    crossCheckSource: explorer.source,
  });
});

Deno.test("a dispute was found when a source last changed, or when it was first recorded", async () => {
  using deps = await testDeps();
  await put(deps, "txCount", [[1000, 1000], [900, 1000]]);
  const day = ["transactions", "2026-11-10"];
  assertEquals(await foundOf(deps), [[...day, "2026-11-21T08:00:00.000Z"]]);
  await recordDisputes(deps);
  deps.advance(HOUR_MS);
  await put(deps, "txCount", [[1000, 1000], [800, 800]]);
  const next = ["transactions", "2026-11-11", "2026-11-21T09:00:00.000Z"];
  assertEquals(await foundOf(deps), [next, [
    ...day,
    "2026-11-21T08:00:00.000Z",
  ]]);
  await put(deps, "txCount", [[1000, 1000], [1000, 1000]]);
  await recordDisputes(deps);
  deps.advance(HOUR_MS);
  await put(deps, "txCount", [[1000, 1000], [900, 1000]]);
  assertEquals(await foundOf(deps), [[...day, "2026-11-21T10:00:00.000Z"]]);
});

Deno.test("no dispute was found before its day was over", async () => {
  using deps = await testDeps({ start: "2026-11-10T20:00:00.000Z" });
  await put(deps, "txCount", [[1000, 1000], [900, 1000]]);
  deps.advance(48 * HOUR_MS);
  assertEquals(await foundOf(deps), [
    ["transactions", "2026-11-10", "2026-11-11T00:00:00.000Z"],
  ]);
});

Deno.test("a comparison has changed when either source has, and without the second one when ours has", async () => {
  using deps = await testDeps();
  const changedAtOf = async () =>
    (await compareStored(deps, "transactions"))?.changedAt;
  assertEquals(await changedAtOf(), undefined);
  const start = deps.now().getTime();
  const id = { subject: 43114, metric: "txCount" } as const;
  await putSeries(deps, id, { from: FROM, values: [1, 2, 3] });
  assertEquals(await changedAtOf(), start);
  deps.advance(HOUR_MS);
  const second = { subject: "explorer-index", metric: "txCount" } as const;
  await putSeries(deps, second, { from: FROM, values: [1, 2, 3] });
  assertEquals(await changedAtOf(), start + HOUR_MS);
  deps.advance(HOUR_MS);
  await putSeries(deps, id, { from: FROM, values: [1, 2, 4] });
  assertEquals(await changedAtOf(), start + 2 * HOUR_MS);
});

const days = (count: number, foundAt: number, first = 0) =>
  new Map(Array.from({ length: count }, (_, nth) => [first + nth, foundAt]));

Deno.test("replace() opens and closes days, and a day keeps the instant at which it was found", async () => {
  using kv = await Deno.openKv(":memory:");
  const { list, replace } = disputeStore(kv);
  const other = new Map([[1, 9]]);
  await replace("fees", other);
  const steps: [ReadonlyMap<number, number>, ReadonlyMap<number, number>][] = [
    [new Map([[1, 5], [2, 5]]), new Map([[1, 5], [2, 5]])],
    [new Map([[2, 6], [3, 6]]), new Map([[2, 5], [3, 6]])],
    [new Map(), new Map()],
    [new Map([[2, 7]]), new Map([[2, 7]])],
  ];
  for (const [open, expected] of steps) {
    await replace("transactions", open);
    assertEquals(await list("transactions"), expected);
  }
  assertEquals(await list("fees"), other);
});

Deno.test("replace() writes many days, a hundred in each transaction, as many as Deno KV checks", async () => {
  using kv = await Deno.openKv(":memory:");
  const { list, replace } = disputeStore(kv);
  let commits = 0;
  const { atomic } = kv;
  kv.atomic = () => {
    commits++;
    return atomic.call(kv);
  };
  for (const [open, expected] of [[201, 3], [1, 2], [101, 1]] as const) {
    commits = 0;
    await replace("transactions", days(open, 1));
    assertEquals((await list("transactions")).size, open);
    assertEquals(commits, expected);
  }
});

Deno.test("replace() keeps the instant of another process that found the dispute meanwhile", async () => {
  using kv = await Deno.openKv(":memory:");
  const { list, replace } = disputeStore(kv);
  const { atomic } = kv;
  kv.atomic = () => {
    kv.atomic = atomic;
    const late = atomic.call(kv);
    const { commit } = late;
    late.commit = async () => {
      await replace("transactions", new Map([[1, 5]]));
      return commit.call(late);
    };
    return late;
  };
  await replace("transactions", new Map([[1, 6], [2, 6]]));
  assertEquals(await list("transactions"), new Map([[1, 5], [2, 6]]));
});

Deno.test("recordDisputes reads the disputes of all series at once, and those of a series only if it has or had some", async () => {
  using deps = await testDeps();
  await put(deps, "txCount", [[1000, 1000, 1000], [1000, 900, 1000]]);
  await put(deps, "feesPaid", [[10, 10, 10], [10, 10, 10]]);
  const listed: Deno.KvKey[] = [];
  const { list } = deps.kv;
  deps.kv.list = (...args: Parameters<typeof list>) => {
    const { prefix } = args[0] as { readonly prefix: Deno.KvKey };
    if (prefix[0] === "disputes") listed.push(prefix);
    return list.apply(deps.kv, args) as never;
  };
  await recordDisputes(deps);
  const each = ["disputes", "transactions"];
  assertEquals(listed.splice(0), [["disputes"], each]);
  // One that is settled is closed.
  await put(deps, "txCount", [[1000, 1000, 1000], [1000, 1000, 1000]]);
  await recordDisputes(deps);
  assertEquals(listed.splice(0), [["disputes"], each]);
  await recordDisputes(deps);
  assertEquals(listed, [["disputes"]]);
});
