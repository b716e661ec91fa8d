import { isIndexed } from "../../services/chain_data/checks/explorer_series.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import {
  DAY_MS,
  dayAt,
  formatDay,
  parseDay,
} from "../../services/platform/days.ts";
import { upstreamDown } from "../../services/platform/fault.ts";
import { newestDay, valueOn } from "../../services/chain_data/series/series.ts";
import {
  EXPLORER_METRICS,
  type ExplorerMetric,
  indexSeriesId,
} from "../../services/chain_data/catalogue/series_id.ts";
import { START, type TestDeps, testDeps } from "../support/deps.ts";
import { putSeries, revisionsOf } from "../support/series.ts";
import {
  findIndex,
  maxWithin,
  readStored,
  show,
  takeCalls,
  withIndex,
} from "../support/chain_data/explorer_calls.ts";
import { runNamed, succeed } from "../support/jobs.ts";
import { INDEX_METRICS } from "../../services/chain_data/catalogue/cross_checks_schema.ts";
import { readQuality } from "../../services/chain_data/quality/quality.ts";
import { readDisputes } from "../../services/chain_data/checks/disputes.ts";
import { type ChainIndex } from "../../services/chain_data/checks/explorer_client.ts";
import { ANOMALY_CHAIN_IDS } from "../../simnet/series/anomalies.ts";
import {
  CHAIN_DISPUTE,
  LAGGING_DAYS,
  ZERO_CHAIN_ID,
} from "../../simnet/explorer/explorer_days.ts";
import { refreshSeries } from "../../services/chain_data/series/series_reader.ts";
import { jobCallOptions } from "../../services/platform/rate_limit/call_budget.ts";
import { asFetch, simulateUpstreams } from "../../simnet/upstreams.ts";
import { askMetrics } from "../support/chain_data/metrics_answers.ts";
import { nodeWith } from "../support/evm/rpc_node.ts";

const JOB = "cross-check";

Deno.test("cross-check first fetches the whole history, then new days, two weeks and a recheck", async (t) => {
  using deps = await testDeps();
  const actions = ["dailytx", "dailytxnfee", "dailyblkcount"];

  await t.step("a first run: a year and a day in a call", async () => {
    assertEquals(await succeed(deps, JOB), "3 series checked");
    const calls = takeCalls(deps);
    assertEquals(calls.slice(0, 8).map(show), [
      "dailytx 2020-09-21 2021-09-21",
      "dailytx 2021-09-22 2022-09-22",
      "dailytx 2022-09-23 2023-09-23",
      "dailytx 2023-09-24 2024-09-23",
      "dailytx 2024-09-24 2025-09-24",
      "dailytx 2025-09-25 2026-09-25",
      "dailytx 2026-09-26 2026-11-20",
      "dailytx 2020-09-21 2020-12-10",
    ]);
    assertEquals(
      calls.map(({ action }) => action),
      actions.flatMap((action) => Array(8).fill(action)),
    );
  });
  await t.step("a day later: two calls a series", async () => {
    deps.advance(DAY_MS);
    await succeed(deps, JOB);
    assertEquals(
      takeCalls(deps).map(show),
      actions.flatMap((action) => [
        `${action} 2026-11-06 2026-11-21`,
        `${action} 2020-12-11 2021-03-01`,
      ]),
    );
  });
  await t.step(
    "after two months without a run: the missing days, too",
    async () => {
      deps.advance(60 * DAY_MS);
      await succeed(deps, JOB);
      assertEquals(show(takeCalls(deps)[0]!), "dailytx 2026-11-07 2027-01-20");
    },
  );
});

Deno.test("cross-check stores a day without a row as absent", async () => {
  using deps = await testDeps();
  await succeed(deps, JOB);
  for (const metric of ["txCount", "feesPaid"] as const) {
    const { series } = await findIndex(deps, metric);
    for (const day of ["2021-08-17", "2024-02-29"]) {
      assertEquals(valueOn(series, parseDay(day)), NaN, day);
      assert(valueOn(series, parseDay(day) - 1) > 0);
    }
    assertEquals(formatDay(newestDay(series)!), "2026-11-20");
  }
});

