import { assertEquals } from "@std/assert";
import { PLANS } from "../../../services/payments/plans_schema.ts";
import {
  amountDue,
  apply,
  type LedgerEvent,
  NO_ENTITLEMENTS,
  replay,
} from "../../../services/payments/billing.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { timeAt } from "../../../services/payments/paid_time.ts";
import { NOW, orderOf, pay } from "../../support/evm/orders.ts";

const PERIOD_MS = 30 * DAY_MS;
const USDC = 1_000_000n;

const held = (...events: LedgerEvent[]) => replay(events);
const until = (days: number) => NOW + days * DAY_MS;

Deno.test("apply() buys periods for their exact price, and nothing for one base unit less", () => {
  for (const product of ["builder", "growth", "scale"] as const) {
    const { price } = PLANS[product];
    for (const periods of [1, 2, 12]) {
      const order = orderOf(product, { periods });
      const amount = price * BigInt(periods);
      const paid = {
        kind: "payment",
        at: NOW,
        amount,
        order,
        quoteId: null,
      } as const;
      const { entitlements, bought, missing } = apply(NO_ENTITLEMENTS, paid);
      const paidUntil = until(30 * periods);
      assertEquals(entitlements.times, [{ plan: product, price, paidUntil }]);
      assertEquals([entitlements.credit, missing], [0n, 0n]);
      assertEquals(bought, {
        product,
        periods,
        extraMs: 0,
        from: NOW,
        until: paidUntil,
      });
      const short = apply(NO_ENTITLEMENTS, { ...paid, amount: amount - 1n });
      assertEquals(short.bought, null);
      assertEquals(short.missing, 1n);
      assertEquals([short.entitlements.times, short.entitlements.credit], [
        [],
        amount - 1n,
      ]);
    }
  }
});

Deno.test("a short payment counts towards the next one", () => {
  const order = orderOf("growth");
  const short = held(pay(248.999999, order));
  assertEquals(amountDue(short, order), 1n);
  const { entitlements, bought } = apply(short, pay(0.000001, order));
  assertEquals(bought?.until, until(30));
  assertEquals(entitlements.credit, 0n);
});

Deno.test("overpayment extends the plan pro rata by at most a year; the rest is credit", () => {
  const cases: [usdc: number, days: number, credit: bigint][] = [
    [249, 30, 0n],
    [373.5, 45, 0n],
    [498, 60, 0n],
    [249 * 13, 390, 0n],
    [249 * 13 + 1, 390, USDC],
    [10_000_000, 390, 10_000_000n * USDC - 13n * 249n * USDC],
  ];
  for (const [usdc, days, credit] of cases) {
    const { entitlements, bought } = apply(
      NO_ENTITLEMENTS,
      pay(usdc, orderOf("growth")),
    );
    assertEquals(entitlements.times.map(({ paidUntil }) => paidUntil), [
      until(days),
    ]);
    assertEquals(bought!.extraMs, (days - 30) * DAY_MS);
    assertEquals(entitlements.credit, credit, `${usdc} USDC`);
  }
  const { bought } = apply(NO_ENTITLEMENTS, pay(249.000001, orderOf("growth")));
  assertEquals(bought!.extraMs, 10, "10.4 ms cost a base unit");
});

Deno.test("the same plan is extended from its end", () => {
  const first = held(pay(49, orderOf("builder")));
  const at = until(10);
  const { entitlements, bought } = apply(
    first,
    pay(49, orderOf("builder", { at })),
  );
  assertEquals(entitlements.times, [{
    plan: "builder",
    price: 49n * USDC,
    paidUntil: until(60),
  }]);
  assertEquals([bought!.from, bought!.until], [until(30), until(60)]);
});

Deno.test("after its end a plan starts again and leaves nothing", () => {
  const first = held(pay(49, orderOf("builder")));
  assertEquals(timeAt(first.times, until(30) - 1)?.plan, "builder");
  assertEquals(timeAt(first.times, until(30)), null);
  const at = until(40);
  const { entitlements } = apply(first, pay(49, orderOf("builder", { at })));
  assertEquals(entitlements.times.map(({ paidUntil }) => paidUntil), [
    until(70),
  ]);
});

Deno.test("a higher plan starts at once, and unused days of the lower one become credit", () => {
  const builder = held(pay(49, orderOf("builder")));
  const at = until(15);
  const order = orderOf("growth", { at });
  assertEquals(amountDue(builder, order), 249n * USDC - 24_500_000n);
  const { entitlements } = apply(builder, pay(224.5, order));
  assertEquals(entitlements.times, [{
    plan: "growth",
    price: 249n * USDC,
    paidUntil: at + PERIOD_MS,
  }]);
  assertEquals(entitlements.credit, 0n);
});

Deno.test("unused days worth more than the higher plan leave credit", () => {
  const builder = held(pay(49 * 12, orderOf("builder", { periods: 12 })));
  const order = orderOf("growth");
  assertEquals(amountDue(builder, order), 0n);
  const { entitlements } = apply(builder, pay(0, order));
  assertEquals(entitlements.credit, (49n * 12n - 249n) * USDC);
});

