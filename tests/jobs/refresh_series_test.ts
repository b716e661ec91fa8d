import { SERVICE } from "../../services/platform/rate_limit/call_budget.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { JOBS } from "../../jobs/register_jobs.ts";
import { refreshAllSeries } from "../../jobs/refresh_series.ts";
import { runJob } from "../../services/platform/jobs/job_run.ts";
import { STORED_METRICS } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { formatDay } from "../../services/platform/days.ts";
import { asFetch, simulateUpstreams } from "../../simnet/upstreams.ts";
import { START, type TestDeps, testDeps } from "../support/deps.ts";
import { runNamed, succeed } from "../support/jobs.ts";
import { tapKv } from "../support/kv/tapped_kv.ts";
import { nameSeries } from "../../services/chain_data/catalogue/series_id.ts";
import { isCanary } from "../../services/chain_data/series/series_freshness.ts";
import {
  isSweepDue,
  listSeries,
} from "../../services/chain_data/series/refresh_plan.ts";

const refreshSeries = JOBS.find(({ name }) => name === "refresh-series")!;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const seriesCalls = (deps: TestDeps) =>
  deps.upstreams.metricsApi.calls.filter(({ path }) =>
    path.includes("/metrics/")
  );

/** Returns the maximum number of calls within any minute. */
function maxInAMinute(deps: TestDeps): number {
  const instants = seriesCalls(deps).map(({ at }) => at);
  return Math.max(
    ...instants.map((from) =>
      instants.filter((at) => at >= from && at < from + 60_000).length
    ),
  );
}

async function countHeads(deps: TestDeps): Promise<number> {
  const entries = deps.kv.list({ prefix: ["series"] });
  const keys = await Array.fromAsync(entries, ({ key }) => key.at(-1));
  return keys.filter((part) => part === "head").length;
}

/** Runs the job once and returns the paths of its calls. */
async function runOnce(deps: TestDeps): Promise<string[]> {
  deps.upstreams.metricsApi.calls.length = 0;
  const { error } = await runJob(deps, refreshSeries);
  assertEquals(error, null);
  return seriesCalls(deps).map(({ path }) => path.split("?")[0]!);
}

const CANARY = "/v2/chains/43114/metrics/txCount";

Deno.test("refresh-series fills an empty store with one sweep, the C-Chain first, at most 56 calls a minute", async () => {
  using deps = await testDeps({ chains: 12 });
  const start = deps.now().getTime();
  const paths = await runOnce(deps);
  assertEquals(await countHeads(deps), 12 * STORED_METRICS.length + 4);
  const chains = paths.map((path) => path.split("/")[3]);
  assertEquals(
    new Set(chains.slice(0, 2 * STORED_METRICS.length)),
    new Set(["43114"]),
    "two pages",
  );
  assertEquals(
    new Set(
      chains.slice(2 * STORED_METRICS.length, 2 * STORED_METRICS.length + 8),
    ),
    new Set(["mainnet"]),
  );
  assertEquals(new Set(paths).size, 12 * STORED_METRICS.length + 4);
  assert(maxInAMinute(deps) <= 56, `${maxInAMinute(deps)} calls in a minute`);
  const minutes = (deps.now().getTime() - start) / MINUTE_MS;
  assert(minutes < 5, `${minutes} minutes`);
  assertEquals(await runOnce(deps), []);
});

Deno.test("refresh-series sweeps once a publication, and reads only the canary and hourly series between", async () => {
  using deps = await testDeps({ chains: 3, start: "2026-11-21T20:00:00Z" });
  await runOnce(deps);
  const { publishedAt } = (await deps.store.publications.find())!;
  deps.advance(10 * MINUTE_MS);
  assertEquals(await runOnce(deps), [CANARY]);
  deps.advance(4 * MINUTE_MS);
  assertEquals(await runOnce(deps), [], "the canary is not due");
  deps.advance(HOUR_MS);
  const hourly = await runOnce(deps);
  assertEquals(hourly.length, STORED_METRICS.length + 4);
  assert(hourly.every((path) => /43114|mainnet/.test(path)));
  deps.advance(4 * HOUR_MS);
  const swept = await runOnce(deps);
  assertEquals(new Set(swept).size, 3 * STORED_METRICS.length + 4);
  assertEquals(swept[0], CANARY);
  const publication = (await deps.store.publications.find())!;
  assertEquals(formatDay(publication.newestDay), "2026-11-20");
  assertEquals(publication.previousAt, publishedAt);
  assertEquals(await runOnce(deps), [], "one sweep");
});

