/** Ledgers of wallets. An entry and the entitlements it leads to are written together. */
import type { Entitlements } from "./billing.ts";
import type { LedgerEntry } from "./ledger.ts";
import * as keys from "./keys.ts";
import type { PlanRecord } from "./plans_store.ts";

/** Adds an entry and the resulting entitlements to a transaction. */
export function append(
  atomic: Deno.AtomicOperation,
  wallet: string,
  { entries, entry, entitlements }: {
    /** Number of entries so far. */
    readonly entries: number;
    readonly entry: LedgerEntry;
    readonly entitlements: Entitlements;
  },
): void {
  const record: PlanRecord = { entitlements, entries: entries + 1 };
  atomic.set(keys.ledgerEntry(wallet, entries), entry)
    .set(keys.plan(wallet), record);
}

/** Lists the entries of a ledger, oldest first unless `options` reverse the order. */
export function listLedger(
  kv: Deno.Kv,
  wallet: string,
  options: Deno.KvListOptions = {},
): Promise<LedgerEntry[]> {
  const prefix = keys.ledger(wallet);
  const entries = kv.list<LedgerEntry>({ prefix }, options);
  return Array.fromAsync(entries, ({ value }) => value);
}
