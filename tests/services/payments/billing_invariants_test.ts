/** Invariants of entitlements after random payments. */
import { assert, assertEquals } from "@std/assert";
import {
  PLANS,
  PRODUCT_NAMES,
  PRODUCTS,
} from "../../../services/payments/plans_schema.ts";
import {
  amountDue,
  apply,
  type Entitlements,
  type LedgerEvent,
  NO_ENTITLEMENTS,
  type Order,
  replay,
} from "../../../services/payments/billing.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { NOW, orderOf } from "../../support/evm/orders.ts";
import { fc } from "../../support/properties.ts";

const PERIOD_MS = 30 * DAY_MS;
const USDC = 1_000_000n;
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

Deno.test("a wallet never has more than it paid, within one base unit per payment", () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const events = eventsOf(taken);
      const entitlements = replay(events);
      const paid = events.reduce(
        (sum, event) => sum + (event.kind === "payment" ? event.amount : 0n),
        0n,
      );
      const worth = worthOf(entitlements, entitlements.changedAt) +
        soldOf(entitlements);
      assert(worth <= (paid + BigInt(events.length)) * PERIOD);
    }),
    { numRuns: 1_000 },
  );
});
