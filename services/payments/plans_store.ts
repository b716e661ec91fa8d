/** What each wallet has for what it paid. */
import type { PlanName } from "./plans_schema.ts";
import { type Entitlements, NO_ENTITLEMENTS } from "./billing.ts";
import * as keys from "./keys.ts";
import { type ReadKey, sharedReads } from "../platform/kv/shared_reads.ts";

/**
 * The record of a wallet. The plan that runs first stands beside the entitlements:
 * it is all that versions before payments wrote, and all that they read.
 */
export interface PlanRecord extends Partial<Entitlements> {
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
    async find(wallet: string): Promise<Entitlements | null> {
      const { value } = await read<PlanRecord>(keys.plan(wallet));
      return value && entitlementsOf(value);
    },
  };
}

/** Reads the entitlements out of a record. */
export function entitlementsOf(
  { plan, paidUntil, entries: _, ...entitlements }: PlanRecord,
): Entitlements {
  const times = plan === "free" ? [] : [{ plan, paidUntil, price: 0n }];
  return { ...NO_ENTITLEMENTS, times, ...entitlements };
}

/** Makes the record of entitlements. */
export function recordOf(
  entitlements: Entitlements,
  entries: number,
): PlanRecord {
  const { plan, paidUntil } = entitlements.times[0] ??
    { plan: "free", paidUntil: 0 };
  return { plan, paidUntil, ...entitlements, entries };
}