Deno.test("cross-check continues where a run failed, in any call", async (t) => {
  using whole = await testDeps();
  await succeed(whole, JOB);
  const expected = (await readStored(whole)).map(({ series }) => series);
  const calls = takeCalls(whole);
  for (const after of [0, 1, 3, 8, 12, 23]) {
    await t.step(`after ${after} calls`, async () => {
      using deps = await testDeps();
      deps.upstreams.explorer.switch.set({
        mode: "status",
        status: 500,
        after,
      });
      const { error, outcome } = await runNamed(deps, JOB);
      assertMatch(error!, /^Cannot read explorer.test: status is 500$/);
      assertEquals(outcome, null);
      const made = takeCalls(deps);
      assertEquals(made.slice(0, after), calls.slice(0, after));
      assert(
        made.length <= after + 3,
        "a series is given up after one failure",
      );

      deps.upstreams.explorer.switch.set({ mode: "ok" });
      await succeed(deps, JOB);
      const again = takeCalls(deps).length;
      // Seven calls per history. Stored parts are not fetched again.
      assert(again <= calls.length - after + 6, `${again} calls more`);
      const stored = (await readStored(deps)).map(({ series }) => series);
      assertEquals(stored, expected);
    });
  }
});

Deno.test("cross-check continues with other series if one always fails", async () => {
  using deps = await testDeps();
  const { readDaily } = deps.upstream.explorer;
  const failing = withIndex(deps, (metric, options) => {
    if (metric !== "txCount") return readDaily(metric, options);
    return Promise.reject(upstreamDown("explorer.test", "no such action"));
  });
  const { error } = await runNamed(failing, JOB);
  assertEquals(error, "Cannot read explorer.test: no such action");
  const newest = async (metric: ExplorerMetric) => {
    const id = { subject: "explorer-index", metric } as const;
    const stored = await deps.store.series.find(id);
    return stored && formatDay(newestDay(stored.series)!);
  };
  assertEquals(await Promise.all(EXPLORER_METRICS.map(newest)), [
    null,
    "2026-11-20",
    "2026-11-20",
  ]);
});

Deno.test("cross-check stores a restated old value, and drops a row after three reads without it", async () => {
  using deps = await testDeps();
  await succeed(deps, JOB);
  const before = (await findIndex(deps, "txCount")).series;
  const [restated, gone] = [parseDay("2022-05-05"), parseDay("2024-12-24")];
  const { readDaily } = deps.upstream.explorer;
  const changed = withIndex(deps, async (metric, options) => {
    const { body, source } = await readDaily(metric, options);
    const rows = body.filter(({ day }) => day !== gone)
      .map(({ day, value }) => ({ day, value: day === restated ? 7 : value }));
    return { body: rows, source };
  });
  const seen = new Set<number>();
  for (let run = 0; run < 28; run++) {
    deps.advance(DAY_MS);
    await succeed(changed, JOB);
    const { series, withdrawals = [] } = await findIndex(deps, "txCount");
    for (const { from, to, reads } of withdrawals) {
      assertEquals([from, to], [gone, gone]);
      assertEquals(valueOn(series, gone), valueOn(before, gone));
      seen.add(reads);
    }
  }
  assert(seen.size > 0, "the last value stood for a while");
  const { series } = await findIndex(deps, "txCount");
  assertEquals(valueOn(series, restated), 7);
  assertEquals(valueOn(series, gone), NaN);
  const id = { subject: "explorer-index", metric: "txCount" } as const;
  assertEquals(
    (await revisionsOf(deps, id))
      .filter(({ day }) => [gone, restated].includes(day))
      .map(({ day, from, to, cause }) => [day, from, to, cause]).toSorted(),
    [
      [gone, valueOn(before, gone), null, "withdrawn"],
      [restated, valueOn(before, restated), 7, "restated"],
    ].toSorted(),
  );
  const other = parseDay("2023-03-03");
  assertEquals(valueOn(series, other), valueOn(before, other));
});

Deno.test("cross-check makes at most two calls per second, as the index allows, and 24 per run", async () => {
  using deps = await testDeps();
  await succeed(deps, JOB);
  assertEquals(deps.upstreams.explorer.calls.length, 24);
  assertEquals(maxWithin(deps, 1_000), 2);
});

