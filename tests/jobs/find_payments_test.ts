/** The payment scan finds every unclaimed payment once. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { newScanRun, scanBlocks } from "../../jobs/find_payments.ts";
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

const JOB = "find-payments";
const MINUTE_MS = 60_000;
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

Deno.test("find-payments extends the plan or adds credit for a transfer without a quote", async () => {
  using deps = await paidDeps();
  await succeed(deps, JOB);
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

Deno.test("find-payments buys the quote of the exact amount, else the newest; an expired one only for the exact amount", async () => {
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

Deno.test("find-payments skips no block after a long pause and over many runs", async () => {
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

Deno.test("find-payments counts 2,000 transfers of one transaction as one payment, and zero transfers as none", async () => {
  using deps = await paidDeps();
  await succeed(deps, JOB);
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
