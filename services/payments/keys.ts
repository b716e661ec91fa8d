/** KV keys of payments. */

/** What a wallet has paid for. */
export const plan = (wallet: string) => ["plans", wallet];
/** All that happened to what a wallet has, in order. */
export const ledger = (wallet: string) => ["ledgers", wallet];
/** One thing that happened to what a wallet has. */
export const ledgerEntry = (wallet: string, number: number) => [
  "ledgers",
  wallet,
  number,
];
/** The ledger entry of what a wallet paid in a transaction: none is counted twice. */
export const paidTransaction = (txHash: string, wallet: string) => [
  "paid_transactions",
  txHash,
  wallet,
];
/** The payments credited from a block on. */
export const paidBlock = (blockNumber: number) => ["paid_blocks", blockNumber];
/** A payment that was credited from a block. */
export const blockPayment = (
  blockNumber: number,
  txHash: string,
  wallet: string,
) => ["paid_blocks", blockNumber, txHash, wallet];
/** How far the chain was looked through for payments. */
export const paymentScan = () => ["payment_scan"];
/** What a wallet was offered lately. */
export const quotes = (wallet: string) => ["quotes", wallet];
