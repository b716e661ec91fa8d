/** Store of entitlements, one record per wallet. */
import { type Entitlements, NO_ENTITLEMENTS } from "./billing.ts";
import { type ReadKey, sharedReads } from "../platform/kv/shared_reads.ts";

/** Returns the key of the entitlements of a wallet. */
export const planKey = (wallet: string) => ["plans", wallet];

/** The record of a wallet. */
export interface PlanRecord {
  readonly entitlements: Entitlements;
  /** Number of entries in the wallet's ledger. */
  readonly entries: number;
  readonly used: UsedTime;
}

/** The paid time that a wallet has used, whatever its ledger contained then. */
export interface UsedTime {
  /** Exact value: base units times the milliseconds of a period. */
  readonly value: bigint;
  /** Epoch ms. */
  readonly until: number;
}

/** The record of a wallet that never paid. */
export const NO_PLAN: PlanRecord = {
  entitlements: NO_ENTITLEMENTS,
  entries: 0,
  used: { value: 0n, until: 0 },
};

/** Store of plans. */
export function planStore(kv: Deno.Kv, read: ReadKey = sharedReads(kv)) {
  return {
    /** Finds the entitlements of a wallet, expired or not; null if it never paid. */
    async find(wallet: string): Promise<Entitlements | null> {
      const { value } = await read<PlanRecord>(planKey(wallet));
      return value && value.entitlements;
    },

    /** Yields the entitlements of every wallet that ever paid, expired or not. */
    async *list(): AsyncGenerator<[wallet: string, Entitlements]> {
      for await (
        const { key, value } of kv.list<PlanRecord>({ prefix: ["plans"] })
      ) yield [String(key.at(-1)), value.entitlements];
    },
  };
}