Deno.test("a sweep reads the head of a series once, and one that changed meanwhile again", async () => {
  using deps = await testDeps({ chains: 3, start: "2026-11-21T20:00:00Z" });
  await runOnce(deps);
  deps.advance(5 * HOUR_MS);
  const { metrics } = deps.upstream;
  const chains = (await deps.store.chains.find())!.chains;
  const ids = listSeries(chains.map(({ chainId }) => chainId));
  const changed = ids.at(-1)!;
  const head = ["series", changed.subject, changed.metric, "head"];
  const { value } = await deps.kv.get(head);
  let isChanged = false;
  const changing = {
    ...metrics,
    readDaily: (async (...asked) => {
      // Another process writes the head after the sweep was planned.
      if (!isCanary(asked[0]) && !isChanged) {
        isChanged = true;
        await deps.kv.set(head, value);
      }
      return await metrics.readDaily(...asked);
    }) as typeof metrics.readDaily,
  };
  const swept = { ...deps, upstream: { ...deps.upstream, metrics: changing } };
  const { reads } = tapKv(deps.kv);
  const { error } = await runJob(swept, refreshSeries);
  assertEquals(error, null);
  const times = new Map(ids.map((id) => [
    nameSeries(id),
    reads.flat().filter(([name, subject, metric, part]) =>
      name === "series" && part === "head" && subject === id.subject &&
      metric === id.metric
    ).length,
  ]));
  assertEquals(times.get(nameSeries(changed)), 2);
  const states = await deps.store.series.listStates(ids, metrics.baseUrlOf);
  // A whole read looks at the head once more while it writes.
  const tailed = ids.filter((id, nth) =>
    !isCanary(id) && nameSeries(id) !== nameSeries(changed) &&
    states[nth]!.wholeAt < deps.now().getTime() - HOUR_MS
  );
  assert(tailed.length > ids.length / 2, `${tailed.length} of ${ids.length}`);
  // One that the source restates is merged with the stored one.
  const again = tailed.filter((id) => times.get(nameSeries(id)) !== 1);
  assert(again.length <= 1, again.map(nameSeries).join());
  for (const [nth, id] of ids.entries()) {
    assertEquals(
      formatDay(states[nth]!.newestDay!),
      "2026-11-20",
      nameSeries(id),
    );
  }
});

Deno.test("a queued series is read and stored, also if another process has stored it since the sweep was planned", async () => {
  using deps = await testDeps({ chains: 3, start: "2026-11-21T20:00:00Z" });
  await runOnce(deps);
  deps.advance(5 * HOUR_MS);
  const queued = { subject: 2044, metric: "feesPaid" } as const;
  const head = ["series", queued.subject, queued.metric, "head"];
  const { value } = await deps.kv.get(head);
  const { metrics } = deps.upstream;
  let readAt: number | null = null;
  const readDaily: typeof metrics.readDaily = async (...asked) => {
    if (!isCanary(asked[0]) && readAt === null) {
      // Another process writes the head, and a request waits for a newer one.
      await deps.kv.set(head, value);
      readAt = deps.now().getTime();
      await deps.store.readQueue.add(queued, { at: readAt });
    }
    return await metrics.readDaily(...asked);
  };
  const upstream = { ...deps.upstream, metrics: { ...metrics, readDaily } };
  let stored: number | null = null;
  const { readQueue } = deps.store;
  const remove: typeof readQueue.remove = async (id) => {
    const [state] = await deps.store.series.listStates(
      [queued],
      metrics.baseUrlOf,
    );
    stored = state!.fetchedAt;
    await readQueue.remove(id);
  };
  const store = { ...deps.store, readQueue: { ...readQueue, remove } };
  await runOnce({ ...deps, upstream, store });
  assert(stored! >= readAt!, "what waits in the queue is answered");
});

