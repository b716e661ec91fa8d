import { assert, assertEquals } from "@std/assert";
import {
  PLANS,
  PRODUCT_NAMES,
  PRODUCTS,
} from "../../../services/payments/plans_schema.ts";
import {
  amountDue,
  appendEntry,
  apply,
  type Entitlements,
  exactValueOf,
  type LedgerEntry,
  type LedgerEvent,
  NO_ENTITLEMENTS,
  type Order,
  placeSpans,
  type PlanRecord,
  replaceEntry,
  replay,
  shortenSpans,
  type Span,
  spansFrom,
  timeAt,
  timeFor,
  UNIT_PERIOD,
} from "../../../services/payments/billing.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { NOW, orderOf, pay } from "../../support/evm/orders.ts";
import { fc } from "../../support/properties.ts";

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

// Changes of a ledger: the used time, and what a reorganisation deducts.

const DAY = BigInt(DAY_MS);
const BUILDER = 49n * USDC;
const at = (days: number) => NOW + days * DAY_MS;

const entry = (usdc: number, order: Parameters<typeof pay>[1] = null) =>
  ({ ...pay(usdc, order), transaction: null, revokedAt: null }) as LedgerEntry;

const recordOf = (ledger: readonly LedgerEntry[]): PlanRecord => ({
  entitlements: replay(ledger),
  entries: ledger.length,
  used: { value: 0n, until: NOW },
});

const revoke = (entry: LedgerEntry, revokedAt: number) =>
  ({ ...entry, revokedAt }) as LedgerEntry;

Deno.test("appendEntry() numbers the entry, and counts the time that was used before it", () => {
  const ledger = [entry(49, orderOf("builder"))];
  const record = recordOf(ledger);
  const more = { ...entry(1), at: at(10) };
  const { changed, record: next } = appendEntry(record, more);
  assertEquals([...changed], [[1, more]]);
  assertEquals(next.entries, 2);
  assertEquals(next.entitlements, replay([...ledger, more]));
  assertEquals(next.used, { value: 10n * DAY * BUILDER, until: at(10) });
  // Also if the clock was set back.
  for (const early of [NOW, at(-1)]) {
    const { record: next } = appendEntry(record, { ...more, at: early });
    assertEquals(next.used, record.used);
  }
});

Deno.test("replaceEntry() leaves a wallet what it still paid for, less what it used", () => {
  const ledger = [entry(49, orderOf("builder")), entry(49, orderOf("builder"))];
  const record = recordOf(ledger);
  const gone = revoke(ledger[1]!, at(3));
  const { changed, record: next } = replaceEntry(ledger, [1, gone], {
    record,
    at: at(3),
  });
  assertEquals([...changed], [[1, gone]]);
  assertEquals(next.entries, 2);
  assertEquals(next.used, { value: 3n * DAY * BUILDER, until: at(3) });
  assertEquals(next.entitlements.times, [{
    plan: "builder",
    price: BUILDER,
    paidUntil: at(30),
  }]);
});

Deno.test("replaceEntry() deducts the time that was used of a payment that is gone", () => {
  const ledger = [entry(49, orderOf("builder")), entry(20)];
  const record = recordOf(ledger);
  assertEquals(record.entitlements.credit, 20n * USDC);
  const gone = revoke(ledger[0]!, at(6));
  const { changed, record: next } = replaceEntry(ledger, [0, gone], {
    record,
    at: at(6),
  });
  const value = 6n * DAY * BUILDER;
  assertEquals([...changed], [[0, gone], [2, {
    kind: "deduction",
    at: at(6),
    value,
    revokedAt: null,
  }]]);
  assertEquals([next.entries, next.used.value], [3, value]);
  assertEquals(next.entitlements.credit, 20n * USDC - value / UNIT_PERIOD);

  // The payment returns: the deduction is taken back.
  const now = [gone, ledger[1]!, changed.get(2)!];
  const back = revoke(gone, null as never);
  const again = replaceEntry(now, [0, back], { record: next, at: at(6) });
  assertEquals(again.changed.get(2), revoke(now[2]!, at(6)));
  assertEquals(again.changed.size, 2);
  assertEquals(again.record.entitlements.credit, 20n * USDC);
  assertEquals(again.record.entitlements.times[0]!.paidUntil, at(30));
});

