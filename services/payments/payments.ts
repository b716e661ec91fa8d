/** Payments: claimed by their wallet or found on the chain, credited once. */
import type { ClaimAnswer, PendingAnswer } from "./payments_schema.ts";
import type { PaymentsDeps } from "./deps.ts";
import {
  listTreasuryTransfers,
  refusalReason,
  type TreasuryTransfer,
} from "./treasury_transfers.ts";
import { amountDue, type AppliedEvent } from "./billing.ts";
import { Fault } from "../platform/fault.ts";
import { formatUsdc } from "./money.ts";
import { chooseQuote, purposeOf, type Quote } from "./open_quotes.ts";
import { describeEntitlements, instant } from "./entitlements.ts";
import { requireTreasury } from "./quotes.ts";
import { readerCallOptions } from "../platform/cache/read_through.ts";
import { readTransfers } from "./confirmed_transfers.ts";
import { limitWallet } from "../platform/rate_limit/wallet_limits.ts";

type PaymentDeps = Pick<PaymentsDeps, "now" | "payment" | "store" | "upstream">;

/** What a wallet says it paid: for which quote, and where not by credit alone, in which transaction. */
export interface Claim {
  readonly quoteId: string;
  readonly txHash: string | undefined;
  readonly requestId: string;
}

/** Credits what a wallet paid in a transaction to a quote of its own; once, and only when it is final. */
export async function claimPayment(
  deps: PaymentDeps,
  wallet: string,
  { quoteId, txHash, requestId }: Claim,
): Promise<ClaimAnswer | PendingAnswer> {
  const treasury = requireTreasury(deps.payment);
  const quotes = await deps.store.quotes.list(wallet, deps.now().getTime());
  const quote = quotes.find(({ id }) => id === quoteId);
  if (quote === undefined) {
    throw new Fault(
      "Cannot find the quote: ask for a new one, what you paid counts for it",
      { kind: "unknownQuote" },
    );
  }
  if (txHash === undefined) {
    return await claimCredit(deps, wallet, { quote, requestId });
  }
  if (await deps.store.payments.isUsed(txHash, wallet)) {
    throw refused("txUsed", txHash);
  }

  await limitWallet(deps, "claim", wallet);
  const read = await readTransfers(deps, txHash, readerCallOptions());
  if (read.kind === "missing") throw refused("txMissing", txHash);
  if (read.kind === "failed") throw refused("txFailed", txHash);
  if (read.kind === "pending") {
    const { confirmations, required } = read;
    return { status: "pending", confirmations, required };
  }
  const arrival = listTreasuryTransfers(read.transfers, treasury)
    .find((arrival) => arrival.wallet === wallet);
  if (arrival === undefined) {
    throw refused(refusalReason(read, treasury), txHash);
  }
  const applied = await creditTransfer(deps, arrival, {
    quotes,
    quote,
    requestId,
  });
  if (applied === null) throw refused("txUsed", txHash);
  return describeApplied(deps, applied);
}

/**
 * Credits money that arrived: for the quote it is claimed for while that is
 * open, else for what it looks like. Null where it was credited before.
 */
export async function creditTransfer(
  { now, store }: Pick<PaymentsDeps, "now" | "store">,
  { wallet, amount, transaction }: TreasuryTransfer,
  { quotes, quote, requestId }: {
    readonly quotes: readonly Quote[];
    readonly quote: Quote | null;
    readonly requestId: string | null;
  },
): Promise<AppliedEvent | null> {
  const at = now().getTime();
  const { paidAt } = transaction;
  const money = { at, amount, transaction, requestId };
  const credited = await store.payments.credit(
    wallet,
    money,
    (entitlements) => {
      const isOpen = quote !== null &&
        !entitlements.usedQuotes.includes(quote.id);
      const meant = isOpen
        ? quote
        : chooseQuote(quotes, entitlements, { amount, paidAt });
      return purposeOf(meant, entitlements, { paidAt, now: at });
    },
  );
  return credited.kind === "used" ? null : credited;
}

/** Buys what a quote offers for credit alone. */
async function claimCredit(
  deps: Pick<PaymentsDeps, "now" | "store">,
  wallet: string,
  { quote, requestId }: { quote: Quote; requestId: string },
): Promise<ClaimAnswer> {
  if (quote.amount > 0n) {
    throw new Fault(
      `Cannot claim the quote: accepted is the txHash of a payment of ${
        formatUsdc(quote.amount)
      } USDC`,
      { kind: "badInput", parameter: "txHash" },
    );
  }
  const at = deps.now().getTime();
  const money = { at, amount: 0n, transaction: null, requestId };
  const credited = await deps.store.payments.credit(
    wallet,
    money,
    (entitlements) => {
      if (entitlements.usedQuotes.includes(quote.id)) return null;
      const purpose = purposeOf(quote, entitlements, { paidAt: at, now: at });
      const isCovered = purpose.order !== null &&
        amountDue(entitlements, purpose.order) === 0n;
      return isCovered ? purpose : null;
    },
  );
  if (credited.kind === "used") {
    throw new Fault(
      "Cannot claim the quote: it, or the credit it counted on, was used",
      { kind: "quoteUsed" },
    );
  }
  return describeApplied(deps, credited);
}

const REFUSALS = {
  txUsed: "it is credited already",
  txMissing: "no node knows it",
  txFailed: "it has failed, so it moved nothing",
  noTransfer: "it moved no USDC",
  wrongToken:
    "what it moved to the treasury is not USDC of this chain's issuer",
  wrongRecipient: "it moved USDC to others than the treasury",
  wrongSender: "another wallet paid; that wallet can claim it",
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