for (const place of ["between two series", "when the canary is due"]) {
  Deno.test(`a sweep that is cut ${place} continues where it was, without a look at the chains that it has read, and compares the sources at its end`, async () => {
    using deps = await testDeps({ chains: 6, start: "2026-11-21T20:00:00Z" });
    await runOnce(deps);
    deps.advance(5 * HOUR_MS);
    const chainIds = (await deps.store.chains.find())!.chains
      .map(({ chainId }) => chainId);
    const ids = listSeries(chainIds);
    let left = Math.floor(ids.length * 0.8);
    deps.upstreams.metricsApi.calls.length = 0;
    const { reads } = tapKv(deps.kv);
    const looks = (name: string, part: Deno.KvKeyPart) =>
      reads.flat().filter((key) => key[0] === name && key.at(-1) === part)
        .length;
    let compared = 0;
    const { disputes } = deps.store;
    const store = {
      ...deps.store,
      disputes: {
        ...disputes,
        listSeries() {
          compared++;
          return disputes.listSeries();
        },
      },
    };
    await refreshAllSeries({ ...deps, store }, {
      proceed() {
        left--;
        if (left === 0 && place === "when the canary is due") {
          deps.advance(6 * MINUTE_MS);
        }
        return Promise.resolve(left >= 0);
      },
    });
    const first = seriesCalls(deps).map(({ path }) => path.split("?")[0]!);
    const { publication, sweep } = await deps.store.publications.findAll();
    assert(isSweepDue(publication!, sweep), "it was cut");
    assertEquals(compared, 0);
    reads.length = 0;
    const second = await runOnce({ ...deps, store });
    const heads = looks("series", "head");
    assert(heads < ids.length * 0.8, `${heads} looks at ${ids.length} series`);
    assertEquals(compared, 1);
    const again = second.filter((path) => first.includes(path));
    assertEquals(again.filter((path) => path !== CANARY), []);
    const states = await deps.store.series.listStates(
      ids,
      deps.upstream.metrics.baseUrlOf,
    );
    for (const [nth, state] of states.entries()) {
      const isRead = state!.fetchedAt >= publication!.publishedAt;
      assert(isRead, nameSeries(ids[nth]!));
    }
    const ended = await deps.store.publications.findAll();
    assertEquals(ended.sweep!.settled!.toSorted(), chainIds.toSorted());
    assertEquals(ended.progress, null);
  });
}

Deno.test("the run after a kill compares the sources that a cut sweep and the killed run have read", async () => {
  using deps = await testDeps({ chains: 6, start: "2026-11-21T20:00:00Z" });
  await runOnce(deps);
  deps.advance(5 * HOUR_MS);
  const { disputes } = deps.store;
  let isKilled = true;
  let compared = 0;
  const listSeries: typeof disputes.listSeries = () => {
    if (isKilled) throw new Error("killed");
    compared++;
    return disputes.listSeries();
  };
  const store = { ...deps.store, disputes: { ...disputes, listSeries } };
  const swept = { ...deps, store };
  let left = 40;
  await refreshAllSeries(swept, {
    proceed: () => Promise.resolve(left-- > 0),
  });
  assert((await runJob(swept, refreshSeries)).error, "it ends its sweep");
  const { publication, sweep } = await deps.store.publications.findAll();
  assert(!isSweepDue(publication!, sweep));
  isKilled = false;
  deps.advance(6 * MINUTE_MS);
  assertEquals(await runOnce(swept), [CANARY]);
  assertEquals(compared, 1);
  deps.advance(6 * MINUTE_MS);
  assertEquals(await runOnce(swept), [CANARY]);
  assertEquals(compared, 1, "once");
});

Deno.test("refresh-series takes a growing value of the newest day for no publication", async () => {
  using deps = await testDeps({ chains: 2 });
  await runOnce(deps);
  const { metrics } = deps.upstream;
  let grown = 0;
  const growing = {
    ...metrics,
    readDaily: (async (...asked) => {
      const { body, source } = await metrics.readDaily(...asked);
      const [newest, ...rest] = body;
      return {
        source,
        body: [{ ...newest!, value: newest!.value + ++grown }, ...rest],
      };
    }) as typeof metrics.readDaily,
  };
  const deps2 = { ...deps, upstream: { ...deps.upstream, metrics: growing } };
  const before = await deps.store.publications.find();
  for (let tick = 0; tick < 3; tick++) {
    deps.advance(10 * MINUTE_MS);
    await runJob(deps2, refreshSeries);
  }
  assertEquals(grown, 3, "the canary alone");
  const { newestDay, publishedAt } = (await deps.store.publications.find())!;
  assertEquals([newestDay, publishedAt], [
    before!.newestDay,
    before!.publishedAt,
  ]);
});