Deno.test("cross-check ignores data of another explorer index", async () => {
  using deps = await testDeps();
  await succeed(deps, JOB);
  takeCalls(deps);
  const explorer = { ...deps.upstream.explorer, baseUrl: "http://other.test" };
  const moved = { ...deps, upstream: { ...deps.upstream, explorer } };
  await succeed(moved, JOB);
  assertEquals(show(takeCalls(deps)[0]!), "dailytx 2020-09-21 2021-09-21");
  for (const { origin } of await readStored(deps)) {
    assertEquals(origin, "http://other.test");
  }
});

// The part of cross-check that reads every chain from the explorer index.

/** Takes the calls about chains since the last time: the metric and the chain. */
function takeChainCalls({ upstreams }: TestDeps): string[] {
  return upstreams.explorer.calls.splice(0).flatMap(({ path }) => {
    const { pathname, searchParams } = new URL(path, "http://explorer.test");
    const kind = /aggregations\/(\w+)$/.exec(pathname)?.[1];
    if (kind) return [`${kind} ${searchParams.get("includedChainIds")}`];
    const chainId = /evm\/(\d+)\//.exec(pathname)![1];
    return chainId === "43114" ? [] : [`fees ${chainId}`];
  });
}

function withChainIndex(deps: TestDeps, readDaily: ChainIndex["readDaily"]) {
  const chainIndex = { ...deps.upstream.chainIndex, readDaily };
  return { ...deps, upstream: { ...deps.upstream, chainIndex } };
}

Deno.test("cross-check reads each metric of each chain once a day, and of a chain that is not indexed only the transactions", async (t) => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  const chains = (await deps.store.chains.find())!.chains.length;
  const unindexed = [ZERO_CHAIN_ID, ANOMALY_CHAIN_IDS.never];
  const expected = 1 + 3 * (chains - 1 - unindexed.length) + unindexed.length;

  await t.step("one call a series", async () => {
    assertEquals(
      await succeed(deps, JOB),
      `3 series checked, ${expected} series of chains read`,
    );
    const calls = takeChainCalls(deps);
    assertEquals(new Set(calls).size, calls.length);
    assertEquals(calls.length, expected);
    assertEquals(
      calls.filter((call) =>
        call.endsWith(" 43114") ||
        unindexed.some((id) => call.endsWith(` ${id}`))
      ).toSorted(),
      ["addresses 43114", ...unindexed.map((id) => `txs ${id}`)].toSorted(),
    );
  });
  await t.step("none again on the same day", async () => {
    deps.advance(3_600_000);
    assertEquals(await succeed(deps, JOB), "3 series checked");
    assertEquals(takeChainCalls(deps), []);
  });
  await t.step("all again on the next", async () => {
    deps.advance(DAY_MS);
    await succeed(deps, JOB);
    assertEquals(takeChainCalls(deps).length, expected);
  });
});

Deno.test("cross-check continues with the other chains if one fails, and stops after three failures in a row", async () => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  const { readDaily } = deps.upstream.chainIndex;
  const failing = (which: (chainId: number) => boolean) =>
    withChainIndex(
      deps,
      (metric, chainId, options) =>
        which(chainId)
          ? Promise.reject(upstreamDown("explorer.test", "no such chain"))
          : readDaily(metric, chainId, options),
    );
  const one = (await runNamed(failing((id) => id === 4337), JOB)).outcome!;
  assertMatch(one, /^3 series checked, \d+ series of chains read, 1 failed$/);
  const found = await deps.store.series.find(indexSeriesId(432204, "feesPaid"));
  assert(isIndexed(found!.series));

  deps.advance(DAY_MS);
  takeChainCalls(deps);
  const { error } = await runNamed(failing(() => true), JOB);
  assertEquals(error, "Cannot read explorer.test: no such chain");
  assertEquals(takeChainCalls(deps), []);
  assertMatch(await succeed(deps, JOB), /^3 series checked, \d+ series/);
});

