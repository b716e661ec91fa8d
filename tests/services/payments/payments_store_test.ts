/** The payment store credits once, and keeps entitlements equal to a replay of the ledger. */
import { assert, assertEquals } from "@std/assert";
import {
  type LedgerEntry,
  timeAt,
} from "../../../services/payments/billing.ts";
import { auditStore } from "../../../services/platform/kv/audit_store.ts";
import { paymentStore } from "../../../services/payments/payments_store.ts";
import { prepareStore } from "../../../services/platform/kv/store_format.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
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
import { breakKv } from "../../support/kv/faulty_kv.ts";
import { assertSound } from "../../support/kv/invariants.ts";
import { fc } from "../../support/properties.ts";

Deno.test("a transaction is credited once per wallet", async () => {
  using store = await openPayments();
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
  using one = await openPayments(file);
  using two = await openPayments(file);
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

const ledgerChange = fc.record({
  wallet: fc.constantFrom(WALLET, `0x${"bb".repeat(20)}`),
  process: fc.nat(1),
  kind: fc.constantFrom("builder", "scale", "credit", "grant", "revoke"),
  nth: fc.nat(3),
});

const ledgerRound = fc.record({
  changes: fc.array(ledgerChange, { minLength: 1, maxLength: 4 }),
  waitMs: fc.integer({ min: 0, max: 40 * DAY_MS }),
  lostAnswers: fc.nat(1),
  failingWrite: fc.nat(3),
});

Deno.test("listRunning() has the times of exactly the wallets whose plan runs: two processes, lost answers, failed writes, revocations, payments again", async () => {
  let most = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(ledgerRound, { minLength: 1, maxLength: 6 }),
      async (rounds) => {
        using store = await openPayments();
        const { kv, plans } = store;
        const faults = breakKv(kv);
        const processes = [store.payments, paymentStore(kv)];
        let at = NOW;
        for (const { changes, waitMs, ...broken } of rounds) {
          Object.assign(faults, broken);
          await Promise.allSettled(
            changes.map(({ wallet, process, kind, nth }) => {
              const payments = processes[process]!;
              if (kind === "revoke") {
                return payments.revoke(placeOf(nth, wallet), at);
              }
              if (kind === "grant") {
                const plan = nth === 0 ? "free" : "growth";
                const paidUntil = at + nth * DAY_MS;
                return payments.grant(wallet, { at, plan, paidUntil });
              }
              const order = kind === "credit" ? null : orderOf(
                kind as "builder" | "scale",
                { at },
              );
              const money = arrived(nth, 1_000n * USDC, at);
              return payments.credit(
                wallet,
                money,
                () => ({ order, quoteId: null }),
              );
            }),
          );
          Object.assign(faults, { lostAnswers: 0, failingWrite: 0 });
          await assertSound(kv, at);
          for (const now of [at, at + 20 * DAY_MS, at + 50 * DAY_MS]) {
            const expected = new Map();
            for await (const { key } of kv.list({ prefix: ["plans"] })) {
              const wallet = String(key[1]);
              const { times } = (await plans.find(wallet))!;
              if (timeAt(times, now)) expected.set(wallet, times);
            }
            const listed = await Array.fromAsync(plans.listRunning(now));
            const running = listed.filter(([, times]) => timeAt(times, now));
            assertEquals(new Map(running), expected);
            assertEquals(running.length, expected.size);
            most = Math.max(most, expected.size);
          }
          at += waitMs;
        }
      },
    ),
    { numRuns: 60 },
  );
  assertEquals(most, 2);
});

Deno.test("a store whose plans are not listed by their end is migrated, also while plans change", async () => {
  using store = await openPayments();
  const { kv, payments } = store;
  const grant = (nth: number, days: number) =>
    payments.grant(`0x${String(nth).padStart(40, "0")}`, {
      at: NOW,
      plan: "builder",
      paidUntil: NOW + days * DAY_MS,
    });
  for (let nth = 0; nth < 120; nth++) await grant(nth, 30);
  for await (const { key } of kv.list({ prefix: ["plan_ends"] })) {
    await kv.delete(key);
  }
  await kv.set(["format"], { format: 3, cursor: null });
  const { list } = kv;
  let step = 0;
  kv.list = (...args) => {
    const entries = list.apply(kv, args);
    const next = entries.next.bind(entries);
    entries.next = async () => {
      const entry = await next();
      // The step has read this plan when it changes.
      if (entry.done && ++step <= 3) await grant(step * 40 - 1, 60);
      return entry;
    };
    return entries as never;
  };
  await Promise.all([prepareStore(kv), prepareStore(kv)]);
  kv.list = list;
  assert(step > 3, "the steps were made again");
  await assertSound(kv, NOW);
  const running = await Array.fromAsync(store.plans.listRunning(NOW));
  assertEquals(running.length, 120);
});

Deno.test("revoke() removes a payment and its index once, and only for its own block", async () => {
  using store = await openPayments();
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
    kv.list<LedgerEntry>({ prefix: ["ledgers", WALLET] }),
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
  using store = await openPayments();
  const { payments, plans } = store;
  const forQuote = () => ({ order: orderOf("builder"), quoteId: "quote" });
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
      using store = await openPayments();
      const { kv, payments } = store;
      let [at, running] = [NOW, [] as Promise<unknown>[]];
      for (const { what, nth, amount, atOnce } of acts) {
        at += DAY_MS;
        const order = what === "builder" || what === "growth"
          ? orderOf(what, { at })
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
  using store = await openPayments();
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
  const progress = {
    block: 5,
    disputed: [{ block: 4, foundAt: NOW }],
    unlisted: [],
    checkpoints: [],
  };
  await payments.putScanned({ ...progress, block: 7 });
  await payments.putScanned(progress);
  assertEquals(await payments.findScanned(), progress);
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