Deno.test("refresh-series reads the canary every five minutes, however long the queue is", async () => {
  using deps = await testDeps({ chains: 3 });
  await runOnce(deps);
  const at = deps.now().getTime();
  for (const metric of STORED_METRICS) {
    await deps.store.readQueue.add({ subject: 2044, metric }, { at });
  }
  const { metrics } = deps.upstream;
  const readDaily: typeof metrics.readDaily = (id, options) => {
    deps.advance(MINUTE_MS);
    return metrics.readDaily(id, options);
  };
  const upstream = { ...deps.upstream, metrics: { ...metrics, readDaily } };
  const paths = await runOnce({ ...deps, upstream });
  const nth = paths.indexOf(CANARY);
  assert(nth > 0 && nth <= 5, `${nth} other reads first`);
  assertEquals(await deps.store.readQueue.findNext(), null);
});

Deno.test("refresh-series continues with other series if one always fails, and tries that again later", async () => {
  using deps = await testDeps({ chains: 6 });
  const { metrics } = deps.upstream;
  const failing = {
    ...metrics,
    readDaily: ((id, options) =>
      metrics.readDaily(
        id.metric === "gasUsed" ? { ...id, subject: -1 } : id,
        options,
      )) as typeof metrics.readDaily,
  };
  const flawed = { ...deps, upstream: { ...deps.upstream, metrics: failing } };
  const { outcome } = await runJob(flawed, refreshSeries);
  assertEquals(
    outcome,
    `${6 * (STORED_METRICS.length - 1) + 4} series read, 6 failed`,
    "never five in a row",
  );
  const { sweep } = await deps.store.publications.findAll();
  assert(sweep, "the sweep has ended");
  deps.advance(10 * MINUTE_MS);
  assertEquals(await runOnce(deps), [CANARY]);
  deps.advance(10 * MINUTE_MS);
  assertEquals(new Set(await runOnce(deps)).size, 1 + 6);
  assertEquals(await deps.store.series.listFailures(), new Map());
});

Deno.test("refresh-series reads the other series before it fails with an error of its own", async () => {
  using deps = await testDeps({ chains: 6 });
  const { metrics } = deps.upstream;
  const failing = {
    ...metrics,
    readDaily: ((id, options) => {
      if (id.metric === "gasUsed") throw new TypeError("a bug");
      return metrics.readDaily(id, options);
    }) as typeof metrics.readDaily,
  };
  const flawed = { ...deps, upstream: { ...deps.upstream, metrics: failing } };
  const { error } = await runJob(flawed, refreshSeries);
  assertEquals(error, "internal error");
  const { sweep } = await deps.store.publications.findAll();
  assert(sweep, "the sweep has ended");
});

Deno.test("refresh-series with upstream down fails early and changes nothing", async () => {
  using deps = await testDeps();
  await deps.upstream.metrics.listChains({
    priority: "job",
    signal: new AbortController().signal,
    requester: SERVICE,
  });
  deps.upstreams.metricsApi.switch.set({ mode: "status", status: 500 });
  const run = await runJob(deps, refreshSeries);
  assertEquals(run.error, "Cannot read metrics.test: status is 500");
  assertEquals(await countHeads(deps), 0);
  assertEquals(seriesCalls(deps).length, 1, "the canary alone");
  const [record] = await deps.store.jobs.listRuns();
  assertEquals(record, run);
});

Deno.test("refresh-series stops after five failures in a row, and the next run continues the sweep", async () => {
  using deps = await testDeps({ chains: 3 });
  const fault = { mode: "status", status: 500 } as const;
  deps.upstreams.metricsApi.switch.set({ ...fault, after: 12 });
  const { error } = await runJob(deps, refreshSeries);
  assertMatch(error!, /status is 500/);
  assertEquals(deps.upstreams.metricsApi.calls.length, 12 + 5);
  const stored = await countHeads(deps);
  assert(stored > 0 && stored < 12, `${stored}`);
  deps.upstreams.metricsApi.switch.set({ mode: "ok" });
  const kept = await deps.store.series.find({
    subject: 43114,
    metric: "activeAddresses",
  });
  deps.advance(MINUTE_MS);
  await runOnce(deps);
  deps.advance(20 * MINUTE_MS);
  await runOnce(deps);
  assertEquals(await countHeads(deps), 3 * STORED_METRICS.length + 4);
  assertEquals(
    (await deps.store.series.find({
      subject: 43114,
      metric: "activeAddresses",
    }))?.fetchedAt,
    kept?.fetchedAt,
    "not read twice",
  );
});