Deno.test("replaceEntry() values a membership and names at their prices", () => {
  const ledger = [
    entry(49, orderOf("builder")),
    entry(1_000, orderOf("premium", { periods: 2 })),
    entry(1_000, orderOf("slug", { slug: "one" })),
    entry(1_000, orderOf("slug", { slug: "two" })),
  ];
  const record = recordOf(ledger);
  const { premiumMonths, slugs } = record.entitlements;
  assertEquals([premiumMonths, slugs.length], [2, 2]);
  const gone = revoke(ledger[0]!, at(1));
  const { record: next } = replaceEntry(ledger, [0, gone], {
    record,
    at: at(1),
  });
  const used = (DAY * BUILDER + UNIT_PERIOD - 1n) / UNIT_PERIOD;
  const { credit } = replay(ledger.slice(1));
  assertEquals(next.entitlements.credit, credit - used);
  assertEquals(next.entitlements.premiumMonths, 2);
});

// Invariants of entitlements after random payments.

const PERIOD = BigInt(PERIOD_MS);

/** Total value of a wallet at an instant, in base units times the milliseconds of a period, which is exact. */
function worthOf({ times, credit }: Entitlements, at: number): bigint {
  let [from, worth] = [at, credit * PERIOD];
  for (const { price, paidUntil } of times) {
    if (paidUntil <= at) continue;
    worth += BigInt(paidUntil - from) * price;
    from = paidUntil;
  }
  return worth;
}

/** The part of the value that cannot become credit again. */
function soldOf({ premiumMonths, slugs }: Entitlements): bigint {
  return (9n * BigInt(premiumMonths) + 25n * BigInt(slugs.length)) * USDC *
    PERIOD;
}

const step = fc.record({
  afterMs: fc.oneof(
    fc.integer({ min: 0, max: 3 * PERIOD_MS }),
    fc.constantFrom(0, PERIOD_MS),
  ),
  amount: fc.oneof(
    fc.bigInt({ min: 0n, max: 3_000n * USDC }),
    fc.bigInt({ min: 0n, max: 5n }),
    fc.constantFrom(...PRODUCT_NAMES.map((name) => PRODUCTS[name].price)),
  ),
  product: fc.option(fc.constantFrom(...PRODUCT_NAMES)),
  periods: fc.integer({ min: 1, max: 12 }),
});
const steps = fc.array(step, { maxLength: 25 });

/** The ledger events of a sequence of steps. */
function eventsOf(
  taken: typeof steps extends fc.Arbitrary<infer T> ? T : never,
): LedgerEvent[] {
  let at = NOW;
  return taken.map(({ afterMs, amount, product, periods }, nth) => {
    at += afterMs;
    const order = product === null ? null : orderOf(product, {
      at,
      periods: product === "slug" ? 1 : periods,
      slug: product === "slug" ? `name${nth}` : null,
    });
    return { kind: "payment", at, amount, order, quoteId: null };
  });
}

