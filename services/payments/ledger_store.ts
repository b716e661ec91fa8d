/** The ledger of a wallet, and what it has by that ledger: written together, or not at all. */
import { type Entitlements, NO_ENTITLEMENTS } from "./billing.ts";
import type { Grant, LedgerEntry } from "./ledger.ts";
import * as keys from "./keys.ts";
import { entitlementsOf, type PlanRecord, recordOf } from "./plans_store.ts";

/** The entitlements of a wallet, and where its ledger goes on. */
export interface Book {
  readonly entitlements: Entitlements;
  readonly entries: number;
  /** What a version before payments left, as the ledger's first entry. */
  readonly first: Grant | null;
}

/** Opens the book of a wallet by its record. */
export function openBook(record: PlanRecord | null): Book {
  if (record === null) {
    return { entitlements: NO_ENTITLEMENTS, entries: 0, first: null };
  }
  const entitlements = entitlementsOf(record);
  if (record.entries !== undefined) {
    return { entitlements, entries: record.entries, first: null };
  }
  const { plan, paidUntil } = record;
  const first: Grant = { kind: "grant", at: 0, plan, paidUntil };
  return { entitlements, entries: 1, first };
}

/** Adds an entry to a ledger, and what the wallet has by it. */
export function append(
  atomic: Deno.AtomicOperation,
  wallet: string,
  { book, entry, entitlements }: {
    book: Book;
    entry: LedgerEntry;
    entitlements: Entitlements;
  },
): void {
  const { entries, first } = book;
  if (first !== null) atomic.set(keys.ledgerEntry(wallet, 0), first);
  atomic.set(keys.ledgerEntry(wallet, entries), entry)
    .set(keys.plan(wallet), recordOf(entitlements, entries + 1));
}

/** Lists the entries of a ledger, oldest first where not told otherwise. */
export function listLedger(
  kv: Deno.Kv,
  wallet: string,
  options: Deno.KvListOptions = {},
): Promise<LedgerEntry[]> {
  const entries = kv.list<LedgerEntry>(
    { prefix: keys.ledger(wallet) },
    options,
  );
  return Array.fromAsync(entries, ({ value }) => value);
}