Deno.test("simnet's chains are checked: /quality and /disputes cover them", async () => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  for (
    const subject of [
      4337,
      ZERO_CHAIN_ID,
      LAGGING_DAYS.chainId,
      CHAIN_DISPUTE.chainId,
    ]
  ) {
    for (const metric of INDEX_METRICS) {
      await refreshSeries(deps, { subject, metric }, jobCallOptions());
    }
  }
  await succeed(deps, JOB);
  const { chainChecks } = (await readQuality(deps)).answer;
  const checkOf = (id: number, of = "txCount") =>
    chainChecks.find(({ chainId, metric }) => chainId === id && metric === of)!;
  const dispute = (await readDisputes(deps)).answer.disputes.filter((
    { chainId },
  ) => chainId !== 43114);
  assertEquals(checkOf(ZERO_CHAIN_ID).reason, "notIndexed");
  const [newest, oldest] = LAGGING_DAYS.ages;
  assertEquals(
    checkOf(LAGGING_DAYS.chainId).notCoveredDayCount,
    oldest - newest + 1,
  );
  assertEquals(checkOf(4337).agreementPct, 100);
  assertEquals(
    [...new Set(dispute.map(({ chainId, day }) => `${chainId} ${day}`))],
    [`${CHAIN_DISPUTE.chainId} 2026-11-09`],
  );
  assert(
    dispute.some(({ series, unit, token }) =>
      series === "feesPaid" && unit === "avax" && token !== "AVAX"
    ),
  );
});

// The part of cross-check that asks the own nodes of chains that every other source shows idle.

const { dead: CHAIN } = ANOMALY_CHAIN_IDS;
const ACTIVE = 2044;
const NOW = Date.parse(START);
const hex = (value: number) => `0x${value.toString(16)}`;

/** A node of a chain with a block an hour, but none at ages between two in days. Each has this many transactions. */
function nodeOf(
  chainId: number,
  transactions: number,
  [from, to]: readonly [number, number] = [0, 0],
) {
  const times = Array.from({ length: 24 * 200 }, (_, nth) => nth / 24)
    .filter((age) => age <= from || age > to)
    .map((age) => Math.floor((NOW - age * DAY_MS) / 1000)).toReversed();
  return nodeWith({
    eth_chainId: () => hex(chainId),
    eth_getBlockByNumber: (tag) => {
      const height = tag === "latest" ? times.length - 1 : Number(tag);
      return {
        number: hex(height),
        timestamp: hex(times[height]!),
        transactions: Array(transactions).fill("0xa"),
      };
    },
  });
}

/** Opens the service with a node that serves a chain; it counts the calls to it. */
async function withNode(node: ReturnType<typeof nodeOf>, chainId = CHAIN) {
  const send = asFetch(simulateUpstreams({ now: () => new Date(NOW) }));
  const asked: string[] = [];
  const deps = await testDeps({
    settings: { CHAIN_RPC_URLS: `{"${chainId}":"https://node.test/rpc"}` },
    async fetch(input, init) {
      const request = new Request(input, init);
      if (new URL(request.url).host !== "node.test") return send(request);
      asked.push((await request.clone().json()).method);
      return await node(request);
    },
  });
  await succeed(deps, "refresh-chains");
  // What the C-Chain has published decides which days are inferred.
  await askMetrics(deps);
  return { deps, asked };
}

/** Returns what is answered of the chain: its inferred days, and how it is covered. */
async function readChain(deps: TestDeps, query = "") {
  const { body } = await askMetrics(deps, `chainId=${CHAIN}&range=30d${query}`);
  const response = await createApp(deps).request("/api/chain-data/chains");
  const { chains } = await response.json();
  const { coverage } = chains.find((chain: { chainId: number }) =>
    chain.chainId === CHAIN
  );
  return { inferred: body.inferredDayCount, coverage };
}

/** What the source has published of the chain: traffic, then nothing for 60 days. */
async function putQuiet(deps: TestDeps): Promise<number> {
  const days = 100;
  const id = { subject: CHAIN, metric: "txCount" } as const;
  const last = dayAt(NOW) - 60;
  await putSeries(deps, id, {
    from: formatDay(last - days + 1),
    values: Array<number>(days).fill(5),
  });
  await putSeries(deps, indexSeriesId(CHAIN, "txCount"), {
    from: formatDay(last - 9),
    values: [...Array<number>(10).fill(5), ...Array<number>(59).fill(0)],
  });
  return last;
}

