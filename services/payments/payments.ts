/** Credits payments: claimed by their wallet, or found on the chain. */
import type {
  ClaimAnswer,
  ClaimBody,
  PendingAnswer,
} from "./payments_schema.ts";
import type { PlatformDeps } from "../platform/open/deps.ts";
import { formatUsdc, type PlanName } from "./plans_schema.ts";
import type { QuoteStore } from "./quotes_store.ts";
import {
  listTreasuryTransfers,
  prepareRead,
  readTransfers,
  refusalReason,
  type TransferDeps,
  type TreasuryTransfer,
} from "./transfers.ts";
import { amountDue, type AppliedEvent } from "./billing.ts";
import { Fault } from "../platform/fault.ts";
import { instant } from "../platform/clock.ts";
import { describeEntitlements } from "./entitlements.ts";
import {
  chooseQuote,
  type ColdReadRates,
  isSince,
  purposeOf,
  type Quote,
  type QuoteDeps,
  requireTreasury,
} from "./quotes.ts";
import type { HeldPayment, PaymentStore, PlanStore } from "./payments_store.ts";

/** Stores of payments. */
export interface PaymentsStores {
  readonly payments: PaymentStore;
  readonly plans: PlanStore;
  readonly quotes: QuoteStore;
}

/** Dependencies of payments. */
export interface PaymentsDeps extends PlatformDeps, Omit<QuoteDeps, "store"> {
  /** Reads the cold reads of a wallet in the day that ends now. */
  readonly readColdReads: (
    of: { readonly wallet: string; readonly plan: PlanName },
  ) => Promise<
    ColdReadRates & { readonly used: number; readonly left: number }
  >;
  readonly store: PlatformDeps["store"] & PaymentsStores;
  readonly upstream: TransferDeps["upstream"];
}

type PaymentDeps = Pick<
  PaymentsDeps,
  "findSlug" | "now" | "payment" | "store" | "upstream"
>;

/**
 * Credits a claimed transaction to a quote of the wallet once, when it is final.
 * Without a transaction, credit pays. Throws a fault if the quote is unknown, or if
 * the transaction is used, unknown or no payment of the wallet.
 */
export async function claimPayment(
  deps: PaymentDeps,
  wallet: string,
  { quoteId, txHash, requestId, hostname }: ClaimBody & {
    readonly requestId: string;
    /** The network address of the request; null if unknown. */
    readonly hostname: string | null;
  },
): Promise<ClaimAnswer | PendingAnswer> {
  const { now, payment, store } = deps;
  const treasury = requireTreasury(payment);
  const reader = { wallet, hostname };
  // One round of the database, also for the limits that the read is counted in.
  const [quotes, held] = await Promise.all([
    store.quotes.list(wallet, now().getTime()),
    store.payments.findHeld(wallet, txHash),
    prepareRead(deps, reader),
  ]);
  const quote = quotes.find(({ id }) => id === quoteId);
  if (quote === undefined) {
    throw new Fault(
      "Cannot find the quote: request a new one; your payment counts towards it",
      { kind: "unknownQuote" },
    );
  }
  if (txHash === undefined) {
    return await payWithCredit(deps, wallet, { quote, held, requestId });
  }
  if (held.isUsed) throw refused("txUsed", txHash);
  const read = await readTransfers(deps, {
    txHash,
    to: treasury,
    reader,
    refused,
  });
  if (read.status === "pending") return read;
  const transfer = listTreasuryTransfers(read.transfers, treasury)
    .find((transfer) => transfer.wallet === wallet);
  if (transfer === undefined) {
    throw refused(refusalReason(read, treasury), txHash);
  }
  const applied = await creditTransfer(deps, transfer, {
    quotes,
    quote,
    held,
    requestId,
  });
  if (applied.kind !== "credited") throw refused(applied.kind, txHash);
  return describeApplied(deps, applied);
}

/** Result of crediting a transfer. `txUsed`: it was credited before. `txTooOld`: it is older than every quote, and its block was not watched. */
type CreditedTransfer =
  | { readonly kind: "txUsed" | "txTooOld" }
  | { readonly kind: "credited" } & AppliedEvent;

/**
 * Credits a transfer to the treasury: to the given quote if it is unused, else
 * to the best matching one. A transfer older than the quotes counts only if its
 * block was watched: the treasury may have received money before for other things.
 */
