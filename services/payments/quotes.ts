/** Quotes: the price of a product for a wallet, where to pay it, and the choice of the quote that a payment is for. */
import type { QuoteAnswer, QuoteBody } from "./payments_schema.ts";
import {
  comparePlans,
  formatUsdc,
  PERIOD_DAYS,
  type PlanName,
  PLANS,
  type ProductName,
  PRODUCTS,
} from "./plans_schema.ts";
import {
  amountDue,
  apply,
  type Entitlements,
  NO_ENTITLEMENTS,
  type Order,
  type Purpose,
  timeAt,
} from "./billing.ts";
import { type Clock, CLOCK_SKEW_MS, instant } from "../platform/clock.ts";
import type { PlanStore } from "./payments_store.ts";
import { Fault, invalidParameter } from "../platform/fault.ts";
import { MINUTE_MS } from "../platform/days.ts";

/** Cold reads that are possible in a minute and a day. */
export interface ColdReadRates {
  readonly perMinute: number;
  readonly perDay: number;
}

/** Cold reads that are possible, of all plans together and of one wallet. */
export interface Capacity extends ColdReadRates {
  readonly plans: (ColdReadRates & { readonly plan: PlanName })[];
}

/** Token and receiver of payments; addresses are lower-case. */
export interface PaymentTerms {
  /** The USDC contract. */
  readonly token: string;
  /** Receiver of payments; null if payments are disabled. */
  readonly treasury: string | null;
  /** The part of sold quotas that is taken to be cold reads: 0 to 1. */
  readonly coldReadShare: number;
}

/** What a quote needs. */
export interface QuoteDeps extends Clock {
  readonly chainId: number;
  readonly payment: PaymentTerms;
  /** Returns the cold reads that the sources of histories allow. */
  readonly describeCapacity: () => Capacity;
  /** Returns the slug of a wallet's profile; null if it has none. */
  readonly findSlug: (wallet: string) => Promise<string | null>;
  readonly store: {
    readonly plans: PlanStore;
    readonly quotes: {
      readonly add: (wallet: string, quote: Quote) => Promise<void>;
    };
  };
}

/** Creates a quote for a wallet. Its amount is guaranteed for half an hour. */
export async function createQuote(
  deps: QuoteDeps,
  wallet: string,
  { product, periods, slug: name }: QuoteBody,
): Promise<QuoteAnswer> {
  const slug = name ?? null;
  const { token } = deps.payment;
  const payTo = requireTreasury(deps.payment);
  checkTerms({ product, periods, slug });
  const held = await deps.store.plans.find(wallet) ?? NO_ENTITLEMENTS;
  if (slug !== null) await checkSlugForSale(deps, wallet, { slug, held });
  const { price } = PRODUCTS[product];
  const createdAt = deps.now().getTime();
  if (PRODUCTS[product].kind === "plan") {
    await requireCapacity(deps, wallet, { plan: product as PlanName, held });
  }
  const expiresAt = createdAt + QUOTE_MS;
  const terms = { product, periods, slug, price, expiresAt };
  // Unused time of a lower plan is worth least when the quote expires.
  const order = orderOf(terms, { paidAt: expiresAt, now: expiresAt });
  const amount = amountDue(held, order);
  const quoteId = crypto.randomUUID();
  const quote = { id: quoteId, ...terms, amount, createdAt };
  await deps.store.quotes.add(wallet, quote);

  const paid = {
    kind: "payment",
    at: createdAt,
    amount,
    order,
    quoteId,
  } as const;
  const { from, until } = apply(held, paid).bought!;
  const transfer = amount === 0n
    ? { uri: null, transaction: null }
    : await writeTransfer({ token, payTo, amount, chainId: deps.chainId });
  const credit = price * BigInt(periods) - amount;
  return {
    quoteId,
    product,
    periods,
    payTo,
    token,
    chainId: deps.chainId,
    amount: String(amount),
    amountDisplay: formatUsdc(amount),
    credit: String(credit),
    creditDisplay: formatUsdc(credit),
    startsAt: instant(from),
    endsAt: instant(until),
    expiresAt: instant(expiresAt),
    ...transfer,
  };
}

