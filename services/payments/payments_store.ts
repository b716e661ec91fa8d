/** Payments: credited once, and taken back where their block leaves the chain. */
import {
  type AppliedEvent,
  apply,
  type Entitlements,
  replay,
} from "./billing.ts";
import type {
  Grant,
  PaidTransaction,
  Payment,
  PaymentEntry,
  Purpose,
} from "./ledger.ts";
import { withAudit } from "../platform/kv/audit_store.ts";
import { checkAndSet, type Decision } from "../platform/kv/commit.ts";
import * as keys from "./keys.ts";
import { append, listLedger, openBook } from "./ledger_store.ts";
import { type PlanRecord, recordOf } from "./plans_store.ts";

/** Money to credit, by which request. */
export interface CreditInput {
  readonly at: number;
  /** Base units. */
  readonly amount: bigint;
  readonly transaction: PaidTransaction | null;
  readonly requestId: string | null;
}

/** What became of money: `used` where it, or the quote that it was for, was before. */
export type CreditResult =
  | { readonly kind: "used" }
  | { readonly kind: "credited" } & AppliedEvent;

/** A payment that was credited from a block. */
export interface BlockPayment {
  readonly wallet: string;
  readonly txHash: string;
  readonly blockNumber: number;
  readonly blockHash: string;
}

/** Payments that a list has at most. */
const MOST_LISTED = 100;

const USED: Decision<CreditResult> = { value: { kind: "used" } };

/** Payments in a store. */
export function paymentStore(kv: Deno.Kv) {
  /** Returns whether what a wallet paid in a transaction is credited. */
  async function isUsed(txHash: string, wallet: string): Promise<boolean> {
    const key = keys.paidTransaction(txHash, wallet);
    return (await kv.get(key)).versionstamp !== null;
  }

  return {
    isUsed,

    /**
     * Credits money once, however many call at a time. `choose` says what it is
     * for, again after a conflict; null where that was bought already.
     */
    credit(
      wallet: string,
      { at, amount, transaction, requestId }: CreditInput,
      choose: (entitlements: Entitlements) => Purpose | null,
    ): Promise<CreditResult> {
      const key = keys.plan(wallet);
      return checkAndSet<PlanRecord, CreditResult>(
        kv,
        key,
        async ({ value }) => {
          // Read after the wallet's record, which changes with every credit.
          const used = transaction !== null &&
            await isUsed(transaction.txHash, wallet);
          const book = openBook(value);
          const purpose = used ? null : choose(book.entitlements);
          if (purpose === null) return USED;
          const payment: Payment = { kind: "payment", at, amount, ...purpose };
          const applied = apply(book.entitlements, payment);
          return {
            value: { kind: "credited", ...applied },
            write(atomic) {
              const entry = { ...payment, transaction, revokedAt: null };
              append(atomic, wallet, {
                book,
                entry,
                entitlements: applied.entitlements,
              });
              if (transaction) {
                const { txHash, blockNumber, blockHash } = transaction;
                atomic
                  .set(keys.paidTransaction(txHash, wallet), book.entries)
                  .set(
                    keys.blockPayment(blockNumber, txHash, wallet),
                    blockHash,
                  );
              }
              return withAudit(atomic, wallet, {
                at,
                event: "pay",
                requestId,
                amount: String(amount),
                txHash: transaction?.txHash ?? null,
                product: payment.order?.product ?? null,
                missing: String(applied.missing),
              });
            },
          };
        },
      );
    },

    /** Puts a wallet on a plan in place of what it is on. */
    async grant(
      wallet: string,
      grant: Omit<Grant, "kind">,
    ): Promise<Entitlements> {
      const key = keys.plan(wallet);
      const entry: Grant = { kind: "grant", ...grant };
      return await checkAndSet<PlanRecord, Entitlements>(
        kv,
        key,
        ({ value }) => {
          const book = openBook(value);
          const { entitlements } = apply(book.entitlements, entry);
          return {
            value: entitlements,
            write(atomic) {
              append(atomic, wallet, { book, entry, entitlements });
              return withAudit(atomic, wallet, {
                at: grant.at,
                event: "plan.grant",
                requestId: null,
                plan: grant.plan,
              });
            },
          };
        },
      );
    },

    /**
     * Takes back what was credited from a block that has left the chain: the
     * wallet then has what it would have without. False where it was already.
     */
    revoke(
      { wallet, txHash, blockNumber, blockHash }: BlockPayment,
      at: number,
    ): Promise<boolean> {
      const key = keys.plan(wallet);
      const paidKey = keys.paidTransaction(txHash, wallet);
      return checkAndSet<PlanRecord, boolean>(kv, key, async ({ value }) => {
        const { value: number } = await kv.get<number>(paidKey);
        const entries = await listLedger(kv, wallet);
        const entry = entries[number ?? -1];
        if (
          entry?.kind !== "payment" ||
          entry.transaction?.blockHash !== blockHash
        ) return { value: false };
        const entitlements = replay(entries.filter((other) =>
          other !== entry &&
          (other.kind === "grant" || other.revokedAt === null)
        ));
        return {
          value: true,
          write(atomic) {
            atomic.set(key, recordOf(entitlements, value!.entries!))
              .set(keys.ledgerEntry(wallet, number!), {
                ...entry,
                revokedAt: at,
              })
              .delete(paidKey)
              .delete(keys.blockPayment(blockNumber, txHash, wallet));
            return withAudit(atomic, wallet, {
              at,
              event: "plan.revoke",
              requestId: null,
              amount: String(entry.amount),
              txHash,
            });
          },
        };
      });
    },

    /** Lists the payments of a wallet, the last hundred, newest first. */
    async list(wallet: string): Promise<PaymentEntry[]> {
      const found = await listLedger(kv, wallet, {
        limit: MOST_LISTED,
        reverse: true,
      });
      return found.filter((entry) => entry.kind === "payment");
    },

    /** Lists what was credited from a range of blocks, first and last included. */
    async listByBlocks(first: number, last: number): Promise<BlockPayment[]> {
      const range = {
        start: keys.paidBlock(first),
        end: keys.paidBlock(last + 1),
      };
      return await Array.fromAsync(kv.list<string>(range), ({ key, value }) => {
        const [, blockNumber, txHash, wallet] = key as [
          string,
          number,
          string,
          string,
        ];
        return { blockNumber, txHash, wallet, blockHash: value };
      });
    },

    /** Finds the last block up to which the chain was looked through; null where it never was. */
    async findScanned(): Promise<number | null> {
      return (await kv.get<number>(keys.paymentScan())).value;
    },

    /** Says up to which block the chain was looked through. */
    async putScanned(block: number): Promise<void> {
      await kv.set(keys.paymentScan(), block);
    },
  };
}
