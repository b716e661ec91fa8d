/** A transfer that was made for something else buys nothing. */
import { assertEquals, assertMatch } from "@std/assert";
import { runNamed, succeed } from "../support/jobs.ts";
import { TREASURY } from "../support/evm/paid_chain.ts";
import {
  newPayer,
  paidDeps,
  standingOf,
  walletOf,
} from "../support/evm/payers.ts";

const JOB = "find-payments";
const GROWTH = 249_000_000n;

Deno.test("a transfer from before the quote and before the service does not pay a quote", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const old = payer.pay(GROWTH);
  deps.advance(70_000);
  const { quoteId } = await payer.quote("growth");
  for (const isWatching of [false, true]) {
    if (isWatching) await succeed(deps, JOB);
    const { status, body } = await payer.claim(quoteId, old);
    assertEquals([status, body.code, body.txHash], [422, "TX_TOO_OLD", old]);
    assertEquals(await standingOf(deps, payer.wallet), ["free", 0n]);
  }
});

Deno.test("the first scans credit no transfer from before the service, and every one since", async () => {
  using deps = await paidDeps();
  deps.chain.send({ from: walletOf(1), amount: GROWTH });
  deps.chain.mine(10);
  assertMatch(await succeed(deps, JOB), /^0 payments credited/);
  deps.chain.send({ from: walletOf(2), amount: GROWTH });
  deps.chain.mine();
  assertMatch(await succeed(deps, JOB), /^1 payments credited/);
  assertMatch(await succeed(deps, JOB), /^0 payments credited/);
  assertEquals(await standingOf(deps, walletOf(1)), ["free", 0n]);
  assertEquals(await standingOf(deps, walletOf(2)), ["free", GROWTH]);
});

Deno.test("a transfer from before the service pays the quote that is older than it", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  await payer.quote("growth");
  payer.pay(GROWTH);
  assertMatch(await succeed(deps, JOB), /^1 payments credited/);
  assertEquals(await standingOf(deps, payer.wallet), ["growth", 0n]);
});

Deno.test("a watched transfer from before the quote is credit, and does not pay at the quote's price", async () => {
  using deps = await paidDeps();
  await succeed(deps, JOB);
  const payer = await newPayer(deps);
  const old = payer.pay(GROWTH);
  deps.advance(70_000);
  const { quoteId } = await payer.quote("growth");
  const { status, body } = await payer.claim(quoteId, old);
  assertEquals([status, body.status, body.credit], [
    200,
    "credit",
    String(GROWTH),
  ]);
  const next = await payer.quote("growth");
  assertEquals(next.amount, "0");
  assertEquals((await payer.claim(next.quoteId)).body.status, "active");
});

Deno.test("an exact payment pays its quote, though the clock of the chain is behind by some seconds", async () => {
  for (const isClaimed of [true, false]) {
    using deps = await paidDeps({ behindMs: 4_000 });
    await succeed(deps, JOB);
    const payer = await newPayer(deps);
    const { quoteId } = await payer.quote("growth");
    const hash = payer.pay(GROWTH);
    if (isClaimed) {
      assertEquals((await payer.claim(quoteId, hash)).body.status, "active");
    } else assertMatch(await succeed(deps, JOB), /^1 payments credited/);
    assertEquals(await standingOf(deps, payer.wallet), ["growth", 0n]);
  }
});

Deno.test("a new treasury is watched from the block of its first scan", async () => {
  const old = `0x${"72".repeat(20)}`;
  using deps = await paidDeps({ settings: { TREASURY_ADDRESS: old } });
  await succeed(deps, JOB);
  deps.chain.send({ from: walletOf(1), amount: GROWTH });
  deps.chain.mine(10);
  const payment = { ...deps.payment, treasury: TREASURY };
  await runNamed({ ...deps, payment }, JOB);
  deps.chain.send({ from: walletOf(2), amount: GROWTH });
  deps.chain.mine();
  await runNamed({ ...deps, payment }, JOB);
  assertEquals(await standingOf(deps, walletOf(1)), ["free", 0n]);
  assertEquals(await standingOf(deps, walletOf(2)), ["free", GROWTH]);
});
