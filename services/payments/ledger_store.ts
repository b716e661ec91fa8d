/** The ledger of a wallet, and what it has by that ledger: written together, or not at all. */
import { type Holdings, NOTHING } from "./billing.ts";
import type { Grant, LedgerEntry } from "./ledger.ts";
import * as keys from "./keys.ts";
import { holdingsOf, type PlanRecord, recordOf } from "./plans_store.ts";

/** The holdings of a wallet, and where its ledger goes on. */
export interface Book {
  readonly holdings: Holdings;
  readonly entries: number;
  /** What a version before payments left, as the ledger's first entry. */
  readonly first: Grant | null;
}

/** Opens the book of a wallet by its record. */
export function openBook(record: PlanRecord | null): Book {
  if (record === null) return { holdings: NOTHING, entries: 0, first: null };
  const holdings = holdingsOf(record);
  if (record.entries !== undefined) {
    return { holdings, entries: record.entries, first: null };
  }
  const { plan, paidUntil } = record;
  const first: Grant = { kind: "grant", at: 0, plan, paidUntil };
  return { holdings, entries: 1, first };
}

/** Adds an entry to a ledger, and what the wallet has by it. */
export function append(
  atomic: Deno.AtomicOperation,
  wallet: string,
  { book, entry, holdings }: {
    book: Book;
    entry: LedgerEntry;
    holdings: Holdings;
  },
): void {
  const { entries, first } = book;
  if (first !== null) atomic.set(keys.ledgerEntry(wallet, 0), first);
  atomic.set(keys.ledgerEntry(wallet, entries), entry)
    .set(keys.plan(wallet), recordOf(holdings, entries + 1));
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
