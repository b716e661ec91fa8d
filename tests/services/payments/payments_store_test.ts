/** The payment store credits once, and keeps entitlements equal to a replay of the ledger. */
import { assertEquals } from "@std/assert";
import { PRODUCTS } from "../../../services/payments/products_schema.ts";
import { replay } from "../../../services/payments/billing.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { auditStore } from "../../../services/platform/kv/audit_store.ts";
import type { LedgerEntry, Order } from "../../../services/payments/ledger.ts";
import * as keys from "../../../services/payments/keys.ts";
import {
  type CreditInput,
  paymentStore,
} from "../../../services/payments/payments_store.ts";
import { planStore } from "../../../services/payments/plans_store.ts";
import { fc } from "../../support/properties.ts";

const WALLET = `0x${"aa".repeat(20)}`;
const NOW = Date.parse("2026-11-21T08:00:00Z");
const USDC = 1_000_000n;

/** A payment in the nth transaction and the nth block. */
function arrived(
  nth: number,
  amount: bigint,
  at = NOW,
): CreditInput & { transaction: object } {
  return {
    at,
    amount,
    transaction: {
      txHash: `0x${nth.toString(16).padStart(64, "0")}`,
      logIndexes: [0],
      blockNumber: nth,
      blockHash: `0xb${nth}`,
      paidAt: at,
    },
    requestId: null,
  };
}

function placeOf(nth: number, wallet = WALLET) {
  const { txHash, blockNumber, blockHash } = arrived(nth, 0n).transaction!;
  return { wallet, txHash, blockNumber, blockHash };
}

function orderFor(product: "builder" | "growth", at = NOW): Order {
  return {
    product,
    periods: 1,
    price: PRODUCTS[product].price,
    valuedAt: at,
    slug: null,
  };
}

const forCredit = () => ({ order: null, quoteId: null });
const forBuilder = () => ({ order: orderFor("builder"), quoteId: null });

/** Opens a database with its payment and plan stores. */
async function open(path = ":memory:") {
  const kv = await Deno.openKv(path);
  const close = { [Symbol.dispose]: () => kv.close() };
  return { kv, payments: paymentStore(kv), plans: planStore(kv), ...close };
}

/** Asserts that the entitlements of a wallet equal a replay of its ledger. */
async function assertFolded(kv: Deno.Kv, wallet = WALLET): Promise<void> {
  const entries = await Array.fromAsync(
    kv.list<LedgerEntry>({ prefix: keys.ledger(wallet) }),
    ({ value }) => value,
  );
  const counted = entries.filter((entry) =>
    entry.kind === "grant" || entry.revokedAt === null
  );
  assertEquals(await planStore(kv).find(wallet) ?? replay([]), replay(counted));
}

Deno.test("a transaction is credited once per wallet", async () => {
  using store = await open();
  const { payments, plans } = store;
  const money = arrived(1, 5n);
  const isUsed = async () =>
    (await payments.findHeld(WALLET, money.transaction!.txHash)).isUsed;
  assertEquals(await isUsed(), false);
  assertEquals(
    (await payments.credit(WALLET, money, forCredit)).kind,
    "credited",
  );
  assertEquals(await isUsed(), true);
  assertEquals((await payments.credit(WALLET, money, forCredit)).kind, "used");
  const elsewhere = {
    ...money,
    transaction: { ...money.transaction!, blockHash: "0xb2" },
  };
  assertEquals(
    (await payments.credit(WALLET, elsewhere, forCredit)).kind,
    "used",
  );
  assertEquals(
    (await payments.credit(`0x${"bb".repeat(20)}`, money, forCredit)).kind,
    "credited",
  );
  assertEquals((await plans.find(WALLET))!.credit, 5n);
});

Deno.test("concurrent credits through two database handles count each transaction once", async () => {
  const file = await Deno.makeTempFile({ suffix: ".sqlite3" });
  using one = await open(file);
  using two = await open(file);
  const outcomes = await Promise.all(
    Array.from(
      { length: 60 },
      (_, nth) =>
        (nth % 2 === 0 ? one : two).payments.credit(
          WALLET,
          arrived(nth % 12, USDC),
          forBuilder,
        ),
    ),
  );
  assertEquals(outcomes.filter(({ kind }) => kind === "credited").length, 12);
  assertEquals((await one.plans.find(WALLET))!.credit, 12n * USDC);
  assertEquals((await one.payments.list(WALLET)).length, 12);
  await assertFolded(one.kv);
  await Deno.remove(file);
});

Deno.test("revoke() removes a payment and its index once, and only for its own block", async () => {
  using store = await open();
  const { kv, payments, plans } = store;
  await payments.credit(WALLET, arrived(1, 49n * USDC), forBuilder);
  await payments.credit(WALLET, arrived(2, 7n), forCredit);
  assertEquals(await payments.listByBlocks(1, 1), [placeOf(1)]);
  assertEquals(await payments.listByBlocks(0, 9), [placeOf(1), placeOf(2)]);
  assertEquals(
    await payments.revoke({ ...placeOf(1), blockHash: "0xb9" }, NOW),
    false,
  );
  assertEquals(await payments.revoke(placeOf(3), NOW), false);
  assertEquals(await payments.revoke(placeOf(1), NOW), true);
  assertEquals(await payments.revoke(placeOf(1), NOW + 2), false);
  assertEquals(await payments.listByBlocks(0, 9), [placeOf(2)]);
  const entitlements = await plans.find(WALLET);
  assertEquals([entitlements!.times, entitlements!.credit], [[], 7n]);
  const ledger = await Array.fromAsync(
    kv.list<LedgerEntry>({ prefix: keys.ledger(WALLET) }),
  );
  assertEquals(
    ledger.map(({ value }) => value.kind),
    ["payment", "payment"],
    "nothing was used, so nothing is deducted",
  );
  assertEquals(
    (await payments.list(WALLET)).map(({ revokedAt }) => revokedAt),
    [null, NOW],
  );
  assertEquals(
    (await payments.credit(WALLET, arrived(1, 49n * USDC), forBuilder)).kind,
    "credited",
  );
  assertEquals(await payments.revoke(placeOf(1), NOW + 3), true);
  await assertFolded(kv);
});

