/** The payment scan finds every unclaimed payment once. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { scanBlocks } from "../../services/payments/payment_scan.ts";
import { testDeps } from "../support/deps.ts";
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
import type { Answering } from "../support/upstreams.ts";

const JOB = "find-payments";
const MINUTE_MS = 60_000;
const GROWTH = 249_000_000n;

Deno.test("without a treasury the scan does nothing", async () => {
  using deps = await testDeps();
  assertEquals(await succeed(deps, JOB), "no treasury is set");
  assertEquals(deps.upstreams.cChainRpc.calls, []);
});

Deno.test("an unclaimed transfer buys the open quote, once", async () => {
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
    /^1 payments credited, 0 taken back, looked through to block 10001$/,
  );
  const { plan, paidUntil, payments } = await payer.payments();
  assertEquals([plan, paidUntil], ["growth", after(30)]);
  assertEquals([payments[0].txHash, payments[0].product], [hash, "growth"]);
  assertMatch(await succeed(deps, JOB), /^0 payments credited/);
  const { status, body } = await payer.claim(quoteId, hash);
  assertEquals([status, body.code], [409, "TX_USED"]);
});

Deno.test("a transfer without a quote extends the current plan, or becomes credit", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  await payer.buy("builder");
  payer.pay(4_900_000n);
  deps.chain.send({ from: walletOf(7), amount: 5n });
  deps.chain.mine();
  assertMatch(await succeed(deps, JOB), /^2 payments credited/);
  const { paidUntil, payments } = await payer.payments();
  assertEquals(paidUntil, after(33));
  assertEquals([payments[0].product, payments[0].periods], ["builder", 0]);
  assertEquals(await standingOf(deps, walletOf(7)), ["free", 5n]);
});

Deno.test("a transfer buys the quote with its exact amount, else the newest; an expired quote needs the exact amount", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  await payer.quote("builder");
  await payer.quote("growth");
  payer.pay(49_000_000n);
  await succeed(deps, JOB);
  assertEquals(await standingOf(deps, payer.wallet), ["builder", 0n]);
  payer.pay(1n);
  await succeed(deps, JOB);
  assertEquals(
    await standingOf(deps, payer.wallet),
    ["builder", 1n],
    "towards Growth",
  );

  const late = await newPayer(deps, 2);
  await late.quote("growth");
  deps.advance(40 * MINUTE_MS);
  deps.chain.mine(40 * 60);
  late.pay(GROWTH);
  await succeed(deps, JOB);
  assertEquals(await standingOf(deps, late.wallet), ["growth", 0n]);
});

Deno.test("no block is skipped after a long pause and over many runs", async () => {
  using deps = await paidDeps();
  await succeed(deps, JOB);
  for (let nth = 0; nth < 30; nth++) {
    deps.chain.send({ from: walletOf(nth), amount: 5n });
    deps.chain.mine(nth % 3 === 0 ? 7_777 : 1_999);
  }
  const outcomes = [];
  while (!outcomes.at(-1)?.startsWith("0 ")) {
    outcomes.push(await succeed(deps, JOB));
    deps.advance(MINUTE_MS);
  }
  assert(outcomes.length > 2, outcomes.join());
  assertMatch(outcomes.at(-2)!, new RegExp(`block ${deps.chain.head() - 2}$`));
  for (let nth = 0; nth < 30; nth++) {
    assertEquals(
      await standingOf(deps, walletOf(nth)),
      ["free", 5n],
      String(nth),
    );
  }
});

Deno.test("a run that is killed at any point loses and doubles nothing", async () => {
  for (let calls = 0; calls < 12; calls++) {
    using deps = await paidDeps();
    await succeed(deps, JOB);
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
    await succeed(deps, JOB);
    for (let nth = 0; nth < 5; nth++) {
      assertEquals(await standingOf(deps, walletOf(nth)), [
        "free",
        nth === 1 ? 12n : 5n,
      ], `${calls}`);
    }
  }
});

Deno.test("a concurrent claim and scan credit a payment once", async () => {
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

Deno.test("a disputed payment waits, others do not, and it is credited later", async () => {
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
  for (let run = 0; run < 3; run++) {
    assertMatch(
      await succeed(deps, JOB),
      new RegExp(
        `^${
          run === 0 ? 1 : 0
        } payments credited.*block 10000, payments wait behind it$`,
      ),
    );
  }
  assertEquals(await standingOf(deps, walletOf(1)), ["free", 0n]);
  assertEquals(await standingOf(deps, walletOf(2)), ["free", 6n]);
  hidden.length = 0;
  assertMatch(
    await succeed(deps, JOB),
    /^1 payments credited.*block 15\d{3}$|^1 payments credited.*block 16000$/,
  );
  assertEquals(await standingOf(deps, walletOf(1)), ["free", 5n]);
});

Deno.test("a block range cut short by time is finished up to the cut", async () => {
  using deps = await paidDeps();
  for (let nth = 1; nth <= 3; nth++) {
    deps.chain.send({ from: walletOf(nth), amount: 5n });
  }
  let left = 2;
  const proceed = () => Promise.resolve(left-- > 0);
  const stretch = { treasury: TREASURY, first: 10_000, last: 10_003 };
  assertEquals(await scanBlocks(deps, stretch, { proceed }), {
    credited: 2,
    revoked: 0,
    doneTo: 10_002,
  });
  assertEquals(await standingOf(deps, walletOf(2)), ["free", 5n]);
  assertEquals(await standingOf(deps, walletOf(3)), ["free", 0n]);
});

Deno.test("2,000 transfers in one transaction are one payment, and zero transfers are none", async () => {
  using deps = await paidDeps();
  const many = Array.from(
    { length: 2_000 },
    () => ({ from: walletOf(1), amount: 1n }),
  );
  deps.chain.send(...many, { from: walletOf(2), amount: 0n });
  deps.chain.mine();
  assertMatch(await succeed(deps, JOB), /^1 payments credited/);
  assertEquals(await standingOf(deps, walletOf(1)), ["free", 2_000n]);
  assertEquals(await standingOf(deps, walletOf(2)), ["free", 0n]);
});

Deno.test("many payments in a block range cost one node call per block", async () => {
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

Deno.test("a node that is down fails the run, and the next run resumes", async () => {
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

Deno.test("a node that lists a transfer twice does not double it", async () => {
  using deps = await paidDeps({
    nodes: (chain) => [twice(chain.node()), chain.node()],
  });
  await succeed(deps, JOB);
  deps.chain.send({ from: walletOf(1), amount: 5n });
  deps.chain.mine();
  const { error } = await runNamed(deps, JOB);
  assertMatch(error!, /^Cannot read node0\.test/);
  assertEquals(await standingOf(deps, walletOf(1)), ["free", 0n]);
});

Deno.test("zero-value transfers cost no node call", async () => {
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

Deno.test("a block range that is too large for a node is split", async () => {
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

/** A node that lists every transfer twice. */
function twice(known: Answering): Answering {
  return async (request) => {
    const { method } = await request.clone().json();
    const response = await known(request);
    if (method !== "eth_getLogs") return response;
    const { result, ...rest } = await response.json();
    return Response.json({ ...rest, result: [...result, ...result] });
  };
}

/** A node that lists no more than so many transfers at a time. */
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
