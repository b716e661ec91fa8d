/** What the payment store keeps beside the ledger: indices, restored payments, watched treasuries and the trail. */
import { assert, assertEquals } from "@std/assert";
import { auditStore } from "../../../services/platform/kv/audit_store.ts";
import {
  arrived,
  assertFolded,
  forBuilder,
  forCredit,
  openPayments,
  placeOf,
  USDC,
  WALLET,
} from "../../support/evm/arrived_payments.ts";
import { NOW, orderOf } from "../../support/evm/orders.ts";

Deno.test("a payment is indexed by its transaction and block, and a revoked one by its transaction alone", async () => {
  using store = await openPayments();
  const { kv, payments } = store;
  const { txHash, blockNumber } = placeOf(1);
  const listIndex = async () => {
    const entries = await kv.getMany([
      ["paid_transactions", txHash, WALLET],
      ["paid_blocks", blockNumber, txHash, WALLET],
      ["revoked_payments", txHash, WALLET],
    ]);
    return entries.map(({ value }) => value);
  };
  const findHeld = async () => (await payments.findHeld(WALLET, txHash)).isUsed;
  assertEquals([await findHeld(), await listIndex()], [false, [
    null,
    null,
    null,
  ]]);
  await payments.grant(WALLET, {
    at: NOW,
    plan: "builder",
    paidUntil: NOW,
  });
  await payments.credit(WALLET, arrived(1, 5n), forCredit);
  assertEquals([await findHeld(), await listIndex()], [true, [
    1,
    "0xb1",
    null,
  ]]);
  await payments.revoke(placeOf(1), NOW);
  assertEquals([await findHeld(), await listIndex()], [false, [null, null, 1]]);
  await payments.credit(WALLET, arrived(1, 5n), forCredit);
  assertEquals([await findHeld(), await listIndex()], [true, [
    1,
    "0xb1",
    null,
  ]]);
  assertEquals((await payments.findHeld(WALLET, undefined)).isUsed, false);
});

Deno.test("a payment that is mined again buys the same again, unless another one used its quote", async () => {
  const forQuote = () => ({ order: orderOf("builder"), quoteId: "quote" });
  for (const isQuoteUsed of [false, true]) {
    using store = await openPayments();
    const { payments, plans } = store;
    const money = (nth: number) => arrived(nth, 49n * USDC);
    await payments.credit(WALLET, money(1), forQuote);
    await payments.revoke(placeOf(1), NOW);
    await payments.credit(WALLET, money(2), isQuoteUsed ? forQuote : forCredit);
    // What it is for now does not matter: it bought something before.
    const again = await payments.credit(WALLET, money(1), forCredit);
    const bought = again.kind === "credited" && again.bought?.product;
    assertEquals(bought, "builder");
    const listed = await payments.list(WALLET);
    assertEquals(
      listed.map(({ quoteId, revokedAt }) => [quoteId, revokedAt]),
      isQuoteUsed
        ? [["quote", null], [null, null]]
        : [[null, null], ["quote", null]],
    );
    assertEquals((await plans.find(WALLET))!.usedQuotes, ["quote"]);
    await assertFolded(store.kv);
  }
});

Deno.test("list() gives the last hundred payments, newest first, whatever else is in the ledger", async () => {
  using store = await openPayments();
  const { payments } = store;
  for (let nth = 1; nth <= 101; nth++) {
    await payments.credit(WALLET, arrived(nth, BigInt(nth)), forCredit);
    if (nth % 2 === 0) continue;
    await payments.grant(WALLET, { at: NOW, plan: "free", paidUntil: NOW });
  }
  const listed = await payments.list(WALLET);
  assertEquals(listed.length, 100);
  assertEquals([listed[0]!.amount, listed[99]!.amount], [101n, 2n]);
  assert(listed.every(({ kind }) => kind === "payment"));
});

Deno.test("watchFrom() keeps the first block of a treasury and a token", async () => {
  using store = await openPayments();
  const { payments } = store;
  const watched = { token: "0x1", treasury: "0x2" };
  assertEquals(await payments.findFirstWatched(watched), null);
  for (const block of [7, 5, 9]) await payments.watchFrom(watched, block);
  assertEquals(await payments.findFirstWatched(watched), 7);
  for (const other of [{ treasury: "0x3" }, { token: "0x3" }]) {
    const found = await payments.findFirstWatched({ ...watched, ...other });
    assertEquals(found, null);
  }
  assertEquals(await payments.findScanned(), null);
  const disputed = [{ block: 4, foundAt: NOW }];
  await payments.putScanned({
    block: 7,
    disputed,
    unlisted: [],
    checkpoints: [],
  });
  await payments.putScanned({
    block: 5,
    disputed: [],
    unlisted: [],
    checkpoints: [],
  });
  assertEquals(await payments.findScanned(), {
    block: 5,
    disputed: [],
    unlisted: [],
    checkpoints: [],
  });
  await payments.putScanned({
    block: 5,
    disputed,
    unlisted: [],
    checkpoints: [],
  });
  assertEquals(await payments.findScanned(), {
    block: 5,
    disputed,
    unlisted: [],
    checkpoints: [],
  });
});

Deno.test("credits, grants and revocations are on the wallet's trail with what they changed", async () => {
  using store = await openPayments();
  const { kv, payments } = store;
  const money = { ...arrived(1, 49n * USDC), requestId: "request" };
  const { txHash } = money.transaction!;
  await payments.credit(WALLET, money, forBuilder);
  const [at, requestId, amount] = [NOW + 1, null, "2000000"];
  const bare = { at, amount: 2n * USDC, transaction: null, requestId };
  await payments.credit(WALLET, bare, forCredit);
  await payments.revoke(placeOf(1), NOW + 2);
  const paid = { event: "pay", missing: "0" };
  assertEquals(await auditStore(kv).list(WALLET), [
    {
      at: NOW + 2,
      event: "plan.revoke",
      requestId,
      amount: "49000000",
      txHash,
    },
    { at, ...paid, requestId, amount, txHash: null, product: null },
    {
      at: NOW,
      ...paid,
      requestId: "request",
      amount: "49000000",
      txHash,
      product: "builder",
    },
  ] as never);
});
