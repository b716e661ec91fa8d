/** The payment scan with nodes that have other blocks, fail or limit their listings. */
import { assertEquals, assertMatch } from "@std/assert";
import {
  newScanRun,
  scanBlocks,
} from "../../services/payments/payment_scan.ts";
import { TREASURY } from "../support/evm/paid_chain.ts";
import { runNamed, runSlowly, succeed } from "../support/jobs.ts";
import {
  newPayer,
  paidDeps,
  standingOf,
  walletOf,
} from "../support/evm/payers.ts";
import type { Answering } from "../support/upstreams.ts";

const JOB = "find-payments";
const GROWTH = 249_000_000n;

Deno.test("find-payments revokes a payment only if every node has another block there", async () => {
  const lying = new Set<number>();
  using deps = await paidDeps({
    nodes: (chain) =>
      [0, 1].map((nth) => async (request) =>
        lying.has(nth)
          ? await withOtherBlocks(chain.node(), request)
          : await chain.node()(request)
      ),
  });
  await succeed(deps, JOB);
  deps.chain.send({ from: walletOf(1), amount: 5n });
  deps.chain.mine();
  assertMatch(await succeed(deps, JOB), /^1 payments credited/);
  for (const liars of [[0], [1]]) {
    for (const nth of liars) lying.add(nth);
    assertMatch(await succeed(deps, JOB), /, 0 revoked/);
    assertEquals(await standingOf(deps, walletOf(1)), ["free", 5n]);
    lying.clear();
  }
  lying.add(0).add(1);
  assertMatch(await succeed(deps, JOB), /, 1 revoked/);
  assertEquals(await standingOf(deps, walletOf(1)), ["free", 0n]);
});

Deno.test("find-payments scans no further than the node that is furthest behind", async () => {
  let behind = 0;
  using deps = await paidDeps({
    nodes: (chain) => [
      chain.node(),
      async (request) => {
        const { method } = await request.clone().json();
        const response = await chain.node()(request);
        if (method !== "eth_blockNumber") return response;
        const { result, ...rest } = await response.json();
        const head = `0x${(Number(result) - behind).toString(16)}`;
        return Response.json({ ...rest, result: head });
      },
    ],
  });
  await succeed(deps, JOB);
  behind = 40;
  deps.chain.mine(100);
  const far = await succeed(deps, JOB);
  behind = 0;
  const near = await succeed(deps, JOB);
  const blockOf = (outcome: string) => Number(/block (\d+)/.exec(outcome)![1]);
  assertEquals(blockOf(near) - blockOf(far), 40);
});

Deno.test("find-payments makes one node call per block with payments", async () => {
  let calls = 0;
  using deps = await paidDeps({
    nodes: (chain) => [(request) => (calls++, chain.node()(request))],
  });
  await succeed(deps, JOB);
  for (let block = 0; block < 3; block++) {
    deps.chain.sendAll(
      Array.from(
        { length: 20 },
        (_, nth) => ({ from: walletOf(nth), amount: 5n }),
      ),
    );
  }
  deps.chain.mine();
  calls = 0;
  assertMatch(await succeed(deps, JOB), /^60 payments credited/);
  assertEquals(calls, 2 + 3, "head, list, and three blocks");
  calls = 0;
  await succeed(deps, JOB);
  assertEquals(calls, 2);
});

Deno.test("find-payments fails if a node is down, and the next run continues", async () => {
  let isDown = false;
  using deps = await paidDeps({
    nodes: (
      chain,
    ) => [
      (request) =>
        isDown ? new Response("no", { status: 500 }) : chain.node()(request),
    ],
  });
  await succeed(deps, JOB);
  const payer = await newPayer(deps);
  await payer.quote("growth");
  payer.pay(GROWTH);
  isDown = true;
  const { error } = await runNamed(deps, JOB);
  assertEquals(error, "Cannot read node0.test: status is 500");
  isDown = false;
  assertMatch(await succeed(deps, JOB), /^1 payments credited/);
});

