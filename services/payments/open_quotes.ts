/** Stored quotes, and the choice of the quote that a payment is for. */
import { type ProductName, PRODUCTS } from "./plans_schema.ts";
import type { Entitlements, Order, Purpose } from "./billing.ts";
import { timeAt } from "./paid_time.ts";
import { MINUTE_MS } from "../platform/days.ts";
import { CLOCK_SKEW_MS } from "../platform/clock.ts";

/** A quote given to a wallet; instants in epoch ms. */
export interface Quote {
  readonly id: string;
  readonly product: ProductName;
  readonly periods: number;
  /** The profile name to buy, or null. */
  readonly slug: string | null;
  /** Price of one period in base units. */
  readonly price: bigint;
  /** Base units to pay, after credit and replaced time. */
  readonly amount: bigint;
  readonly createdAt: number;
  /** Transfers up to this instant, by the clock of the chain, get this price. */
  readonly expiresAt: number;
}

/** How long a quoted price is valid. */
export const QUOTE_MS = 30 * MINUTE_MS;

/** The terms of a quote. */
type Terms = Omit<Quote, "id" | "amount" | "createdAt">;

/**
 * Returns the order of a quote. A transfer before the quote expires gets the
 * quoted price, and unused time is valued at the expiry at the latest. A later
 * transfer gets the current price.
 */
export function orderOf(
  { product, periods, slug, price, expiresAt }: Terms,
  { paidAt, now }: { readonly paidAt: number; readonly now: number },
): Order {
  const isHeld = isInTime({ expiresAt }, paidAt);
  return {
    product,
    periods,
    slug,
    price: isHeld ? price : PRODUCTS[product].price,
    valuedAt: isHeld ? Math.min(now, expiresAt) : now,
  };
}

/** Returns whether a payment was made after a quote. The clock of the chain may be behind. */
export function isSince({ createdAt }: Quote, paidAt: number): boolean {
  return createdAt <= paidAt + CLOCK_SKEW_MS;
}

/** Returns whether a payment was made before a quote expired. The clock of the chain may be ahead. */
function isInTime(
  { expiresAt }: Pick<Quote, "expiresAt">,
  paidAt: number,
): boolean {
  return paidAt <= expiresAt + CLOCK_SKEW_MS;
}

/**
 * Chooses the quote for an unclaimed payment, of those that are not newer than it.
 * Before expiry: the newest quote with exactly this amount, else the newest quote.
 * After expiry: the newest quote with exactly this amount. `quotes` is sorted
 * oldest first; used quotes are ignored.
 */
export function chooseQuote(
  quotes: readonly Quote[],
  { usedQuotes }: Pick<Entitlements, "usedQuotes">,
  { amount, paidAt }: { readonly amount: bigint; readonly paidAt: number },
): Quote | null {
  const open = quotes.filter((quote) =>
    !usedQuotes.includes(quote.id) && isSince(quote, paidAt)
  );
  const inTime = open.filter((quote) => isInTime(quote, paidAt));
  const isExact = (quote: Quote) => quote.amount === amount;
  return inTime.findLast(isExact) ?? inTime.at(-1) ?? open.findLast(isExact) ??
    null;
}

/** Returns what a payment buys: its quote, else more time on the current plan, else credit. */
export function purposeOf(
  quote: Quote | null,
  { times }: Pick<Entitlements, "times">,
  instants: { readonly paidAt: number; readonly now: number },
): Purpose {
  if (quote) return { order: orderOf(quote, instants), quoteId: quote.id };
  const { now } = instants;
  const running = timeAt(times, now);
  if (running === null || running.plan === "free") {
    return { order: null, quoteId: null };
  }
  const { plan: product } = running;
  const { price } = PRODUCTS[product];
  const order = { product, periods: 0, price, valuedAt: now, slug: null };
  return { order, quoteId: null };
}