Deno.test("refresh-series leaves out a host of single chains that is down, and reads all others", async () => {
  const upstreams = simulateUpstreams({
    chains: 3,
    now: () => new Date(START),
  });
  const send = asFetch(upstreams);
  let calls = 0;
  using deps = await testDeps({
    chains: 3,
    settings: { METRICS_API_URLS: '{"1234":"https://own.test"}' },
    fetch(input, init) {
      const { host } = new URL(new Request(input, init).url);
      if (host !== "own.test") return send(input, init);
      calls++;
      return Promise.resolve(new Response(null, { status: 500 }));
    },
  });
  const { outcome } = await runJob(deps, refreshSeries);
  const each = STORED_METRICS.length;
  assertEquals(outcome, `${2 * each + 4} series read, ${each} failed`);
  assertEquals(calls, 5);
  const { sweep } = await deps.store.publications.findAll();
  assert(sweep, "the sweep has ended");
});

Deno.test("refresh-series reads what another host has queued, whether or not the shared one answers", async (t) => {
  for (const isCanaryDue of [false, true]) {
    await t.step(isCanaryDue ? "the canary is due" : "it is not", async () => {
      const upstreams = simulateUpstreams({ now: () => new Date(START) });
      const send = asFetch(upstreams);
      let isDown = false;
      using deps = await testDeps({
        settings: { METRICS_API_URLS: '{"2044":"https://own.test"}' },
        fetch: (input, init) =>
          isDown && new Request(input, init).url.includes("metrics.test")
            ? Promise.resolve(new Response(null, { status: 500 }))
            : send(input, init),
      });
      const { metrics } = deps.upstream;
      const at = deps.now().getTime();
      await runNamed(deps, "refresh-chains");
      await deps.store.publications.confirm({
        newestDay: 20_000,
        readAt: isCanaryDue ? at - HOUR_MS : at,
        origin: metrics.baseUrl,
      });
      isDown = true;
      for (const [nth, subject] of [3011, 2044].entries()) {
        for (const metric of STORED_METRICS) {
          const id = { subject, metric };
          await deps.store.readQueue.add(id, { at: at + nth });
        }
      }
      const { error } = await runJob(deps, refreshSeries);
      assertEquals(error, "Cannot read metrics.test: status is 500");
      assertEquals(await countHeads(deps), STORED_METRICS.length);
    });
  }
});

Deno.test("refresh-series compares the sources only after a read that changed a value", async () => {
  using deps = await testDeps({ chains: 2 });
  let compared = 0;
  const { disputes } = deps.store;
  const listSeries: typeof disputes.listSeries = () => {
    compared++;
    return disputes.listSeries();
  };
  const store = { ...deps.store, disputes: { ...disputes, listSeries } };
  const run = async () => {
    compared = 0;
    const { outcome } = await runJob({ ...deps, store }, refreshSeries);
    return { outcome, hasCompared: compared > 0 };
  };
  assertEquals((await run()).hasCompared, true);
  deps.advance(11 * 60_000);
  assertEquals(await run(), {
    outcome: "1 series read, 0 failed",
    hasCompared: false,
  });
  deps.advance(24 * 60 * 60_000);
  assertEquals((await run()).hasCompared, true, "a day was published");
});

// The sweep after the clock was set back.

