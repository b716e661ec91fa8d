/** Entitlements and payments of a wallet, as shown to its owner. */
import type { EntitlementsAnswer, PaymentsAnswer } from "./payments_schema.ts";
import { PLANS } from "./plans_schema.ts";
import type { PaymentsDeps } from "./deps.ts";
import { type Entitlements, NO_ENTITLEMENTS } from "./billing.ts";
import { formatUsdc } from "./money.ts";
import { timeAt } from "./paid_time.ts";
import { instant } from "../platform/instants.ts";

type EntitlementsDeps = Pick<PaymentsDeps, "now" | "store">;

/** Reads the entitlements of a wallet. */
export async function readEntitlements(
  { now, store }: EntitlementsDeps,
  wallet: string,
): Promise<EntitlementsAnswer> {
  const entitlements = await store.plans.find(wallet) ?? NO_ENTITLEMENTS;
  return describeEntitlements(entitlements, now().getTime());
}

/** Reads the entitlements and payments of a wallet. */
export async function readPayments(
  deps: EntitlementsDeps,
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
