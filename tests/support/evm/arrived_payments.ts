/** A payment store, and payments that arrive in blocks. */
import { assertEquals } from "@std/assert";
import {
  type LedgerEntry,
  replay,
} from "../../../services/payments/billing.ts";
import {
  type CreditInput,
  paymentStore,
  planStore,
} from "../../../services/payments/payments_store.ts";
import { NOW, orderOf } from "./orders.ts";

/** The wallet that pays unless a test names another. */
export const WALLET = `0x${"aa".repeat(20)}`;
/** Base units of one USDC. */
export const USDC = 1_000_000n;

/** A payment in the nth transaction and the nth block. */
export function arrived(
  nth: number,
  amount: bigint,
  at = NOW,
): CreditInput & { transaction: object } {
  return {
    at,
    amount,
    transaction: {
      txHash: `0x${nth.toString(16).padStart(64, "0")}`,
      logIndexes: [0],
      blockNumber: nth,
      blockHash: `0xb${nth}`,
      paidAt: at,
    },
    requestId: null,
  };
}

/** The place of the nth payment. */
export function placeOf(nth: number, wallet = WALLET) {
  const { txHash, blockNumber, blockHash } = arrived(nth, 0n).transaction!;
  return { wallet, txHash, blockNumber, blockHash };
}

/** The purpose of a payment that buys nothing. */
export const forCredit = () => ({ order: null, quoteId: null });
/** The purpose of a payment for a plan, without a quote. */
export const forBuilder = () => ({ order: orderOf("builder"), quoteId: null });

/** Opens a database with its payment and plan stores. */
export async function openPayments(path = ":memory:") {
  const kv = await Deno.openKv(path);
  const close = { [Symbol.dispose]: () => kv.close() };
  return { kv, payments: paymentStore(kv), plans: planStore(kv), ...close };
}

/** Asserts that the entitlements of a wallet equal a replay of its ledger. */
export async function assertFolded(
  kv: Deno.Kv,
  wallet = WALLET,
): Promise<void> {
  const entries = await Array.fromAsync(
    kv.list<LedgerEntry>({ prefix: ["ledgers", wallet] }),
    ({ value }) => value,
  );
  const counted = entries.filter((entry) =>
    entry.kind === "grant" || entry.revokedAt === null
  );
  assertEquals(await planStore(kv).find(wallet) ?? replay([]), replay(counted));
}
