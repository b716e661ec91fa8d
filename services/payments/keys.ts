/** KV keys of payments. */
import type { Collections } from "../platform/kv/collection.ts";
import { DAY_MS } from "../platform/days.ts";

/** The collections of payments. */
export const COLLECTIONS = {
  ledgers: {},
  paid_blocks: {},
  paid_transactions: {},
  payment_scan: {
    whenOutdated: {
      says:
        "payment scan starts anew: earlier blocks may hold payments that were credited after the backup",
      change: () => undefined,
    },
  },
  payment_watch: {
    whenOutdated: {
      says:
        "treasury is watched anew: earlier payments may have been credited after the backup",
      change: () => undefined,
    },
  },
  plans: {},
  revoked_payments: {},
  quotes: {
    expireMs: 8 * DAY_MS,
    whenOutdated: {
      says: "wallets lost their open quotes, which may have been paid",
      change: () => undefined,
    },
  },
} as const satisfies Collections;

/** Entitlements of a wallet. */
export const plan = (wallet: string) => ["plans", wallet];
/** The entitlements of all wallets. */
export const plans = () => ["plans"];
/** Prefix of the ledger of a wallet. */
export const ledger = (wallet: string) => ["ledgers", wallet];
/** One entry of a ledger. */
export const ledgerEntry = (wallet: string, number: number) => [
  "ledgers",
  wallet,
  number,
];
/** Number of the ledger entry that credits a transaction to a wallet. */
export const paidTransaction = (txHash: string, wallet: string) => [
  "paid_transactions",
  txHash,
  wallet,
];
/** Number of the ledger entry that credited a transaction until its block left the chain. */
export const revokedPayment = (txHash: string, wallet: string) => [
  "revoked_payments",
  txHash,
  wallet,
];
/** Start of a range of payments by block. */
export const paidBlock = (blockNumber: number) => ["paid_blocks", blockNumber];
/** Hash of the block that a credited payment came from. */
export const blockPayment = (
  blockNumber: number,
  txHash: string,
  wallet: string,
) => ["paid_blocks", blockNumber, txHash, wallet];
/** Progress of the payment scan. */
export const paymentScan = () => ["payment_scan"];
/** First block watched for payments in a token to a treasury. */
export const paymentWatch = (token: string, treasury: string) => [
  "payment_watch",
  token,
  treasury,
];
/** Recent quotes of a wallet. */
export const quotes = (wallet: string) => ["quotes", wallet];