Deno.test("a payment neither loses nor creates a base unit", () => {
  fc.assert(
    fc.property(steps, (taken) => {
      let entitlements = NO_ENTITLEMENTS;
      for (const event of eventsOf(taken)) {
        if (event.kind !== "payment") continue;
        const applied = apply(entitlements, event);
        const before = worthOf(entitlements, event.at) + soldOf(entitlements) +
          event.amount * PERIOD;
        const after = worthOf(applied.entitlements, event.at) +
          soldOf(applied.entitlements);
        const made = after - before;
        assert(made > -PERIOD && made < PERIOD, `${made} of ${PERIOD}`);
        entitlements = applied.entitlements;
      }
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("entitlements are sorted by rank, in the future, and never negative", () => {
  const rank = (plan: string) => Object.keys(PLANS).indexOf(plan);
  fc.assert(
    fc.property(steps, (taken) => {
      const events = eventsOf(taken);
      const entitlements = replay(events);
      const { times, credit } = entitlements;
      assert(credit >= 0n);
      for (const [nth, { plan, paidUntil, price }] of times.entries()) {
        const last = times[nth - 1];
        assert(price > 0n && Number.isInteger(paidUntil));
        assert(paidUntil > (last?.paidUntil ?? 0));
        assert(last === undefined || rank(last.plan) > rank(plan));
      }
      for (const event of events) {
        const { order } = event as { order: Order | null };
        if (order) assert(amountDue(entitlements, order) >= 0n);
      }
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("an amount paid in parts at one instant buys the same as one payment, in any order", () => {
  const parts = fc.array(fc.bigInt({ min: 1n, max: 400n * USDC }), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(parts, fc.constantFrom(...PRODUCT_NAMES), (parts, product) => {
      const order = orderOf(product, { periods: 2 });
      const total = order.price * 2n;
      let left = total;
      // Parts that add up to the price.
      const upTo = parts.map((part) => {
        const taken = part < left ? part : left;
        left -= taken;
        return taken;
      }).concat(left);
      const payIn = (amounts: readonly bigint[]) =>
        replay(
          amounts.map((amount) => ({
            kind: "payment",
            at: NOW,
            amount,
            order,
            quoteId: null,
          })),
        );
      const amounts = upTo.filter((amount) => amount > 0n);
      assertEquals(payIn(amounts), payIn([total]));
      assertEquals(payIn(amounts.toReversed()), payIn([total]));
    }),
  );
});

const span = (ms: number, price = 7n, plan: Span["plan"] = "builder") => ({
  plan,
  price,
  ms,
});

Deno.test("placeSpans() merges neighbours of one plan and price, and spansFrom() gives what remains", () => {
  const times = placeSpans([span(10), span(5), span(5, 8n), span(1)], 100);
  assertEquals(times.map(({ price, paidUntil }) => [price, paidUntil]), [
    [7n, 115],
    [8n, 120],
    [7n, 121],
  ]);
  assertEquals(spansFrom(times, 100), [span(15), span(5, 8n), span(1)]);
  assertEquals(spansFrom(times, 114), [span(1), span(5, 8n), span(1)]);
  assertEquals(spansFrom(times, 115), [span(5, 8n), span(1)]);
  assertEquals(timeAt(times, 114)?.paidUntil, 115);
  assertEquals(timeAt(times, 115)?.paidUntil, 120);
  assertEquals(timeAt(times, 121), null);
});

Deno.test("shortenSpans() takes from the last spans, rounded up, and leaves no empty one", () => {
  const spans = [span(10), span(5)];
  assertEquals(shortenSpans(spans, 0n), spans);
  assertEquals(shortenSpans(spans, 7n), [span(10), span(4)]);
  assertEquals(shortenSpans(spans, 8n), [span(10), span(3)]);
  assertEquals(shortenSpans(spans, 35n), [span(10)]);
  assertEquals(shortenSpans(spans, 36n), [span(9)]);
  assertEquals(shortenSpans(spans, 1_000n), []);
  const granted = [span(10), span(5, 0n)];
  assertEquals(shortenSpans(granted, 7n), [span(9), span(5, 0n)]);
});

Deno.test("timeFor() rounds down, also below zero, and exactValueOf() undoes it", () => {
  const times = [-15n, -14n, -1n, 0n, 13n, 14n].map((value) =>
    timeFor(value, 7n)
  );
  assertEquals(times, [-3, -2, -1, 0, 1, 2]);
  assertEquals(exactValueOf([span(2), span(3, 5n)]), 29n);
});
