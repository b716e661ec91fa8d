/** Ledgers of wallets. An entry and the entitlements it leads to are written together. */
import { type AppliedEvent, apply, replay } from "./billing.ts";
import {
  isCounted,
  type LedgerEntry,
  type PaidTransaction,
  type PaymentEntry,
} from "./ledger.ts";
import { type LedgerChange, replaceEntry } from "./ledger_changes.ts";
import * as keys from "./keys.ts";
import type { PlanRecord } from "./plans_store.ts";

/** Adds entries by number, and the record that follows from the whole ledger, to a transaction. */
export function putLedger(
  atomic: Deno.AtomicOperation,
  wallet: string,
  { changed, record }: LedgerChange,
): void {
  for (const [number, entry] of changed) {
    atomic.set(keys.ledgerEntry(wallet, number), entry);
  }
  atomic.set(keys.plan(wallet), record);
}

/** Lists the entries of a ledger, oldest first. */
export function listLedger(
  kv: Deno.Kv,
  wallet: string,
): Promise<LedgerEntry[]> {
  const entries = kv.list<LedgerEntry>({ prefix: keys.ledger(wallet) });
  return Array.fromAsync(entries, ({ value }) => value);
}

/** Maximum number of payments in a list, and of entries that are read at once. */
const MAX_LISTED = 100;

/** Lists the last hundred payments of a ledger, newest first. */
export async function listPayments(
  kv: Deno.Kv,
  wallet: string,
): Promise<PaymentEntry[]> {
  const payments: PaymentEntry[] = [];
  const prefix = keys.ledger(wallet);
  const options = { reverse: true, batchSize: MAX_LISTED };
  for await (const { value } of kv.list<LedgerEntry>({ prefix }, options)) {
    if (value.kind !== "payment") continue;
    if (payments.push(value) === MAX_LISTED) break;
  }
  return payments;
}

/** A revoked payment that counts again. */
interface RestoredEntry extends Pick<AppliedEvent, "bought" | "missing"> {
  readonly number: number;
  readonly entry: PaymentEntry;
  readonly change: LedgerChange;
}

/**
 * Returns the revoked payment of a transaction that was mined again. The payment
 * keeps its original time, because the wallet has used the purchase since then. It
 * buys the same product again, even if another payment has used its quote. Null if
 * the entry is no payment.
 */
export async function restoreEntry(
  kv: Deno.Kv,
  wallet: string,
  { number, amount, transaction, record, at }: {
    /** The number of the revoked entry. */
    readonly number: number;
    /** Base units. */
    readonly amount: bigint;
    readonly transaction: PaidTransaction;
    readonly record: PlanRecord;
    readonly at: number;
  },
): Promise<RestoredEntry | null> {
  const ledger = await listLedger(kv, wallet);
  const revoked = ledger[number];
  if (revoked?.kind !== "payment") return null;
  const isQuoteUsed = ledger.some((other) =>
    other.kind === "payment" && isCounted(other) &&
    other.quoteId === revoked.quoteId
  );
  const quoteId = isQuoteUsed ? null : revoked.quoteId;
  const entry = { ...revoked, amount, transaction, quoteId, revokedAt: null };
  const before = ledger.slice(0, number).filter(isCounted);
  const { bought, missing } = apply(replay(before), entry);
  const change = replaceEntry(ledger, [number, entry], { record, at });
  return { number, entry, bought, missing, change };
}
