import { assertEquals } from "@std/assert";
import { NO_ENTITLEMENTS, replay } from "../../../services/payments/billing.ts";
import {
  chooseQuote,
  orderOf,
  purposeOf,
  type Quote,
  QUOTE_MS,
} from "../../../services/payments/quotes.ts";

const NOW = Date.parse("2026-11-21T08:00:00Z");
const MINUTE_MS = 60_000;

/** A quote created some minutes ago. */
function quoteOf(id: string, amount: bigint, minutesAgo = 5): Quote {
  const createdAt = NOW - minutesAgo * MINUTE_MS;
  return {
    id,
    product: "growth",
    periods: 1,
    slug: null,
    price: 200_000_000n,
    amount,
    createdAt,
    expiresAt: createdAt + QUOTE_MS,
  };
}

Deno.test("orderOf() uses the quoted price before expiry, and the current price after it", () => {
  const quote = quoteOf("a", 200_000_000n, 40);
  const { expiresAt } = quote;
  const inTime = orderOf(quote, { paidAt: expiresAt, now: NOW });
  assertEquals([inTime.price, inTime.valuedAt], [200_000_000n, expiresAt]);
  const early = orderOf(quote, { paidAt: expiresAt - 2, now: expiresAt - 1 });
  assertEquals(early.valuedAt, expiresAt - 1);
  const skewed = orderOf(quote, { paidAt: expiresAt + MINUTE_MS, now: NOW });
  assertEquals([skewed.price, skewed.valuedAt], [200_000_000n, expiresAt]);
  const paidAt = expiresAt + MINUTE_MS + 1;
  const late = orderOf(quote, { paidAt, now: NOW });
  assertEquals([late.price, late.valuedAt], [249_000_000n, NOW]);
});

Deno.test("chooseQuote() prefers the exact amount, then the newest unexpired quote; a late payment needs the exact amount", () => {
  const old = quoteOf("old", 3n, 60);
  const first = quoteOf("first", 1n, 20);
  const second = quoteOf("second", 2n, 10);
  const quotes = [old, first, second];
  const cases: [amount: bigint, usedQuotes: string[], chosen: string | null][] =
    [
      [1n, [], "first"],
      [2n, [], "second"],
      [9n, [], "second"],
      [3n, [], "second"],
      [3n, ["first", "second"], "old"],
      [9n, ["second"], "first"],
      [2n, ["second"], "first"],
      [9n, ["first", "second"], null],
      [3n, ["old", "first", "second"], null],
    ];
  for (const [amount, usedQuotes, chosen] of cases) {
    const quote = chooseQuote(quotes, { usedQuotes }, { amount, paidAt: NOW });
    assertEquals(quote?.id ?? null, chosen, `${amount} ${usedQuotes}`);
  }
});

Deno.test("chooseQuote() takes a quote whose clock differs from the chain's by up to a minute", () => {
  const quote = quoteOf("a", 1n);
  const none = { usedQuotes: [] };
  const chosenAt = (paidAt: number, amount: bigint) =>
    chooseQuote([quote], none, { amount, paidAt })?.id ?? null;
  const { createdAt, expiresAt } = quote;
  assertEquals(chosenAt(createdAt - MINUTE_MS, 1n), "a");
  assertEquals(chosenAt(createdAt - MINUTE_MS - 1, 1n), null);
  assertEquals(chosenAt(expiresAt + MINUTE_MS, 2n), "a");
  assertEquals(chosenAt(expiresAt + MINUTE_MS + 1, 2n), null, "not exact");
});

Deno.test("purposeOf() without a quote extends the current plan, else makes credit", () => {
  const instants = { paidAt: NOW, now: NOW };
  assertEquals(purposeOf(null, NO_ENTITLEMENTS, instants), {
    order: null,
    quoteId: null,
  });
  const grant = {
    kind: "grant",
    at: NOW,
    plan: "builder",
    paidUntil: NOW + 1,
  } as const;
  const { order, quoteId } = purposeOf(null, replay([grant]), instants);
  assertEquals([order?.product, order?.periods, order?.price], [
    "builder",
    0,
    49_000_000n,
  ]);
  assertEquals(quoteId, null);
  const over = purposeOf(null, replay([grant]), { paidAt: NOW, now: NOW + 1 });
  assertEquals(over.order, null);
  const quote = quoteOf("a", 1n);
  assertEquals(purposeOf(quote, NO_ENTITLEMENTS, instants).quoteId, "a");
});
