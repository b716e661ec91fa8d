import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStrictEquals,
} from "@std/assert";
import { jobCallOptions } from "../../../../services/platform/rate_limit/call_budget.ts";
import {
  isDayMissing,
  readSeries,
  refreshSeries,
} from "../../../../services/chain_data/series/series_reader.ts";
import { CANARY } from "../../../../services/chain_data/series/series_freshness.ts";
import { newestDay } from "../../../../services/chain_data/series/series.ts";
import { Fault, upstreamDown } from "../../../../services/platform/fault.ts";
import { runNamed, succeed } from "../../../support/jobs.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";
import { parseDay } from "../../../../services/platform/days.ts";
import { type ChainDataDeps } from "../../../../services/chain_data/checks/deps.ts";
import { type SeriesState } from "../../../../services/chain_data/series/stored_series.ts";
import { nameSeries } from "../../../../services/chain_data/catalogue/series_id.ts";
import { CALL_OPTIONS } from "../../../support/upstreams.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const L1 = { subject: 2044, metric: "gasUsed" } as const;

/** Reads a series as a request without `max-stale` does. */
const read = (deps: TestDeps, id: Parameters<typeof readSeries>[1] = L1) =>
  readSeries(deps, id, { maxStaleMs: 0 });

Deno.test("readSeries() serves a stored series for as long as the canary shows nothing newer, without reading it", async () => {
  using deps = await testDeps({ chains: 3 });
  await succeed(deps, "refresh-series");
  const { fetchedAt } = await read(deps);
  for (let tick = 0; tick < 60; tick++) {
    deps.advance(10 * MINUTE_MS);
    await succeed(deps, "refresh-series");
  }
  deps.upstreams.metricsApi.calls.length = 0;
  const found = await read(deps);
  assertEquals(found.fetchedAt, fetchedAt, "10 hours ago");
  assert(deps.now().getTime() - found.confirmedAt < 10 * MINUTE_MS);
  assertEquals(deps.upstreams.metricsApi.calls, []);
});

Deno.test("readSeries() reads the canary if no job did within the hour, and the series only after a publication", async () => {
  using deps = await testDeps({ chains: 3 });
  const { calls } = deps.upstreams.metricsApi;
  await read(deps);
  calls.length = 0;
  deps.advance(HOUR_MS);
  await read(deps);
  await read(deps);
  const paths = calls.map(({ path }) => path.split("?")[0]);
  assertEquals(new Set(paths), new Set(["/v2/chains/43114/metrics/txCount"]));
  deps.advance(24 * HOUR_MS);
  calls.length = 0;
  const { series, fetchedAt } = await read(deps);
  assertEquals(fetchedAt, deps.now().getTime());
  assert(series.values.length > 0);
  assertEquals(calls.map(({ path }) => path.split("?")[0]), [
    "/v2/chains/43114/metrics/txCount",
    "/v2/chains/2044/metrics/gasUsed",
  ]);
});

Deno.test("refreshSeries() publishes no day of the canary that is not stored, because another process stored its read meanwhile", async () => {
  using deps = await testDeps({ chains: 3 });
  await succeed(deps, "refresh-series");
  const { newestDay: before } = (await deps.store.publications.find())!;
  deps.advance(24 * HOUR_MS);
  const { metrics } = deps.upstream;
  const readDaily: typeof metrics.readDaily = async (id, options) => {
    const read = await metrics.readDaily(id, options);
    const olderReads: typeof metrics.readDaily = () =>
      Promise.resolve({
        ...read,
        body: read.body.filter(({ day }) => day <= before),
      });
    await refreshSeries(reading(olderReads), CANARY, jobCallOptions());
    return read;
  };
  const reading = (readDaily: typeof metrics.readDaily) => ({
    ...deps,
    upstream: { ...deps.upstream, metrics: { ...metrics, readDaily } },
  });
  await refreshSeries(reading(readDaily), CANARY, jobCallOptions());
  const stored = (await deps.store.series.find(CANARY))!;
  const published = (await deps.store.publications.find())!;
  assertEquals(newestDay(stored.series), before);
  assertEquals(published.newestDay, before);
  assertEquals(published.confirmedAt, deps.now().getTime());
  deps.advance(10 * MINUTE_MS);
  await succeed(deps, "refresh-series");
  const { newestDay: after } = (await deps.store.publications.find())!;
  assertEquals(after, before + 1, "the next read of the canary");
});