Deno.test("find-payments sets a block aside whose transfers a node lists twice, and credits nothing", async () => {
  using deps = await paidDeps({
    nodes: (chain) => [twice(chain.node()), chain.node()],
  });
  await succeed(deps, JOB);
  deps.chain.send({ from: walletOf(1), amount: 5n });
  deps.chain.mine();
  assertMatch(
    await succeed(deps, JOB),
    /^0 payments credited.*, blocks 10001 to 10001 not listed since/,
  );
  assertEquals(await standingOf(deps, walletOf(1)), ["free", 0n]);
});

Deno.test("find-payments makes no node call for zero-value transfers", async () => {
  let calls = 0;
  using deps = await paidDeps({
    nodes: (chain) => [(request) => (calls++, chain.node()(request))],
  });
  await succeed(deps, JOB);
  for (let block = 0; block < 20; block++) {
    deps.chain.send({ from: walletOf(block), amount: 0n });
  }
  deps.chain.mine();
  calls = 0;
  assertMatch(await succeed(deps, JOB), /^0 payments credited.*block 10020$/);
  assertEquals(calls, 2, "head and list");
});

Deno.test("find-payments splits a block range that is too large for a node", async () => {
  using deps = await paidDeps({
    nodes: (chain) => [refusingMoreThan(7, chain.node())],
  });
  await succeed(deps, JOB);
  for (let nth = 1; nth <= 40; nth++) {
    deps.chain.send({ from: walletOf(nth), amount: 5n });
  }
  deps.chain.mine();
  assertMatch(await succeed(deps, JOB), /^40 payments credited.*block 10040$/);
});

/** Returns a node that lists every transfer twice. */
function twice(known: Answering): Answering {
  return async (request) => {
    const { method } = await request.clone().json();
    const response = await known(request);
    if (method !== "eth_getLogs") return response;
    const { result, ...rest } = await response.json();
    return Response.json({ ...rest, result: [...result, ...result] });
  };
}

/** Returns a node that lists at most `most` transfers per call. */
function refusingMoreThan(most: number, known: Answering): Answering {
  return async (request) => {
    const { method } = await request.clone().json();
    const response = await known(request);
    if (method !== "eth_getLogs") return response;
    const answer = await response.json();
    if (answer.result.length <= most) return Response.json(answer);
    const message = `query returned more than ${most} results`;
    const error = { code: -32005, message };
    return Response.json({ jsonrpc: "2.0", id: 1, error });
  };
}

/** Answers like a node with the same transfers gone, and other blocks at the same heights. */
async function withOtherBlocks(
  known: Answering,
  request: Request,
): Promise<Response> {
  const { method } = await request.clone().json();
  const { result, ...rest } = await (await known(request)).json();
  if (method === "eth_getLogs") return Response.json({ ...rest, result: [] });
  if (method !== "eth_getBlockByNumber") {
    return Response.json({ ...rest, result });
  }
  const hash = `0x${"0b".repeat(32)}`;
  return Response.json({ ...rest, result: { ...result, hash } });
}

/** A service whose node notes the block ranges that it is asked to list. */
async function rangeDeps() {
  const ranges: [first: number, last: number][] = [];
  let fails = (_first: number, _last: number) => false;
  const deps = await paidDeps({
    nodes: (chain) => [async (request) => {
      const { method, params } = await request.clone().json();
      if (method === "eth_getLogs") {
        const { fromBlock, toBlock } = params[0];
        const [first, last] = [Number(fromBlock), Number(toBlock)];
        ranges.push([first, last]);
        if (fails(first, last)) return new Response("no", { status: 500 });
      }
      return await chain.node()(request);
    }],
  });
  return {
    ...deps,
    /** Runs the job; returns its error, its outcome and the ranges. */
    async run() {
      ranges.length = 0;
      const { error, outcome } = await runNamed(deps, JOB);
      return { error, outcome, ranges: [...ranges] };
    },
    failAt: (holds: typeof fails) => fails = holds,
  };
}

