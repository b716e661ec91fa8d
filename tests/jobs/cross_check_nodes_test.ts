/** The part of cross-check that asks the own nodes of chains that every other source shows idle. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { DAY_MS, dayAt, formatDay } from "../../services/platform/days.ts";
import { newestDay } from "../../services/chain_data/series/series.ts";
import { indexSeriesId } from "../../services/chain_data/catalogue/series_id.ts";
import { ANOMALY_CHAIN_IDS } from "../../simnet/series/anomalies.ts";
import { asFetch, simulateUpstreams } from "../../simnet/upstreams.ts";
import { askMetrics } from "../support/chain_data/metrics_answers.ts";
import { START, type TestDeps, testDeps } from "../support/deps.ts";
import { nodeWith } from "../support/evm/rpc_node.ts";
import { succeed } from "../support/jobs.ts";
import { putSeries } from "../support/series.ts";

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