Deno.test("readSeries() serves the stored series while a sweep is under way, for at most 80 minutes", async () => {
  using deps = await testDeps({ chains: 3, start: "2026-11-21T22:00:00Z" });
  await succeed(deps, "refresh-series");
  const { fetchedAt } = await read(deps);
  deps.advance(110 * MINUTE_MS);
  await succeed(deps, "refresh-series");
  deps.advance(5 * MINUTE_MS);
  // Another process read the canary; its sweep has not begun.
  const unpublished = (await deps.store.publications.find())!;
  await deps.store.publications.confirm({
    newestDay: unpublished.newestDay + 1,
    readAt: deps.now().getTime(),
    origin: unpublished.origin,
  });
  deps.advance(55 * MINUTE_MS);
  const swept = await read(deps);
  assertEquals(swept.fetchedAt, fetchedAt);
  assertEquals(swept.confirmedAt, unpublished.confirmedAt);
  deps.advance(22 * MINUTE_MS);
  assertEquals((await read(deps)).fetchedAt, deps.now().getTime());
});

Deno.test("readSeries() queues a series that it cannot read, and a job reads it within a minute", async () => {
  using deps = await testDeps({ chains: 3 });
  await succeed(deps, "refresh-chains");
  const { metricsApi } = deps.upstreams;
  metricsApi.switch.set({ mode: "refuse" });
  const { message, failure } = await assertRejects(() => read(deps), Fault);
  assertMatch(message, /no connection; it is queued and read next$/);
  assert(failure.kind === "upstreamDown" && failure.retryAfterMs === 30_000);
  metricsApi.switch.set({ mode: "ok" });
  metricsApi.calls.length = 0;
  deps.advance(MINUTE_MS);
  await runNamed(deps, "refresh-series");
  const paths = metricsApi.calls.map(({ path }) => path.split("?")[0]);
  assert(paths.indexOf("/v2/chains/2044/metrics/gasUsed") <= 2, `${paths}`);
  assert((await read(deps)).series.values.length > 0);
});

Deno.test("readSeries() returns series of many processes at once after one fetch each", async () => {
  const kvPath = await Deno.makeTempFile({ suffix: ".sqlite3" });
  {
    using first = await testDeps({ chains: 3, kvPath });
    using second = await testDeps({ chains: 3, kvPath });
    await Promise.all([
      runNamed(first, "refresh-series"),
      runNamed(second, "refresh-series"),
      ...[first, second, first, second].map((deps) => read(deps)),
    ]);
    const publication = await first.store.publications.find();
    assertEquals(publication, await second.store.publications.find());
    assertEquals(publication!.previousAt, null, "one publication");
    const [a, b] = [await read(first), await read(second)];
    assertEquals(a.series, b.series);
  }
  await Deno.remove(kvPath);
});

// What a series that cannot be read is refused with, and what a read never writes.

/** Replaces how the Metrics API answers a read of days. */
function answering(
  deps: TestDeps,
  readDaily: TestDeps["upstream"]["metrics"]["readDaily"],
) {
  const metrics = { ...deps.upstream.metrics, readDaily };
  return { ...deps, upstream: { ...deps.upstream, metrics } };
}

const C_CHAIN_TX = { subject: 43114, metric: "txCount" } as const;

/** Days from one on, each with the value 1. */
const ones = (from: string, count: number) =>
  Array.from({ length: count }, (_, nth) => ({
    day: parseDay(from) + nth,
    value: 1,
  }));

