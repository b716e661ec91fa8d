/** Entitlements, payments and receipts of a wallet, as shown to its owner. */
import type { EntitlementsAnswer, PaymentsAnswer } from "./payments_schema.ts";
import { formatUsdc, PLANS, type ProductName } from "./plans_schema.ts";
import type { PaymentStore, PlanStore } from "./payments_store.ts";
import {
  apply,
  type Entitlements,
  isCounted,
  NO_ENTITLEMENTS,
  replay,
  timeAt,
} from "./billing.ts";
import { type Clock, instant } from "../platform/clock.ts";

interface PlanDeps extends Clock {
  readonly store: { readonly plans: Pick<PlanStore, "find"> };
}

/** Reads the entitlements of a wallet. */
export async function readEntitlements(
  { now, store }: PlanDeps,
  wallet: string,
): Promise<EntitlementsAnswer> {
  const entitlements = await store.plans.find(wallet) ?? NO_ENTITLEMENTS;
  return describeEntitlements(entitlements, now().getTime());
}

/** Reads the entitlements and payments of a wallet. */
export async function readPayments(
  deps: PlanDeps & {
    readonly store: { readonly payments: Pick<PaymentStore, "list"> };
  },
  wallet: string,
): Promise<PaymentsAnswer> {
  const payments = await deps.store.payments.list(wallet);
  return {
    ...await readEntitlements(deps, wallet),
    payments: payments.map((
      { at, amount, order, quoteId, transaction, revokedAt },
    ) => ({
      at: instant(at),
      amount: String(amount),
      amountDisplay: formatUsdc(amount),
      product: order?.product ?? null,
      periods: order?.periods ?? 0,
      quoteId,
      txHash: transaction?.txHash ?? null,
      blockNumber: transaction?.blockNumber ?? null,
      revokedAt: instant(revokedAt),
    })),
  };
}

/** A payment as its receipt shows it. Instants are ISO 8601. */
export interface Receipt {
  /** In USDC. */
  readonly amountDisplay: string;
  /** Null if the payment became credit. */
  readonly product: ProductName | null;
  /** 0 if it extended a plan. */
  readonly periods: number;
  /** The time that was bought when the payment was credited; null if none was, or it does not end. */
  readonly from: string | null;
  readonly until: string | null;
  readonly creditedAt: string;
  readonly revokedAt: string | null;
  /** Null if credit paid. */
  readonly transaction: {
    readonly txHash: string;
    readonly blockNumber: number;
    readonly paidAt: string;
    /** Null if it was not kept. */
    readonly treasury: string | null;
  } | null;
}

/**
 * Reads the receipt of a wallet's payment by the hash of its transaction, or by its
 * quote if credit paid. Null if the wallet has no such payment.
 */
export async function readReceipt(
  { store }: {
    readonly store: {
      readonly payments: Pick<PaymentStore, "listLedger">;
    };
  },
  wallet: string,
  id: string,
): Promise<Receipt | null> {
  const ledger = await store.payments.listLedger(wallet);
  const number = ledger.findLastIndex((entry) =>
    entry.kind === "payment" &&
    (entry.transaction?.txHash ?? entry.quoteId) === id
  );
  const entry = ledger[number];
  if (entry?.kind !== "payment") return null;
  const { at, amount, order, revokedAt, transaction } = entry;
  const before = replay(ledger.slice(0, number).filter(isCounted));
  const bought = revokedAt === null ? apply(before, entry).bought : null;
  return {
    amountDisplay: formatUsdc(amount),
    product: order?.product ?? null,
    periods: order?.periods ?? 0,
    from: instant(bought?.from ?? null),
    until: instant(bought?.until ?? null),
    creditedAt: instant(at),
    revokedAt: instant(revokedAt),
    transaction: transaction && {
      txHash: transaction.txHash,
      blockNumber: transaction.blockNumber,
      paidAt: instant(transaction.paidAt),
      treasury: transaction.treasury ?? null,
    },
  };
}

/** Returns the answer for entitlements at an instant, epoch ms. */
export function describeEntitlements(
  entitlements: Entitlements,
  now: number,
): EntitlementsAnswer {
  const { times, credit, premiumUntil, premiumMonths, slugs } = entitlements;
  const running = timeAt(times, now);
  const plan = running?.plan ?? "free";
  const later = times.filter((time) =>
    time !== running && time.paidUntil > now
  );
  return {
    plan,
    planLabel: PLANS[plan].label,
    paidUntil: instant(running?.paidUntil ?? null),
    next: later.map(({ plan, paidUntil }) => ({
      plan,
      planLabel: PLANS[plan].label,
      paidUntil: instant(paidUntil),
    })),
    credit: String(credit),
    creditDisplay: formatUsdc(credit),
    premiumUntil: premiumUntil > now ? instant(premiumUntil) : null,
    premiumMonths,
    slugs: [...slugs],
  };
}