const scannedTo = (block: number) =>
  `0 payments credited, 0 revoked, scanned to block ${block}`;

Deno.test("find-payments lists ranges of 2,000 blocks from 1,000 before its last block on, at most 50 a run", async () => {
  using deps = await rangeDeps();
  const first = await deps.run();
  assertEquals([first.ranges, first.outcome], [
    [[8_999, 9_998]],
    scannedTo(9_998),
  ]);
  deps.chain.mine(1_500);
  assertEquals((await deps.run()).ranges, [[8_999, 10_998], [10_999, 11_498]]);
  deps.chain.mine(200_000);
  const long = await deps.run();
  assertEquals([long.ranges.length, long.ranges[0], long.ranges.at(-1)], [
    50,
    [10_499, 12_498],
    [108_499, 110_498],
  ]);
  assertEquals(long.outcome, scannedTo(110_498));
  assertEquals((await deps.run()).ranges[0], [109_499, 111_498]);
});

Deno.test("find-payments splits a range that a node refuses in ten parts, down to one block", async () => {
  using deps = await rangeDeps();
  await deps.run();
  deps.chain.mine(1);
  deps.failAt((first, last) => last - first >= 150);
  const { ranges, error } = await deps.run();
  assertEquals(error, null);
  const parts = Array.from({ length: 10 }, (_, nth) => {
    const first = 8_999 + 101 * nth;
    return [first, Math.min(first + 100, 9_999)];
  });
  assertEquals(ranges, [[8_999, 9_999], ...parts]);

  deps.failAt((first) => first === 9_000);
  const last = await deps.run();
  assertEquals(last.ranges.slice(0, 5), [
    [9_000, 9_999],
    [9_000, 9_099],
    [9_000, 9_009],
    [9_000, 9_000],
    [9_001, 9_001],
  ]);
  assertEquals([last.ranges.length, last.ranges.at(-1)], [31, [9_900, 9_999]]);
  const since = deps.now().toISOString();
  assertEquals(
    last.outcome,
    `${scannedTo(9_999)}, blocks 9000 to 9000 not listed since ${since}`,
  );
});

Deno.test("find-payments keeps its lease while the parts of a range are slow", async () => {
  using deps = await rangeDeps();
  await deps.run();
  deps.failAt((first, last) => last - first >= 150);
  const [node] = deps.upstream.transfers;
  const { error, others } = await runSlowly(deps, JOB, (wait) => {
    const slow: typeof node = {
      ...node!,
      async listTransfers(filter, options) {
        await wait(options.signal);
        return await node!.listTransfers(filter, options);
      },
    };
    return { ...deps, upstream: { ...deps.upstream, transfers: [slow] } };
  });
  assertEquals(others, ["runs already"]);
  assertEquals(error, null);
});

Deno.test("scanBlocks() yields the parts that it listed before time ran out", async () => {
  using deps = await rangeDeps();
  await deps.run();
  deps.failAt((first, last) => last - first >= 150);
  let left = 9;
  const run = newScanRun({ proceed: () => Promise.resolve(left-- > 0) });
  const range = { treasury: TREASURY, first: 9_000, last: 9_999 };
  const parts = await Array.fromAsync(scanBlocks(deps, range, run));
  assertEquals(
    parts.map(({ first, doneTo }) => [first, doneTo]),
    Array.from(
      { length: 9 },
      (_, nth) => [9_000 + 100 * nth, 9_099 + 100 * nth],
    ),
  );
});

Deno.test("find-payments starts at block 0 of a short chain", async () => {
  using deps = await rangeDeps();
  await deps.store.payments.putScanned({
    block: 10,
    disputed: [],
    unlisted: [],
  });
  deps.chain.mine(-9_970);
  assertEquals((await deps.run()).ranges, [[0, 28]]);
});
