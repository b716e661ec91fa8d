/** Which plan a wallet has paid for, and until when. */
import type { PlanName } from "../contract/plans.ts";
import * as keys from "./keys.ts";

/** A plan that a wallet has. */
export interface PlanRecord {
  readonly plan: PlanName;
  /** Epoch ms; from then on the wallet is on the free plan. */
  readonly paidUntil: number;
}

/** Plans in a store. */
export function planStore(kv: Deno.Kv) {
  return {
    /** Finds what a wallet has paid for, expired or not; null where it never did. */
    async find(wallet: string): Promise<PlanRecord | null> {
      return (await kv.get<PlanRecord>(keys.plan(wallet))).value;
    },

    /** Puts the plan of a wallet. */
    async put(wallet: string, record: PlanRecord): Promise<void> {
      await kv.set(keys.plan(wallet), record);
    },
  };
}
