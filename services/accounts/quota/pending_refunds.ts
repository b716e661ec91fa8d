/**
 * Refunds that could not be written when they were due. They wait in memory.
 * `services/scores/charge_and_refund.ts` decides when a request is refunded.
 */
import { type Charge, refund } from "./quota.ts";
import { decrement } from "./slot_counter.ts";
import type { WalletUsage } from "./wallet_usage.ts";
import { dayAt } from "../../platform/days.ts";

/** The charge of a failed request. */
export interface PendingRefund {
  readonly charge: Pick<Charge, "endpoint" | "units">;
  /** Id of the first key in the key's chain of rotations. */
  readonly originId: string;
  /** Epoch ms. */
  readonly spentAt: number;
}

/** Wallets with pending refunds, and refunds of each wallet. More are dropped. */
const MAX_WALLETS = 10_000;
const MAX_REQUESTS = 1_000;

const NONE: readonly PendingRefund[] = [];

/** Holds the pending refunds of this process. */
export function pendingRefunds() {
  const pending = new Map<string, readonly PendingRefund[]>();
  return {
    /** Lists the pending refunds of a wallet. */
    list: (wallet: string) => pending.get(wallet) ?? NONE,

    /** Takes the pending refunds of a wallet: the caller must write them or add them again. */
    take(wallet: string): readonly PendingRefund[] {
      const refunds = pending.get(wallet) ?? NONE;
      pending.delete(wallet);
      return refunds;
    },

    /** Adds refunds to those of a wallet. */
    add(wallet: string, refunds: readonly PendingRefund[]): void {
      if (refunds.length === 0) return;
      if (pending.size >= MAX_WALLETS && !pending.has(wallet)) return;
      const all = [...pending.get(wallet) ?? NONE, ...refunds];
      pending.set(wallet, all.slice(-MAX_REQUESTS));
    },
  };
}

/** Applies refunds to the usage of a wallet; returns the same object if there are none. */
export function withRefunds(
  usage: WalletUsage,
  refunds: readonly PendingRefund[],
): WalletUsage {
  if (refunds.length === 0) return usage;
  let { period, keys } = usage;
  for (const { charge, originId, spentAt } of refunds) {
    period = refund(period, charge, spentAt);
    const days = keys[originId];
    if (days === undefined) continue;
    const left = decrement(days, dayAt(spentAt), charge.units);
    keys = { ...keys, [originId]: left };
  }
  return { ...usage, period, keys };
}
