/** The payment scan with nodes that have other blocks, fail or limit their listings. */
import { assertEquals, assertMatch } from "@std/assert";
import { runNamed, succeed } from "../support/jobs.ts";
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
  const fixed = "head, last known block, new last block, new and older lists";
  assertEquals(calls, 5 + 3, `${fixed}, and three blocks`);
  calls = 0;
  await succeed(deps, JOB);
  assertEquals(calls, 2, "head and last known block");
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
  assertEquals(calls, 5, "as without them");
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