Deno.test("refresh-series reads all series once after the clock was set back, an empty one, too", async () => {
  using deps = await testDeps({ chains: 3, start: "2026-11-21T22:00:00Z" });
  const { metrics } = deps.upstream;
  const read: string[] = [];
  const readDaily: typeof metrics.readDaily = async (id, options) => {
    read.push(`${id.subject} ${id.metric}`);
    const { body, source } = await metrics.readDaily(id, options);
    const isEmpty = id.subject === 2044 && id.metric === "activeSenders";
    return { body: isEmpty ? [] : body, source };
  };
  const upstream = { ...deps.upstream, metrics: { ...metrics, readDaily } };
  const world = { ...deps, upstream };
  await succeed(world, "refresh-series");
  deps.advance(5 * HOUR_MS);
  await succeed(world, "refresh-series");
  deps.advance(-2 * HOUR_MS);
  read.length = 0;
  await succeed(world, "refresh-series");
  assertEquals(new Set(read).size, 3 * STORED_METRICS.length + 4);
  assertEquals(read.length, new Set(read).size, "none is read twice");
  assertEquals(
    (await succeed(world, "refresh-series")).split(",")[0],
    "nothing is due",
  );
});

// Chains of which upstream answers nothing, beside chains that it serves.

Deno.test("refresh-series reads the other chains, and ends its sweep, while upstream fails for many", async () => {
  using deps = await testDeps({ chains: 8, start: "2026-11-21T22:00:00Z" });
  await succeed(deps, "refresh-series");
  const { chains } = (await deps.store.chains.find())!;
  const l1s = chains.map(({ chainId }) => chainId)
    .filter((chainId) => chainId !== 43114);
  const failing = new Set(l1s.slice(0, 6));
  const { metrics } = deps.upstream;
  let failed = 0;
  const readDaily: typeof metrics.readDaily = (id, options) => {
    const fails = failing.has(id.subject as number);
    if (fails) failed++;
    return metrics.readDaily(
      fails ? { ...id, subject: -1 } as typeof id : id,
      options,
    );
  };
  const upstream = { ...deps.upstream, metrics: { ...metrics, readDaily } };
  const served = { subject: l1s.at(-1)!, metric: "txCount" } as const;
  for (const day of ["first", "second"]) {
    deps.advance((day === "first" ? 3 : 23) * HOUR_MS);
    const publishedAfter = deps.now().getTime();
    for (let minute = 0; minute < 40; minute++) {
      deps.advance(MINUTE_MS);
      await runNamed({ ...deps, upstream }, "refresh-series");
    }
    const { fetchedAt } = (await deps.store.series.find(served))!;
    assert(fetchedAt > publishedAfter, `${day}: the last chain is read`);
    const { publications } = deps.store;
    const { publication, sweep } = await publications.findAll();
    assertEquals(isSweepDue(publication!, sweep), false, `${day}: it ended`);
  }
  assert(failed > 6 * STORED_METRICS.length, "failed ones are tried again");
});

Deno.test("without news refresh-series reads each hourly series within the hour, looks at their states once an hour, and reads one that failed again after 20 minutes", async () => {
  using deps = await testDeps({ chains: 2 });
  await succeed(deps, "refresh-series");
  const hourly = listSeries([]);
  const { metrics } = deps.upstream;
  const readAt = new Map<string, number[]>();
  const readDaily: typeof metrics.readDaily = (id, options) => {
    const name = nameSeries(id);
    const times = readAt.get(name) ?? [];
    readAt.set(name, [...times, deps.now().getTime()]);
    return metrics.readDaily(id, options);
  };
  const upstream = { ...deps.upstream, metrics: { ...metrics, readDaily } };
  const pass = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      deps.advance(MINUTE_MS);
      await runNamed({ ...deps, upstream }, "refresh-series");
    }
  };
  await pass(60);
  const { reads } = tapKv(deps.kv);
  readAt.clear();
  await pass(180);
  for (const id of hourly.filter((id) => !isCanary(id))) {
    const times = readAt.get(nameSeries(id))!;
    assert(times.length >= 3, nameSeries(id));
    for (const [nth, at] of times.slice(1).entries()) {
      assert(at - times[nth]! <= HOUR_MS, nameSeries(id));
    }
  }
  // Three hourly reads of a series, two keys each; 36 looks at all of them would be more.
  const keys = reads.flat().length;
  assert(keys < 36 * hourly.length, `${keys} keys`);

  const gasUsed = { subject: 43114, metric: "gasUsed" } as const;
  const timesOf = () => readAt.get(nameSeries(gasUsed))!.length;
  for (const before = timesOf(); timesOf() === before;) await pass(1);
  const read = timesOf();
  // A read that a request waited for.
  await deps.store.series.putFailure(gasUsed, deps.now().getTime());
  await pass(25);
  assertEquals(timesOf(), read + 1);
});
