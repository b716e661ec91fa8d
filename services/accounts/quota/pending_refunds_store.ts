/** Units that could not be given back when they were due: nothing could be written then. */
import { type Charge, refund } from "./quota.ts";
import type { WalletUsage } from "./wallet_usage.ts";

/** What a request cost that came to nothing. */
export interface PendingRefund {
  readonly charge: Pick<Charge, "endpoint" | "units">;
  /** Epoch ms. */
  readonly spentAt: number;
}

/** Wallets that are owed something at a time, and requests of each; more are not remembered. */
const MOST_WALLETS = 10_000;
const MOST_REQUESTS = 1_000;

const NOTHING: readonly PendingRefund[] = [];

/** Remembers, in this process alone, what wallets are owed. */
export function pendingRefunds() {
  const owed = new Map<string, readonly PendingRefund[]>();
  return {
    /** Lists what a wallet is owed. */
    list: (wallet: string) => owed.get(wallet) ?? NOTHING,

    /** Takes what a wallet is owed: whoever writes its record gives it back, and nobody else. */
    take(wallet: string): readonly PendingRefund[] {
      const due = owed.get(wallet) ?? NOTHING;
      if (due.length > 0) owed.delete(wallet);
      return due;
    },

    /** Owes a wallet something, beside what it is owed already. */
    add(wallet: string, due: readonly PendingRefund[]): void {
      if (due.length === 0) return;
      if (owed.size >= MOST_WALLETS && !owed.has(wallet)) return;
      const all = [...owed.get(wallet) ?? NOTHING, ...due];
      owed.set(wallet, all.slice(-MOST_REQUESTS));
    },
  };
}

/** Returns the usage of a wallet that got back what it was owed; the same where that is nothing. */
export function withRefunds(
  usage: WalletUsage,
  due: readonly PendingRefund[],
): WalletUsage {
  if (due.length === 0) return usage;
  const period = due.reduce(
    (period, { charge, spentAt }) => refund(period, charge, spentAt),
    usage.period,
  );
  return { ...usage, period };
}