Deno.test("readSeries() says through which day a stored series is complete and settled when it cannot be read", async () => {
  const down = upstreamDown("metrics.test", "no", { retryAfterMs: 7_000 });
  const through = { dataThrough: "2026-11-19", settledThrough: "2026-11-05" };
  const rows: [
    days: ReturnType<typeof ones>,
    fault: Fault,
    reason: string,
    stored: string,
    failure: object,
  ][] = [
    [
      ones("2026-10-20", 32),
      down,
      "Cannot read metrics.test: no",
      "; the stored series is complete through 2026-11-19: Cache-Control: max-stale accepts it, and to=2026-11-05 or earlier needs no upstream",
      through,
    ],
    [
      ones("2026-11-15", 6),
      down,
      "Cannot read metrics.test: no",
      "; the stored series is complete through 2026-11-19: Cache-Control: max-stale accepts it",
      { dataThrough: "2026-11-19", settledThrough: null },
    ],
    [
      ones("2026-11-20", 1),
      down,
      "Cannot read metrics.test: no",
      "",
      {},
    ],
  ];
  for (const [body, fault, reason, stored, days] of rows) {
    using deps = await testDeps({ start: "2026-11-20T22:30:00Z" });
    const { source } = deps.upstream.metrics;
    const reader = answering(deps, () => Promise.resolve({ body, source }));
    await refreshSeries(reader, C_CHAIN_TX, jobCallOptions());
    deps.advance(2 * HOUR_MS);
    const failing = answering(deps, () => Promise.reject(fault));
    const error = await assertRejects(
      () => readSeries(failing, C_CHAIN_TX, { maxStaleMs: 0 }),
      Fault,
    );
    assertEquals(error.message, reason + stored);
    const { host } = new URL(deps.upstream.metrics.baseUrl);
    assertEquals<object>(error.failure, {
      kind: "upstreamDown",
      upstream: host,
      retryAfterMs: 7_000,
      ...days,
    });
    assertStrictEquals(error.cause, fault);
    const { fetchedAt } = await readSeries(failing, C_CHAIN_TX, {
      maxStaleMs: HOUR_MS,
    });
    assertEquals(fetchedAt, deps.now().getTime() - 2 * HOUR_MS);
  }
});

Deno.test("readSeries() passes on what is no failure of upstream, and queues nothing", async () => {
  using deps = await testDeps();
  const others = [
    new Error("a bug"),
    new Fault("gone", { kind: "unknownFile" }),
  ];
  for (const other of others) {
    const failing = answering(deps, () => Promise.reject(other));
    const error = await assertRejects(() =>
      readSeries(failing, C_CHAIN_TX, { maxStaleMs: HOUR_MS })
    );
    assertStrictEquals(error, other);
  }
  const entries = await Array.fromAsync(deps.kv.list({ prefix: [] }));
  assertEquals(entries.map(({ key }) => key), []);
});

Deno.test("readSeries() asks for a series that is not served only once its chain is known", async () => {
  using deps = await testDeps();
  const unknown = new Fault("no such chain", {
    kind: "unknownChain",
    chainId: 7,
  });
  const never = answering(deps, () => Promise.reject(new Error("asked")));
  const chain = Promise.reject(unknown);
  // Its rejection is awaited later.
  chain.catch(() => {});
  const error = await assertRejects(() =>
    readSeries(
      never,
      C_CHAIN_TX,
      { maxStaleMs: 0 },
      undefined,
      chain,
    )
  );
  assertStrictEquals(error, unknown);
});

Deno.test("refreshSeries() writes nothing of a canary without values, nor of a series that lacks days in many places", async () => {
  using deps = await testDeps({ start: "2026-11-20T12:00:00Z" });
  const { source, baseUrl } = deps.upstream.metrics;
  const { host } = new URL(baseUrl);
  const answer = (body: ReturnType<typeof ones>) =>
    answering(deps, () => Promise.resolve({ body, source }));
  const options = { ...jobCallOptions(), isWhole: true };
  // A first read may be empty.
  await refreshSeries(answer([]), C_CHAIN_TX, options);
  const days = ones("2024-01-01", 1_003);
  await refreshSeries(answer(days), C_CHAIN_TX, options);
  const stored = await deps.store.series.find(C_CHAIN_TX);
  assertEquals(stored?.series.values.length, 1_003);
  deps.advance(HOUR_MS);
  const gappy = days.filter((_, nth) => nth % 2 === 0);
  for (
    const [body, reason] of [
      [[], "txCount of chain 43114 has no values now"],
      [gappy, "txCount of chain 43114 lacks days it had before"],
    ] as const
  ) {
    const { message } = await assertRejects(
      () => refreshSeries(answer([...body]), C_CHAIN_TX, options),
      Fault,
    );
    assertEquals(message, `Cannot read ${host}: ${reason}`);
  }
  assertEquals(await deps.store.series.find(C_CHAIN_TX), stored);
  // Other series may have no new days.
  await refreshSeries(answer(days), L1, options);
  await refreshSeries(answer([]), L1, jobCallOptions());
});