Deno.test("revoke() makes the quote of the payment usable again", async () => {
  using store = await open();
  const { payments, plans } = store;
  const forQuote = () => ({ order: orderFor("builder"), quoteId: "quote" });
  await payments.credit(WALLET, arrived(1, 49n * USDC), forQuote);
  assertEquals((await plans.find(WALLET))!.usedQuotes, ["quote"]);
  await payments.revoke(placeOf(1), NOW);
  assertEquals((await plans.find(WALLET))!.usedQuotes, []);
  await payments.credit(WALLET, arrived(2, 48n * USDC), forQuote);
  assertEquals(
    (await plans.find(WALLET))!.usedQuotes,
    [],
    "short of its price it buys nothing",
  );
});

Deno.test("entitlements equal a replay of the ledger after random credits, grants and revocations, concurrent or not", async () => {
  const act = fc.record({
    what: fc.constantFrom("credit", "builder", "growth", "revoke", "grant"),
    nth: fc.integer({ min: 1, max: 6 }),
    amount: fc.bigInt({ min: 1n, max: 400n * USDC }),
    atOnce: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 20 }), async (acts) => {
      using store = await open();
      const { kv, payments } = store;
      let [at, running] = [NOW, [] as Promise<unknown>[]];
      for (const { what, nth, amount, atOnce } of acts) {
        at += DAY_MS;
        const order = what === "builder" || what === "growth"
          ? orderFor(what, at)
          : null;
        const acting = what === "revoke"
          ? payments.revoke(placeOf(nth), at)
          : what === "grant"
          ? payments.grant(WALLET, {
            at,
            plan: "scale",
            paidUntil: at + DAY_MS,
          })
          : payments.credit(
            WALLET,
            arrived(nth, amount, at),
            () => ({ order, quoteId: null }),
          );
        running.push(acting);
        if (atOnce) continue;
        await Promise.all(running);
        running = [];
        await assertFolded(kv);
      }
      await Promise.all(running);
      await assertFolded(kv);
    }),
    { numRuns: 60 },
  );
});

Deno.test("a payment is credited once, even if what was read before is of two snapshots", async () => {
  using store = await open();
  const { payments } = store;
  const money = arrived(1, 5n);
  const { txHash } = money.transaction!;
  const before = await payments.findHeld(WALLET, txHash);
  await payments.credit(WALLET, money, forCredit);
  const [plan] = (await payments.findHeld(WALLET, txHash)).entries;
  const held = { ...before, entries: [plan!, ...before.entries.slice(1)] };
  assertEquals(
    (await payments.credit(WALLET, { ...money, held }, forCredit)).kind,
    "used",
  );
});

Deno.test("a payment is indexed by its transaction and block, and a revoked one by its transaction alone", async () => {
  using store = await open();
  const { kv, payments } = store;
  const { txHash, blockNumber } = placeOf(1);
  const listIndex = async () => {
    const entries = await kv.getMany([
      keys.paidTransaction(txHash, WALLET),
      keys.blockPayment(blockNumber, txHash, WALLET),
      keys.revokedPayment(txHash, WALLET),
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
  const forQuote = () => ({ order: orderFor("builder"), quoteId: "quote" });
  for (const isQuoteUsed of [false, true]) {
    using store = await open();
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

Deno.test("list() gives the last hundred entries that are payments, newest first", async () => {
  using store = await open();
  const { payments } = store;
  for (let nth = 1; nth <= 101; nth++) {
    await payments.credit(WALLET, arrived(nth, BigInt(nth)), forCredit);
  }
  const listed = await payments.list(WALLET);
  assertEquals(listed.length, 100);
  assertEquals([listed[0]!.amount, listed[99]!.amount], [101n, 2n]);
});

Deno.test("watchFrom() keeps the first block of a treasury and a token", async () => {
  using store = await open();
  const { payments } = store;
  const watched = { token: "0x1", treasury: "0x2" };
  assertEquals(await payments.findFirstWatched(watched), null);
  for (const block of [7, 5, 9]) await payments.watchFrom(watched, block);
  assertEquals(await payments.findFirstWatched(watched), 7);
  const other = { ...watched, treasury: "0x3" };
  assertEquals(await payments.findFirstWatched(other), null);
  assertEquals(await payments.findScanned(), null);
  for (const block of [7, 5]) await payments.putScanned(block);
  assertEquals(await payments.findScanned(), 5);
});

Deno.test("credits, grants and revocations are on the wallet's trail with what they changed", async () => {
  using store = await open();
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
