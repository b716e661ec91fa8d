/** The payment scan finds every unclaimed payment once. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { newScanRun, scanBlocks } from "../../jobs/find_payments.ts";
import { START, testDeps } from "../support/deps.ts";
import {
  dyingAfter,
  LEASE_OVER_MS,
  runNamed,
  succeed,
} from "../support/jobs.ts";
import { TREASURY } from "../support/evm/paid_chain.ts";
import {
  after,
  newPayer,
  paidDeps,
  standingOf,
  walletOf,
} from "../support/evm/payers.ts";
import { type Answering } from "../support/upstreams.ts";
import { logged } from "../support/logged.ts";

const JOB = "find-payments";
const GROWTH = 249_000_000n;

Deno.test("find-payments does nothing without a treasury", async () => {
  using deps = await testDeps();
  assertEquals(await succeed(deps, JOB), "no treasury is set");
  assertEquals(deps.upstreams.cChainRpc.calls, []);
});

Deno.test("find-payments buys the open quote with an unclaimed transfer, once", async () => {
  using deps = await paidDeps();
  await succeed(deps, JOB);
  const payer = await newPayer(deps);
  const { quoteId } = await payer.quote("growth");
  const hash = deps.chain.send({ from: payer.wallet, amount: GROWTH });
  deps.chain.mine(1);
  assertMatch(await succeed(deps, JOB), /^0 payments credited/, "not final");
  deps.chain.mine(1);
  assertMatch(
    await succeed(deps, JOB),
    /^1 payments credited, 0 revoked, scanned to block 10001$/,
  );
  const { plan, paidUntil, payments } = await payer.payments();
  assertEquals([plan, paidUntil], ["growth", after(30)]);
  assertEquals([payments[0].txHash, payments[0].product], [hash, "growth"]);
  assertMatch(await succeed(deps, JOB), /^0 payments credited/);
  const { status, body } = await payer.claim(quoteId, hash);
  assertEquals([status, body.code], [409, "TX_USED"]);
});

Deno.test("find-payments neither loses nor doubles a payment when killed at any point", async () => {
  for (let calls = 0; calls < 12; calls++) {
    const hidden: string[] = [];
    using deps = await paidDeps({
      nodes: (chain) => [chain.node(), chain.node({ without: hidden })],
    });
    await succeed(deps, JOB);
    hidden.push(deps.chain.send({ from: walletOf(5), amount: 5n }));
    deps.chain.sendAll(
      Array.from(
        { length: 5 },
        (_, nth) => ({ from: walletOf(nth), amount: 5n }),
      ),
    );
    deps.chain.mine(2_500);
    deps.chain.send({ from: walletOf(1), amount: 7n });
    deps.chain.mine();
    const { payments } = deps.store;
    const credit = dyingAfter(calls, payments.credit);
    const putScanned = dyingAfter(calls - 6, payments.putScanned);
    const store = {
      ...deps.store,
      payments: {
        ...payments,
        credit: credit.call,
        putScanned: putScanned.call,
      },
    };
    const run = runNamed({ ...deps, store }, JOB);
    await Promise.race([run, credit.died, putScanned.died]);
    deps.advance(LEASE_OVER_MS);
    hidden.length = 0;
    await succeed(deps, JOB);
    for (let nth = 0; nth < 6; nth++) {
      assertEquals(await standingOf(deps, walletOf(nth)), [
        "free",
        nth === 1 ? 12n : 5n,
      ], `${calls}`);
    }
  }
});

Deno.test("find-payments and a concurrent claim credit a payment once", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  for (let nth = 0; nth < 10; nth++) {
    const { quoteId, amount } = await payer.quote("builder");
    const hash = payer.pay(BigInt(amount));
    const [{ status }] = await Promise.all([
      payer.claim(quoteId, hash),
      runNamed(deps, JOB),
    ]);
    assert(status === 200 || status === 409, String(status));
    const { payments, paidUntil, credit } = await payer.payments();
    assertEquals([payments.length, paidUntil, credit], [
      nth + 1,
      after(30 * (nth + 1)),
      "0",
    ]);
  }
});

Deno.test("scanBlocks() finishes a block range up to the block where time ran out", async () => {
  using deps = await paidDeps();
  await succeed(deps, JOB);
  for (let nth = 1; nth <= 3; nth++) {
    deps.chain.send({ from: walletOf(nth), amount: 5n });
  }
  let left = 2;
  const run = newScanRun({ proceed: () => Promise.resolve(left-- > 0) });
  const blockRange = { treasury: TREASURY, first: 10_000, last: 10_003 };
  const parts = await Array.fromAsync(scanBlocks(deps, blockRange, run));
  assertEquals([run.credited, run.revoked, parts], [2, 0, [{
    first: 10_000,
    doneTo: 10_002,
    disputedBlocks: [],
    unlisted: [],
  }]]);
  assertEquals(await standingOf(deps, walletOf(2)), ["free", 5n]);
  assertEquals(await standingOf(deps, walletOf(3)), ["free", 0n]);
});

// The payment scan while nodes disagree on the transfers of some blocks.

Deno.test("find-payments credits a disputed payment later, and others at once", async () => {
  const hidden: string[] = [];
  using deps = await paidDeps({
    nodes: (chain) => [chain.node(), chain.node({ without: hidden })],
  });
  await succeed(deps, JOB);
  const first = deps.chain.send({ from: walletOf(1), amount: 5n });
  hidden.push(first);
  deps.chain.mine(3_000);
  deps.chain.send({ from: walletOf(2), amount: 6n });
  deps.chain.mine(3_000);
  const since = deps.now().toISOString();
  for (let run = 0; run < 3; run++) {
    assertMatch(
      await succeed(deps, JOB),
      new RegExp(
        `^${
          run === 0 ? 1 : 0
        } payments credited.*block 16000, 1 blocks disputed since ${since}$`,
      ),
    );
    deps.advance(60_000);
  }
  assertEquals(await standingOf(deps, walletOf(1)), ["free", 0n]);
  assertEquals(await standingOf(deps, walletOf(2)), ["free", 6n]);
  hidden.length = 0;
  assertMatch(
    await succeed(deps, JOB),
    /^1 payments credited, 0 revoked, scanned to block 16000$/,
  );
  assertEquals(await standingOf(deps, walletOf(1)), ["free", 5n]);
  assertMatch(await succeed(deps, JOB), /^0 payments credited.*block 16000$/);
});

Deno.test("find-payments credits new payments while a node refuses an old disputed block", async () => {
  const hidden: string[] = [];
  let isRefusing = false;
  using deps = await paidDeps({
    nodes: (chain) => [chain.node(), async (request) => {
      const { method, params } = await request.clone().json();
      const isOld = method === "eth_getLogs" && params[0].fromBlock < "0x2a00";
      return isRefusing && isOld
        ? new Response("no", { status: 500 })
        : await chain.node({ without: hidden })(request);
    }],
  });
  await succeed(deps, JOB);
  hidden.push(deps.chain.send({ from: walletOf(1), amount: 5n }));
  deps.chain.mine(3_000);
  await succeed(deps, JOB);
  isRefusing = true;
  deps.chain.send({ from: walletOf(2), amount: 6n });
  deps.chain.mine();
  assertMatch(
    await succeed(deps, JOB),
    /^1 payments credited.*, blocks 10001 to \d+ not listed since/,
  );
  assertEquals(await standingOf(deps, walletOf(2)), ["free", 6n]);
});

// The payment scan with nodes that have other blocks, fail or limit their listings.

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

// The block ranges that the payment scan asks a node to list.

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

Deno.test("find-payments lists new blocks in ranges of 2,000, at most 50 a run, and older ones once more", async () => {
  using deps = await rangeDeps();
  const first = await deps.run();
  assertEquals([first.ranges, first.outcome], [
    [[8_999, 9_998]],
    scannedTo(9_998),
  ]);
  deps.chain.mine(1_500);
  assertEquals((await deps.run()).ranges, [[9_999, 11_498], [9_899, 9_998]]);
  deps.chain.mine(200_000);
  const long = await deps.run();
  assertEquals([long.ranges.length, long.ranges[0], long.ranges.slice(-2)], [
    51,
    [11_499, 13_498],
    [[109_499, 111_498], [11_399, 11_498]],
  ]);
  assertEquals(long.outcome, scannedTo(111_498));
  assertEquals((await deps.run()).ranges[0], [111_499, 113_498]);
});

Deno.test("find-payments splits a range that a node refuses in ten parts, down to one block", async () => {
  using deps = await rangeDeps();
  await deps.run();
  deps.chain.mine(1_001);
  deps.failAt((first, last) => last - first >= 150);
  const { ranges, error } = await deps.run();
  assertEquals(error, null);
  const parts = Array.from({ length: 10 }, (_, nth) => {
    const first = 9_999 + 101 * nth;
    return [first, Math.min(first + 100, 10_999)];
  });
  assertEquals(ranges.slice(0, -1), [[9_999, 10_999], ...parts]);

  deps.chain.mine(1_000);
  deps.failAt((first) => first === 11_000);
  const last = await deps.run();
  assertEquals(last.ranges.slice(0, 5), [
    [11_000, 11_999],
    [11_000, 11_099],
    [11_000, 11_009],
    [11_000, 11_000],
    [11_001, 11_001],
  ]);
  assertEquals(last.ranges.slice(30), [[11_900, 11_999], [10_900, 10_999]]);
  const since = deps.now().toISOString();
  assertEquals(
    last.outcome,
    `${scannedTo(11_999)}, blocks 11000 to 11000 not listed since ${since}`,
  );
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

Deno.test("find-payments lists what a reorganisation replaced, from the newest block known to all nodes on", async () => {
  using deps = await rangeDeps();
  await deps.run();
  for (const count of [300, 200, 100]) {
    deps.chain.mine(count);
    await deps.run();
  }
  deps.chain.reorganise(50);
  assertEquals((await deps.run()).ranges, [[10_499, 10_598]]);
  assertEquals((await deps.run()).ranges, [], "nothing is new");
  deps.chain.reorganise(590);
  assertEquals((await deps.run()).ranges, [[9_999, 10_598]]);
  deps.chain.reorganise(5_000);
  assertEquals((await deps.run()).ranges, [[9_599, 10_598]]);
});

Deno.test("find-payments starts at block 0 of a short chain", async () => {
  using deps = await rangeDeps();
  await deps.store.payments.putScanned({
    block: 10,
    disputed: [],
    unlisted: [],
    checkpoints: [],
  });
  deps.chain.mine(-9_970);
  assertEquals((await deps.run()).ranges, [[0, 28]]);
});

// The payment scan after a reorganisation.

Deno.test("find-payments credits a payment that any listing of the node has", async () => {
  const hidden: string[] = [];
  using deps = await paidDeps({
    nodes: (chain) => [chain.node({ without: hidden })],
  });
  await succeed(deps, JOB);
  const hash = deps.chain.send({ from: walletOf(1), amount: 5n });
  deps.chain.mine();
  hidden.push(hash);
  assertMatch(await succeed(deps, JOB), /^0 payments credited.*block 10001$/);
  hidden.length = 0;
  deps.chain.mine(900);
  assertMatch(await succeed(deps, JOB), /^1 payments credited/);
  hidden.push(hash);
  assertMatch(
    await succeed(deps, JOB),
    /, 0 revoked/,
    "its block is still there",
  );
  assertEquals(await standingOf(deps, walletOf(1)), ["free", 5n]);
});

Deno.test("find-payments revokes the plan of a block that left the chain, with a log event and an audit entry", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const { body } = await payer.buy("growth");
  assertEquals(body.status, "active");
  const { payments: [{ txHash }] } = await payer.payments();
  await succeed(deps, JOB);
  deps.chain.reorganise(3);
  assertMatch(await succeed(deps, JOB), /^0 payments credited, 1 revoked/);
  assertEquals(await standingOf(deps, payer.wallet), ["free", 0n]);
  const { payments } = await payer.payments();
  assertEquals([payments.length, payments[0].txHash, payments[0].revokedAt], [
    1,
    txHash,
    START,
  ]);
  const [line] = logged(deps.lines, "payment.revoked");
  assertEquals([line!.txHash, line!.wallet], [txHash, payer.wallet]);
  const { body: { audit } } = await payer.call("GET", "");
  assertEquals(audit[0], {
    at: START,
    event: "plan.revoke",
    requestId: null,
    amount: "249000000",
    txHash,
  });
  assertMatch(await succeed(deps, JOB), /, 0 revoked/, "once");
});

Deno.test("find-payments credits a transaction once when it is mined again in another block", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const { body } = await payer.buy("growth");
  const { payments: [{ txHash }] } = await payer.payments();
  deps.chain.reorganise(3, txHash);
  const outcome = await succeed(deps, JOB);
  assertMatch(outcome, /^1 payments credited, 1 revoked/);
  const { plan, paidUntil, credit, payments } = await payer.payments();
  assertEquals([plan, paidUntil, credit], ["growth", body.paidUntil, "0"]);
  assertEquals(
    payments.map(({ revokedAt }: { revokedAt: string | null }) => revokedAt),
    [null],
  );
  assertMatch(await succeed(deps, JOB), /^0 payments credited, 0 revoked/);
});

Deno.test("find-payments also revokes what the credit of a revoked payment bought, and keeps the rest", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  await payer.buy("builder");
  deps.chain.mine(10);
  const { quoteId } = await payer.quote("scale");
  await payer.claim(quoteId, payer.pay(500_000_000n));
  const growth = await payer.quote("growth");
  assertEquals([growth.amount, (await payer.claim(growth.quoteId)).body.plan], [
    "0",
    "growth",
  ]);
  deps.chain.reorganise(3);
  assertMatch(await succeed(deps, JOB), /, 1 revoked/);
  const { plan, paidUntil, credit } = await payer.payments();
  assertEquals(
    [plan, paidUntil, credit],
    ["builder", after(30), "0"],
    "as without the 500",
  );
});

Deno.test("find-payments revokes nothing if a node lags or lacks a block", async () => {
  let behind = 0;
  const lost: string[] = [];
  using deps = await paidDeps({
    nodes: (chain) => [
      async (request) => {
        const { method } = await request.clone().json();
        const isBlind = lost.length > 0 && method === "eth_getBlockByNumber";
        return isBlind
          ? Response.json({ jsonrpc: "2.0", id: 1, result: null })
          : await chain.node({ behind, without: lost })(request);
      },
    ],
  });
  const payer = await newPayer(deps);
  const { body } = await payer.buy("growth");
  assertEquals(body.status, "active");
  behind = 3;
  assertMatch(await succeed(deps, JOB), /, 0 revoked/);
  behind = 0;
  const { payments: [{ txHash }] } = await payer.payments();
  lost.push(txHash);
  assertMatch(await succeed(deps, JOB), /, 0 revoked/);
  assertEquals(await standingOf(deps, payer.wallet), ["growth", 0n]);
});

Deno.test("find-payments leaves payments of a reorganisation during a scan to the next run", async () => {
  let reorganises = false;
  using deps = await paidDeps({
    nodes: (chain) => [
      async (request) => {
        const { method } = await request.clone().json();
        const response = await chain.node()(request);
        if (reorganises && method === "eth_getLogs") {
          reorganises = false;
          chain.reorganise(5, moved);
        }
        return response;
      },
    ],
  });
  await succeed(deps, JOB);
  const moved = deps.chain.send({ from: walletOf(1), amount: 5n });
  deps.chain.send({ from: walletOf(2), amount: 6n });
  deps.chain.mine(3);
  reorganises = true;
  assertMatch(
    await succeed(deps, JOB),
    /^0 payments credited.*block 10000, later payments wait$/,
  );
  assertMatch(await succeed(deps, JOB), /^1 payments credited.*block 10003$/);
  assertEquals(await standingOf(deps, walletOf(1)), ["free", 5n]);
  assertEquals(await standingOf(deps, walletOf(2)), ["free", 0n]);
});

Deno.test("scanBlocks() finishes no block of a range if time runs out between two revocations", async () => {
  using deps = await paidDeps();
  await succeed(deps, JOB);
  for (const nth of [1, 2]) {
    deps.chain.send({ from: walletOf(nth), amount: 5n });
  }
  deps.chain.mine(3);
  assertMatch(await succeed(deps, JOB), /^2 payments credited/);
  deps.chain.reorganise(5);
  let left = 1;
  const run = newScanRun({ proceed: () => Promise.resolve(left-- > 0) });
  const range = { treasury: TREASURY, first: 10_000, last: 10_003 };
  const parts = await Array.fromAsync(scanBlocks(deps, range, run));
  assertEquals([run.credited, run.revoked, parts], [0, 1, [{
    first: 10_000,
    doneTo: 9_999,
    disputedBlocks: [],
    unlisted: [],
  }]]);
  assertEquals(await standingOf(deps, walletOf(1)), ["free", 0n]);
  assertEquals(await standingOf(deps, walletOf(2)), ["free", 5n]);
  assertMatch(await succeed(deps, JOB), /^0 payments credited, 1 revoked/);
  assertEquals(await standingOf(deps, walletOf(2)), ["free", 0n]);
});