Deno.test("a lower plan starts after the higher one, which keeps its time", () => {
  const growth = held(pay(249, orderOf("growth")));
  const { entitlements, bought } = apply(growth, pay(49, orderOf("builder")));
  assertEquals(
    entitlements.times.map(({ plan, paidUntil }) => [plan, paidUntil]),
    [["growth", until(30)], ["builder", until(60)]],
  );
  assertEquals([bought!.from, bought!.until], [until(30), until(60)]);
  assertEquals(timeAt(entitlements.times, until(30))?.plan, "builder");
  const more = apply(entitlements, pay(249, orderOf("growth"))).entitlements;
  assertEquals(
    more.times.map(({ plan, paidUntil }) => [plan, paidUntil]),
    [["growth", until(60)], ["builder", until(90)]],
    "more of the higher one puts the lower one off",
  );
  assertEquals(more.credit, 0n);
  const scale = apply(entitlements, pay(701, orderOf("scale"))).entitlements;
  assertEquals(
    scale.times.map(({ plan, paidUntil }) => [plan, paidUntil]),
    [["scale", until(30)]],
    "a higher one than both replaces both",
  );
  assertEquals(scale.credit, 0n);
});

Deno.test("a grant turns paid days into credit, and granted days continue after a purchase", () => {
  const paid = held(pay(49, orderOf("builder")));
  const grant = {
    kind: "grant",
    at: NOW,
    plan: "growth",
    paidUntil: until(7),
  } as const;
  const granted = apply(paid, grant).entitlements;
  assertEquals(granted.credit, 49n * USDC);
  assertEquals(granted.times, [{
    plan: "growth",
    price: 0n,
    paidUntil: until(7),
  }]);
  const scale = apply(granted, pay(950, orderOf("scale"))).entitlements;
  assertEquals(
    scale.times.map(({ plan, paidUntil }) => [plan, paidUntil]),
    [["scale", until(30)], ["growth", until(37)]],
  );
  const ended = apply(paid, { ...grant, plan: "free" }).entitlements;
  assertEquals([ended.times, ended.credit], [[], 49n * USDC]);
});

Deno.test("a payment without an order is credit; an extension adds time to the current plan", () => {
  assertEquals(held(pay(5, null)).credit, 5n * USDC);
  const growth = held(pay(249, orderOf("growth")), pay(49, orderOf("builder")));
  const { entitlements, bought } = apply(
    growth,
    pay(24.9, orderOf("growth", { periods: 0 })),
  );
  assertEquals(
    entitlements.times.map(({ plan, paidUntil }) => [plan, paidUntil]),
    [["growth", until(33)], ["builder", until(63)]],
  );
  assertEquals([bought!.periods, bought!.extraMs], [0, 3 * DAY_MS]);
});

Deno.test("an extension of a revoked plan does not replace another plan", () => {
  const builder = held(pay(49, orderOf("builder")));
  const extension = orderOf("growth", { periods: 0 });
  const { entitlements } = apply(builder, pay(24.9, extension));
  assertEquals(
    entitlements.times.map(({ plan, paidUntil }) => [plan, paidUntil]),
    [["growth", until(3)], ["builder", until(33)]],
  );
  assertEquals(entitlements.credit, 0n);
});

Deno.test("premium adds months, a slug is bought once, and overpayment is credit", () => {
  const two = held(pay(20, orderOf("premium", { periods: 2 })));
  assertEquals([two.premiumUntil, two.premiumMonths, two.credit], [
    until(60),
    2,
    2n * USDC,
  ]);
  const three = apply(two, pay(7, orderOf("premium"))).entitlements;
  assertEquals([three.premiumUntil, three.premiumMonths, three.credit], [
    until(90),
    3,
    0n,
  ]);
  const named = held(pay(25, orderOf("slug")));
  assertEquals([named.slugs, named.credit], [["firn"], 0n]);
  const again = apply(named, pay(25, orderOf("slug")));
  assertEquals([again.bought, again.entitlements.credit], [null, 25n * USDC]);
  const other =
    apply(named, pay(25, orderOf("slug", { slug: "snow" }))).entitlements;
  assertEquals(other.slugs, ["firn", "snow"]);
});

Deno.test("a clock that is set back does not count time twice", () => {
  const builder = held(pay(49, orderOf("builder")));
  const at = NOW - 10 * DAY_MS;
  const order = orderOf("growth", { at });
  assertEquals(amountDue(builder, order), 200n * USDC);
  const { entitlements } = apply(builder, pay(200, order));
  assertEquals(entitlements.times.map(({ paidUntil }) => paidUntil), [
    until(30),
  ]);
});

Deno.test("the last forty used quotes are kept", () => {
  const events = Array.from({ length: 50 }, (_, nth) => ({
    ...pay(49, orderOf("builder")),
    quoteId: `quote ${nth}`,
  }));
  const { usedQuotes } = held(...events);
  assertEquals([usedQuotes.length, usedQuotes[0], usedQuotes.at(-1)], [
    40,
    "quote 10",
    "quote 49",
  ]);
});

Deno.test("two payments for one quote buy once; the second is credit", () => {
  const payment = { ...pay(49, orderOf("builder")), quoteId: "quote" };
  const once = held(payment);
  const { bought, entitlements } = apply(once, payment);
  assertEquals(bought, null);
  assertEquals(entitlements.times, once.times);
  assertEquals(entitlements.credit, 49n * USDC);
});