/**
 * Throws a fault if the cold reads of a plan, beside those of all paid plans that run,
 * exceed what the sources allow. A plan that the wallet has may be extended.
 */
async function requireCapacity(
  { describeCapacity, now, payment: { coldReadShare }, store }: QuoteDeps,
  wallet: string,
  { plan, held }: { readonly plan: PlanName; readonly held: Entitlements },
): Promise<void> {
  const at = now().getTime();
  const isHeld = held.times.some((time) =>
    time.paidUntil > at && comparePlans(time.plan, plan) >= 0
  );
  if (coldReadShare === 0 || isHeld) return;
  const coldOf = (name: PlanName) =>
    PLANS[name].requests / PERIOD_DAYS * coldReadShare;
  const { perDay, plans } = describeCapacity();
  let sold = 0;
  for await (const [other, times] of store.plans.listRunning(at)) {
    const plan = timeAt(times, at)?.plan ?? "free";
    if (other !== wallet && plan !== "free") sold += coldOf(plan);
  }
  const most = plans.find((each) => each.plan === plan)!.perDay;
  const left = Math.floor(Math.max(0, Math.min(most, perDay - sold)));
  const needed = Math.ceil(coldOf(plan));
  if (needed <= left) return;
  throw new Fault(
    `Cannot sell ${
      PLANS[plan].label
    } now: it may need ${needed} scores of new addresses a day, and the sources allow ${left} more`,
    { kind: "capacitySold" },
  );
}

/** Returns a transfer as an EIP-681 link and as transaction parameters. */
async function writeTransfer(
  { token, payTo, amount, chainId }: {
    readonly token: string;
    readonly payTo: string;
    readonly amount: bigint;
    readonly chainId: number;
  },
): Promise<Pick<QuoteAnswer, "uri" | "transaction">> {
  const { encodeFunctionData, erc20Abi } = await import("viem");
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: "transfer",
    args: [payTo as `0x${string}`, amount],
  });
  return {
    uri:
      `ethereum:${token}@${chainId}/transfer?address=${payTo}&uint256=${amount}`,
    transaction: { to: token, data, value: "0x0" },
  };
}

/** Returns the treasury; throws a fault if payments are disabled. */
export function requireTreasury({ treasury }: PaymentTerms): string {
  if (treasury !== null) return treasury;
  throw new Fault(
    "Cannot take payments: this deployment has no treasury address",
    { kind: "paymentsDisabled" },
  );
}

/** Throws a fault unless a slug is given exactly for the product slug, for one period. */
function checkTerms(
  { product, periods, slug }: {
    product: QuoteBody["product"];
    periods: number;
    slug: string | null;
  },
): void {
  const isSlug = PRODUCTS[product].kind === "slug";
  if (isSlug && slug === null) {
    throw new Fault("Missing slug: expected your profile name", {
      kind: "badInput",
      parameter: "slug",
    });
  }
  if (!isSlug && slug !== null) {
    const expected = `no slug for the product ${product}`;
    throw invalidParameter("slug", slug, expected);
  }
  if (isSlug && periods !== 1) {
    const expected = "1 for the product slug";
    throw invalidParameter("periods", String(periods), expected);
  }
}

/** Throws a fault unless the slug is that of the wallet's own profile, and not bought yet. */
async function checkSlugForSale(
  { findSlug }: Pick<QuoteDeps, "findSlug">,
  wallet: string,
  { slug, held }: { slug: string; held: Entitlements },
): Promise<void> {
  if (held.slugs.includes(slug)) {
    throw new Fault(`Cannot quote slug "${slug}": it is paid for already`, {
      kind: "alreadyOwned",
    });
  }
  if (await findSlug(wallet) === slug) return;
  throw invalidParameter("slug", slug, "the slug of your own profile");
}

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