export async function creditTransfer(
  { findSlug, now, payment, store }: Pick<
    PaymentsDeps,
    "findSlug" | "now" | "payment" | "store"
  >,
  { wallet, amount, transaction }: TreasuryTransfer,
  { quotes, quote, held, requestId }: {
    readonly quotes: readonly Quote[];
    readonly quote: Quote | null;
    /** The payment as it was read before; it is read here if absent. */
    readonly held?: HeldPayment;
    readonly requestId: string | null;
  },
): Promise<CreditedTransfer> {
  const at = now().getTime();
  const { paidAt, blockNumber } = transaction;
  const { token } = payment;
  const treasury = requireTreasury(payment);
  if (!quotes.some((each) => isSince(each, paidAt))) {
    const first = await store.payments.findFirstWatched({ token, treasury });
    const isWatched = first !== null && blockNumber >= first;
    if (!isWatched) return { kind: "txTooOld" };
  }
  const isForSale = await nameCheck({ findSlug }, wallet, quotes);
  const input = { at, amount, transaction, held, requestId };
  const result = await store.payments.credit(wallet, input, (entitlements) => {
    const isOpen = quote !== null && isSince(quote, paidAt) &&
      !entitlements.usedQuotes.includes(quote.id);
    const chosen = isOpen
      ? quote
      : chooseQuote(quotes, entitlements, { amount, paidAt });
    if (!isForSale(chosen)) return { order: null, quoteId: null };
    return purposeOf(chosen, entitlements, { paidAt, now: at });
  });
  return result.kind === "used" ? { kind: "txUsed" } : result;
}

/**
 * Returns a function that tells whether a quote can still be bought. A profile name
 * cannot if the wallet has given it up since the quote: another may hold it.
 */
async function nameCheck(
  { findSlug }: Pick<PaymentsDeps, "findSlug">,
  wallet: string,
  quotes: readonly Quote[],
): Promise<(quote: Quote | null) => boolean> {
  const isNeeded = quotes.some(({ slug }) => slug !== null);
  const held = isNeeded ? await findSlug(wallet) : null;
  return (quote) =>
    quote === null || quote.slug === null ||
    quote.slug === held;
}

/** Buys the product of a quote from credit only. */
async function payWithCredit(
  deps: Pick<PaymentsDeps, "findSlug" | "now" | "store">,
  wallet: string,
  { quote, held, requestId }: {
    quote: Quote;
    held: HeldPayment;
    requestId: string;
  },
): Promise<ClaimAnswer> {
  if (quote.amount > 0n) {
    throw new Fault(
      `Missing txHash: expected the hash of a payment of ${
        formatUsdc(quote.amount)
      } USDC`,
      { kind: "badInput", parameter: "txHash" },
    );
  }
  const isForSale = await nameCheck(deps, wallet, [quote]);
  const at = deps.now().getTime();
  const money = { at, amount: 0n, transaction: null, held, requestId };
  let isUsed = false;
  const credited = await deps.store.payments.credit(
    wallet,
    money,
    (entitlements) => {
      isUsed = entitlements.usedQuotes.includes(quote.id);
      if (isUsed || !isForSale(quote)) return null;
      const purpose = purposeOf(quote, entitlements, { paidAt: at, now: at });
      const isCovered = purpose.order !== null &&
        amountDue(entitlements, purpose.order) === 0n;
      return isCovered ? purpose : null;
    },
  );
  if (credited.kind === "used") {
    const reason = isUsed
      ? "it was used already"
      : !isForSale(quote)
      ? "your profile no longer has the name; request a new quote"
      : "your credit and unused days no longer cover it; request a new quote";
    throw new Fault(`Cannot claim the quote: ${reason}`, { kind: "quoteUsed" });
  }
  return describeApplied(deps, credited);
}

const REFUSALS = {
  txUsed: "it is credited already",
  txTooOld:
    "it is older than the quote; expected a payment made after the quote",
  txMissing: "no node knows the transaction",
  txFailed: "the transaction failed, so it moved nothing",
  noTransfer: "the transaction moved no USDC",
  wrongToken:
    "the token it moved to the treasury is not this chain's native USDC",
  wrongRecipient: "it moved USDC, but not to the treasury",
  wrongSender: "another wallet paid; only that wallet can claim it",
} as const;

function refused(kind: keyof typeof REFUSALS, txHash: string): Fault {
  return new Fault(`Cannot credit ${txHash}: ${REFUSALS[kind]}`, {
    kind,
    txHash,
  });
}

function describeApplied(
  { now }: Pick<PaymentsDeps, "now">,
  { entitlements, bought, missing }: AppliedEvent,
): ClaimAnswer {
  return {
    status: bought ? "active" : missing > 0n ? "short" : "credit",
    bought: bought && {
      product: bought.product,
      periods: bought.periods,
      extraSeconds: Math.floor(bought.extraMs / 1000),
      startsAt: instant(bought.from),
      endsAt: instant(bought.until),
    },
    missing: String(missing),
    missingDisplay: formatUsdc(missing),
    ...describeEntitlements(entitlements, now().getTime()),
  };
}