// A metric that upstream publishes after the chain's `txCount`, and that a request reads meanwhile.

Deno.test("isDayMissing() is true for two hours after the newest day of the chain's txCount came, while a metric lacks it", async () => {
  const NOW = 1e12;
  const state = (newestDay: number, newestAgo: number | null) => ({
    newestDay,
    fetchedAt: NOW,
    newestAt: newestAgo === null ? null : NOW - newestAgo,
    wholeAt: NOW,
  });
  type State = SeriesState | null;
  const isMissing = (
    [newest, txCount]: readonly [newest: number | null, txCount: State],
    id: Parameters<typeof isDayMissing>[1],
  ) =>
    isDayMissing(
      {
        store: { series: { listStates: () => Promise.resolve([txCount]) } },
        upstream: { metrics: { baseUrl: "" } },
        now: () => new Date(NOW),
      } as unknown as ChainDataDeps,
      id,
      newest,
    );
  const late = 120 * MINUTE_MS;
  const cases: [newest: number | null, txCount: State, expected: boolean][] = [
    [4, state(5, 0), true],
    [4, state(5, late - 1), true],
    [4, state(5, late), false],
    [5, state(5, 0), false],
    [6, state(5, 0), false],
    [4, state(5, null), false],
    [null, state(5, 0), false],
    [4, null, false],
  ];
  for (const [newest, txCount, expected] of cases) {
    const states = [newest, txCount] as const;
    assertEquals(
      await isMissing(states, { subject: 7, metric: "gasUsed" }),
      expected,
      JSON.stringify(states),
    );
  }
  const behind = [4, state(5, 0)] as const;
  for (
    const id of [
      { subject: 7, metric: "txCount" },
      { subject: "primary-network", metric: "validatorCount" },
    ] as const
  ) assertEquals(await isMissing(behind, id), false, id.metric);
});

Deno.test("readSeries() has a job read a metric again that lacked the chain's newest day", async () => {
  using deps = await testDeps({ chains: 3, start: "2026-11-22T00:05:00Z" });
  await succeed(deps, "refresh-series");
  const id = { subject: 2044, metric: "gasUsed" } as const;
  const { metrics } = deps.upstream;
  const published = (await deps.store.publications.find())!.newestDay;
  const publishesAt = Date.parse("2026-11-23T02:00:00Z");
  const readDaily: typeof metrics.readDaily = async (asked, options) => {
    const { body, source } = await metrics.readDaily(asked, options);
    const isLate = asked.subject === id.subject &&
      asked.metric === id.metric && deps.now().getTime() < publishesAt;
    const days = body.filter(({ day }) => !isLate || day <= published);
    return { body: days, source };
  };
  const upstream = { ...deps.upstream, metrics: { ...metrics, readDaily } };
  const late = { ...deps, upstream };
  deps.advance(24 * 60 * MINUTE_MS + 5 * MINUTE_MS);
  for (const subject of [43114, 2044]) {
    await refreshSeries(late, { subject, metric: "txCount" }, CALL_OPTIONS);
  }
  // No job runs for an hour, so a request reads the metric.
  deps.advance(55 * MINUTE_MS);
  const first = await readSeries(late, id, { maxStaleMs: 0 });
  assertEquals(first.fetchedAt, deps.now().getTime());
  assertEquals(newestDay(first.series), published, "not published yet");
  const failures = await deps.store.series.listFailures();
  assertEquals(failures.get(nameSeries(id)), deps.now().getTime());
  for (let tick = 0; tick < 9; tick++) {
    deps.advance(10 * MINUTE_MS);
    await runNamed(late, "refresh-series");
  }
  const { series } = await readSeries(late, id, { maxStaleMs: 0 });
  assertEquals(newestDay(series), published + 1);
});
