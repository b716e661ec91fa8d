/** Store rules of ledgers, entitlements, paid transactions and quotes. */
import { replay } from "./billing.ts";
import { isCounted, type LedgerEntry, type PaymentEntry } from "./ledger.ts";
import type { Quote } from "./open_quotes.ts";
import * as keys from "./keys.ts";
import type { PlanRecord } from "./plans_store.ts";
import { MAX_QUOTES } from "./quotes_store.ts";
import {
  MAX_CHECKPOINTS,
  MAX_DISPUTED,
  MAX_UNLISTED,
  type ScanProgress,
} from "./scan_progress.ts";
import {
  ANY,
  ANY_NUMBER,
  areDistinct,
  isSame,
  numberAt,
  type Records,
  type Rule,
  textAt,
} from "../platform/kv/store_rule.ts";

const entitlements: Rule<PlanRecord> = {
  name: "entitlements",
  of: keys.plan(ANY),
  invariant: "the entitlements of a wallet follow from its whole ledger",
  async holds({ key, value }, { list }) {
    const entries: LedgerEntry[] = [];
    for await (const found of list<LedgerEntry>(keys.ledger(textAt(key, 1)))) {
      if (numberAt(found.key, 2) !== entries.length) return false;
      entries.push(found.value);
    }
    const counted = replay(entries.filter(isCounted));
    return value.used.value >= 0n && value.entries === entries.length &&
      isSame(value.entitlements, counted);
  },
};

const ledgerOwned: Rule<LedgerEntry> = {
  name: "ledger-entry",
  of: keys.ledgerEntry(ANY, ANY_NUMBER),
  invariant: "every ledger entry is counted by the wallet's record",
  async holds({ key }, { find }) {
    const plan = await find<PlanRecord>(keys.plan(textAt(key, 1)));
    return numberAt(key, 2) < (plan?.entries ?? 0);
  },
};

const paymentFound: Rule<LedgerEntry> = {
  name: "payment",
  of: keys.ledgerEntry(ANY, ANY_NUMBER),
  invariant:
    "a payment is indexed by its transaction and its block until it is revoked",
  async holds({ key, value }, { find }) {
    if (value.kind !== "payment" || value.transaction === null) return true;
    const { txHash, blockNumber, blockHash } = value.transaction;
    const [wallet, number] = [textAt(key, 1), numberAt(key, 2)];
    const paid = await find<number>(keys.paidTransaction(txHash, wallet));
    if (!isCounted(value)) return paid !== number;
    const block = keys.blockPayment(blockNumber, txHash, wallet);
    return paid === number && await find<string>(block) === blockHash;
  },
};

const transactionUsed: Rule<number> = {
  name: "paid-transaction",
  of: keys.paidTransaction(ANY, ANY),
  invariant: "a used transaction is in the ledger that it paid for",
  async holds({ key, value }, records) {
    const [txHash, wallet] = [textAt(key, 1), textAt(key, 2)];
    const entry = await findPayment(records, wallet, value);
    return entry?.transaction?.txHash === txHash;
  },
};

const blockUsed: Rule<string> = {
  name: "paid-block",
  of: keys.blockPayment(ANY_NUMBER, ANY, ANY),
  invariant: "the block of a payment is the block in its ledger entry",
  async holds({ key, value: blockHash }, records) {
    const [txHash, wallet] = [textAt(key, 2), textAt(key, 3)];
    const paid = keys.paidTransaction(txHash, wallet);
    const number = await records.find<number>(paid);
    const entry = await findPayment(records, wallet, number ?? -1);
    const transaction = entry?.transaction ?? null;
    return transaction !== null && transaction.blockNumber === key[1] &&
      transaction.blockHash === blockHash;
  },
};

const quotes: Rule<readonly Quote[]> = {
  name: "quotes",
  of: keys.quotes(ANY),
  invariant:
    `a wallet has at most ${MAX_QUOTES} distinct quotes, each with an expiry`,
  holds: ({ value }) =>
    value.length <= MAX_QUOTES && areDistinct(value.map(({ id }) => id)) &&
    value.every(({ createdAt, expiresAt }) => createdAt < expiresAt),
};

const scan: Rule<ScanProgress> = {
  name: "payment-scan",
  of: keys.paymentScan(),
  invariant:
    `the last scanned block is a whole number, and at most ${MAX_DISPUTED} disputed ones and ${MAX_UNLISTED} unlisted ranges up to it ascend`,
  holds({ value }) {
    const { block: scanned, disputed, unlisted = [], checkpoints = [] } = value;
    const blocks = disputed.map(({ block }) => block);
    return disputed.length <= MAX_DISPUTED &&
      unlisted.length <= MAX_UNLISTED &&
      checkpoints.length <= MAX_CHECKPOINTS &&
      checkpoints.every(({ block }, nth) =>
        block > (checkpoints[nth - 1]?.block ?? -1) && block <= scanned
      ) &&
      unlisted.every(({ first, last }, nth) =>
        first > (unlisted[nth - 1]?.last ?? -1) && first <= last &&
        last <= scanned
      ) &&
      disputed.every(({ foundAt }) => foundAt >= 0) &&
      [...blocks, scanned].every((block) =>
        Number.isSafeInteger(block) && block >= 0
      ) &&
      blocks.every((block, nth) =>
        block > (blocks[nth - 1] ?? -1) && block <= scanned
      );
  },
};

const revoked: Rule<number> = {
  name: "revoked-payment",
  of: keys.revokedPayment(ANY, ANY),
  invariant: "a revoked transaction is in the ledger, and does not count",
  async holds({ key, value }, { find }) {
    const [txHash, wallet] = [textAt(key, 1), textAt(key, 2)];
    const number = await find<number>(keys.paidTransaction(txHash, wallet));
    const entry = await find<LedgerEntry>(keys.ledgerEntry(wallet, value));
    return number === null && entry?.kind === "payment" &&
      !isCounted(entry) && entry.transaction?.txHash === txHash;
  },
};

const watch: Rule<number> = {
  name: "payment-watch",
  of: keys.paymentWatch(ANY, ANY),
  invariant: "the first watched block is a whole number",
  holds: ({ value }) => Number.isSafeInteger(value) && value >= 0,
};

/** The store rules of payments. */
export const PAYMENT_RULES: readonly Rule<never>[] = [
  entitlements,
  ledgerOwned,
  paymentFound,
  transactionUsed,
  blockUsed,
  quotes,
  revoked,
  scan,
  watch,
];

/** Finds a payment that is not revoked. */
async function findPayment(
  { find }: Records,
  wallet: string,
  number: number,
): Promise<PaymentEntry | null> {
  const entry = await find<LedgerEntry>(keys.ledgerEntry(wallet, number));
  return entry?.kind === "payment" && isCounted(entry) ? entry : null;
}
