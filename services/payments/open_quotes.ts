/** Quotes: what was offered to a wallet, and which of them a payment is for. */
import { type ProductName, PRODUCTS } from "./products_schema.ts";
import type { Entitlements } from "./billing.ts";
import type { Order, Purpose } from "./ledger.ts";
import { timeAt } from "./paid_time.ts";

/** What a wallet was offered; instants in epoch ms. */
export interface Quote {
  readonly id: string;
  readonly product: ProductName;
  readonly periods: number;
  /** The profile name, where one is bought. */
  readonly slug: string | null;
  /** Base units of one period. */
  readonly price: bigint;
  /** Base units to pay, what the wallet had then taken off. */
  readonly amount: bigint;
  readonly createdAt: number;
  /** Until then a transfer gets this price. */
  readonly expiresAt: number;
}

/** How long a price is held. */
export const QUOTE_MS = 30 * 60_000;

/** What a quote offers. */
export type Terms = Omit<Quote, "id" | "amount" | "createdAt">;

/**
 * Returns the order that a quote stands for. A transfer in time gets the
 * quote's price, and a lower plan's unused time valued no later than the quote
 * said; a late one gets the price of the day.
 */
export function orderOf(
  { product, periods, slug, price, expiresAt }: Terms,
  { paidAt, now }: { readonly paidAt: number; readonly now: number },
): Order {
  const isHeld = paidAt <= expiresAt;
  return {
    product,
    periods,
    slug,
    price: isHeld ? price : PRODUCTS[product].price,
    valuedAt: isHeld ? Math.min(now, expiresAt) : now,
  };
}

/**
 * Chooses the quote that money is for which nobody claimed: one of exactly its
 * amount, else the newest one, if it came in time; one of exactly its amount if
 * it came late. Quotes come oldest first; those bought before are out.
 */
export function chooseQuote(
  quotes: readonly Quote[],
  { usedQuotes }: Pick<Entitlements, "usedQuotes">,
  { amount, paidAt }: { readonly amount: bigint; readonly paidAt: number },
): Quote | null {
  const open = quotes.filter(({ id }) => !usedQuotes.includes(id));
  const inTime = open.filter(({ expiresAt }) => paidAt <= expiresAt);
  const isExact = (quote: Quote) => quote.amount === amount;
  return inTime.findLast(isExact) ?? inTime.at(-1) ?? open.findLast(isExact) ??
    null;
}

/** Returns what money is for: the quote it came for, else more of the plan that runs, else credit. */
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
