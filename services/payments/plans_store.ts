/** What each wallet has for what it paid. */
import type { PlanName } from "./plans_schema.ts";
import { type Holdings, NOTHING } from "./billing.ts";
import * as keys from "./keys.ts";
import { type ReadKey, sharedReads } from "../platform/kv/shared_reads.ts";

/**
 * The record of a wallet. The plan that runs first stands beside the holdings:
 * it is all that versions before payments wrote, and all that they read.
 */
export interface PlanRecord extends Partial<Holdings> {
  readonly plan: PlanName;
  /** Epoch ms. */
  readonly paidUntil: number;
  /** Entries of the wallet's ledger. */
  readonly entries?: number;
}

/** Plans in a store. */
export function planStore(kv: Deno.Kv, read: ReadKey = sharedReads(kv)) {
  return {
    /** Finds what a wallet has, run out or not; null where it never had anything. */
    async find(wallet: string): Promise<Holdings | null> {
      const { value } = await read<PlanRecord>(keys.plan(wallet));
      return value && holdingsOf(value);
    },
  };
}

/** Reads the holdings out of a record. */
export function holdingsOf(
  { plan, paidUntil, entries: _, ...holdings }: PlanRecord,
): Holdings {
  const times = plan === "free" ? [] : [{ plan, paidUntil, price: 0n }];
  return { ...NOTHING, times, ...holdings };
}

/** Makes the record of holdings. */
export function recordOf(holdings: Holdings, entries: number): PlanRecord {
  const { plan, paidUntil } = holdings.times[0] ??
    { plan: "free", paidUntil: 0 };
  return { plan, paidUntil, ...holdings, entries };
}