Deno.test("cross-check asks the node of a chain that is idle elsewhere, and a block of an inferred day ends its zeroes", async (t) => {
  const { deps, asked } = await withNode(nodeOf(CHAIN, 3));
  using _ = deps;
  const last = await putQuiet(deps);
  const before = await readChain(deps);
  assert(before.inferred > 20, `${before.inferred} inferred days`);
  assertEquals(before.coverage.state, "served");
  deps.advance(60_000);
  const beforeAt = deps.now().toISOString();
  deps.advance(60_000);

  const outcome = await succeed(deps, "cross-check");
  assertMatch(outcome, /, 1 of 1 idle chains active at their nodes$/);
  await t.step(
    "nothing is inferred, and coverage says since when",
    async () => {
      const { inferred, coverage } = await readChain(deps);
      assertEquals(inferred, 0);
      assertEquals(
        [coverage.state, coverage.since],
        ["stopped", formatDay(last + 1)],
      );
      assertMatch(coverage.reason, /the chain's own node/);
    },
  );
  await t.step("as of an instant before, the days were zero", async () => {
    const asOf = async (at: string) =>
      (await readChain(deps, `&asOf=${at}`)).inferred;
    assertEquals(await asOf(beforeAt), before.inferred);
    assertEquals(await asOf(deps.now().toISOString()), 0);
  });
  await t.step("quality names the node by its host alone", async () => {
    const response = await createApp(deps).request("/api/chain-data/quality");
    const { sources } = await response.json();
    const [node] = sources.filter(({ serves }: { serves: string }) =>
      serves.includes(String(CHAIN))
    );
    assertEquals(node.source, `node of chain ${CHAIN} (node.test)`);
    assertEquals(node.url, "https://node.test");
    assertEquals(node.lagHours, 0);
  });
  await t.step("it is not asked again while that stands", async () => {
    asked.length = 0;
    deps.advance(DAY_MS);
    assertEquals(/nodes/.test(await succeed(deps, "cross-check")), false);
    assertEquals(asked, []);
  });
});

Deno.test("cross-check leaves the zeroes of a chain whose node has no block with transactions of those days, and asks it once a day", async (t) => {
  const cases: [name: string, node: ReturnType<typeof nodeOf>][] = [
    ["no block since", nodeOf(CHAIN, 3, [-1, 60])],
    ["blocks without transactions", nodeOf(CHAIN, 0)],
    ["blocks since a day that is not inferred", nodeOf(CHAIN, 3, [8, 60])],
  ];
  for (const [name, node] of cases) {
    await t.step(name, async () => {
      const { deps, asked } = await withNode(node);
      using _ = deps;
      await putQuiet(deps);
      const { inferred } = await readChain(deps);
      const outcome = await succeed(deps, "cross-check");
      assertMatch(outcome, /, 0 of 1 idle chains active at their nodes$/);
      assertEquals((await readChain(deps)).inferred, inferred);
      const calls = asked.length;
      await succeed(deps, "cross-check");
      assertEquals(asked.length, calls, "once a day");
      deps.advance(DAY_MS);
      await succeed(deps, "cross-check");
      assert(asked.length > calls, "again on the next");
    });
  }
});

Deno.test("cross-check asks no node of a chain that a source shows active, and a node that fails stops nothing", async () => {
  const { deps, asked } = await withNode(nodeOf(ACTIVE, 3), ACTIVE);
  {
    using _ = deps;
    await askMetrics(deps, `chainId=${ACTIVE}`);
    await succeed(deps, "cross-check");
    assertEquals(asked, []);
    const stored = await deps.store.series.find({
      subject: ACTIVE,
      metric: "txCount",
    });
    assert(newestDay(stored!.series)! >= dayAt(NOW) - 2);
  }
  const wrong = await withNode(nodeOf(ACTIVE, 3));
  using _ = wrong.deps;
  await putQuiet(wrong.deps);
  assertMatch(
    await succeed(wrong.deps, "cross-check"),
    /, 0 of 1 idle chains active at their nodes, 1 nodes failed$/,
  );
  assert((await readChain(wrong.deps)).inferred > 20);
});
