/** Store of payments: each is credited once, and revoked if its block leaves the chain. */
import {
  appendEntry,
  type AppliedEvent,
  apply,
  type Entitlements,
  type Grant,
  isCounted,
  type LedgerChange,
  type LedgerEntry,
  NO_PLAN,
  type PaidTime,
  type PaidTransaction,
  type PaymentEntry,
  type PlanRecord,
  type Purpose,
  replaceEntry,
  replay,
} from "./billing.ts";
import { withAudit } from "../platform/kv/audit_store.ts";
import { checkAndSet, type Decision } from "../platform/kv/commit.ts";
import { type ReadKey, sharedReads } from "../platform/kv/reads.ts";
import {
  ANY,
  ANY_NUMBER,
  isSame,
  numberAt,
  type Records,
  type Rule,
  type StoredRecords,
  textAt,
} from "../platform/kv/store_rule.ts";
import {
  MAX_CHECKPOINTS,
  MAX_DISPUTED,
  MAX_UNLISTED,
  type ScanProgress,
} from "./scan_progress.ts";

/** Keys. */
const keys = {
  /** The entitlements of a wallet. */
  plan: (wallet: string) => ["plans", wallet],
  /**
   * Paid time by its end, so that a quote reads the plans that run, and not the record of
   * every wallet that ever paid.
   */
  planEnd: (paidUntil: number, wallet: string) => [
    "plan_ends",
    paidUntil,
    wallet,
  ],
  /** One entry of a ledger. */
  ledgerEntry: (wallet: string, number: number) => ["ledgers", wallet, number],
  /** Number of the ledger entry that credits a transaction to a wallet. */
  paidTransaction: (txHash: string, wallet: string) => [
    "paid_transactions",
    txHash,
    wallet,
  ],
  /** Number of the ledger entry that credited a transaction until its block left the chain. */
  revokedPayment: (txHash: string, wallet: string) => [
    "revoked_payments",
    txHash,
    wallet,
  ],
  /** Start of a range of payments by block. */
  paidBlock: (blockNumber: number) => ["paid_blocks", blockNumber],
  /** Hash of the block that a credited payment came from. */
  blockPayment: (blockNumber: number, txHash: string, wallet: string) => [
    "paid_blocks",
    blockNumber,
    txHash,
    wallet,
  ],
  /** Progress of the payment scan. */
  paymentScan: () => ["payment_scan"],
  /** First block watched for payments in a token to a treasury. */
  paymentWatch: (token: string, treasury: string) => [
    "payment_watch",
    token,
    treasury,
  ],
};

/** Returns the prefix of the ledger of a wallet. */
export const ledgerKey = (wallet: string) => ["ledgers", wallet];

/** An amount to credit. */
export interface CreditInput {
  readonly at: number;
  /** Base units. */
  readonly amount: bigint;
  readonly transaction: PaidTransaction | null;
  /** The state as it was read earlier; it is read again if it has changed. */
  readonly held?: HeldPayment | undefined;
  readonly requestId: string | null;
}

/** The state that a payment is credited to, as it was read. */
export interface HeldPayment {
  readonly entries: readonly Deno.KvEntryMaybe<unknown>[];
  /** Whether the wallet's payment in the transaction is credited already. */
  readonly isUsed: boolean;
}

/** Result of crediting. `used`: the transaction or its quote was used before. */
type CreditResult =
  | { readonly kind: "used" }
  | { readonly kind: "credited" } & AppliedEvent;

/** A credited payment and its block. */
interface BlockPayment {
  readonly wallet: string;
  readonly txHash: string;
  readonly blockNumber: number;
  readonly blockHash: string;
}

/** A treasury, and the token that it is paid in. */
interface WatchedTreasury {
  readonly token: string;
  readonly treasury: string;
}

const USED: Decision<CreditResult> = { value: { kind: "used" } };

/** Store of payments. */
export function paymentStore(kv: Deno.Kv, read: ReadKey = sharedReads(kv)) {
  return {
    /** Reads the state that a payment of a wallet is credited to. */
    async findHeld(
      wallet: string,
      txHash: string | undefined,
    ): Promise<HeldPayment> {
      const entries = await Promise.all(
        listCreditKeys(wallet, txHash).map((key) => read(key)),
      );
      const [, paid] = entries;
      return { entries, isUsed: (paid?.versionstamp ?? null) !== null };
    },

    /**
     * Credits an amount exactly once, also under concurrent calls. `choose`
     * returns what it buys, or null if that was bought already. It is called
     * again after a conflict. A transaction that is mined again after its block
     * left the chain buys what it bought before, from the same time on.
     */
    credit(
      wallet: string,
      { at, amount, transaction, held: read, requestId }: CreditInput,
      choose: (entitlements: Entitlements) => Purpose | null,
    ): Promise<CreditResult> {
      // Every credit and every revocation changes the plan's record too, which is checked.
      const [key, ...also] = listCreditKeys(wallet, transaction?.txHash);
      return checkAndSet<PlanRecord, CreditResult>(kv, key, async (
        plan,
        [paid, revoked],
      ) => {
        const record = plan.value ?? NO_PLAN;
        const held = record.entitlements;
        const isUsed = (paid?.versionstamp ?? null) !== null;
        const purpose = isUsed ? null : choose(held);
        if (purpose === null) return USED;
        const revokedNumber = (revoked?.value ?? null) as number | null;
        const restored = transaction && revokedNumber !== null
          ? await restoreEntry(kv, wallet, {
            number: revokedNumber,
            amount,
            transaction,
            record,
            at,
          })
          : null;
        const entry: PaymentEntry = restored?.entry ?? {
          kind: "payment",
          at,
          amount,
          ...purpose,
          transaction,
          revokedAt: null,
        };
        const change = restored ?? appendEntry(record, entry);
        const number = restored?.number ?? record.entries;
        const { bought, missing, record: { entitlements } } = change;
        return {
          value: { kind: "credited", entitlements, bought, missing },
          write(atomic) {
            putLedger(atomic, wallet, change, held.times);
            if (transaction) {
              // What was read before may come from two snapshots.
              atomic.check(paid!, revoked!);
              const { txHash, blockNumber, blockHash } = transaction;
              atomic
                .set(keys.paidTransaction(txHash, wallet), number)
                .set(keys.blockPayment(blockNumber, txHash, wallet), blockHash)
                .delete(keys.revokedPayment(txHash, wallet));
            }
            return withAudit(atomic, wallet, {
              at,
              event: "pay",
              requestId,
              amount: String(amount),
              txHash: transaction?.txHash ?? null,
              product: entry.order?.product ?? null,
              missing: String(missing),
            });
          },
        };
      }, { also, known: read?.entries });
    },

    /** Replaces the plan of a wallet by a granted one. */
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
          const record = value ?? NO_PLAN;
          const change = appendEntry(record, entry);
          return {
            value: change.record.entitlements,
            write(atomic) {
              putLedger(atomic, wallet, change, record.entitlements.times);
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
     * Revokes a payment whose block left the chain, and recomputes the wallet's
     * entitlements without it. False if the payment is not credited any more.
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
        const revoked = { ...entry, revokedAt: at };
        const change = replaceEntry(entries, [number!, revoked], {
          record: value!,
          at,
        });
        return {
          value: true,
          write(atomic) {
            putLedger(atomic, wallet, change, value!.entitlements.times);
            atomic.delete(paidKey)
              .set(keys.revokedPayment(txHash, wallet), number!)
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

    /** Lists the ledger of a wallet, oldest entry first. */
    listLedger: (wallet: string) => listLedger(kv, wallet),

    /** Lists the last hundred payments of a wallet, newest first. */
    async list(wallet: string): Promise<PaymentEntry[]> {
      const payments: PaymentEntry[] = [];
      const ledger = kv.list<LedgerEntry>({ prefix: ledgerKey(wallet) }, {
        reverse: true,
        batchSize: MAX_LISTED,
      });
      for await (const { value } of ledger) {
        if (value.kind !== "payment") continue;
        if (payments.push(value) === MAX_LISTED) break;
      }
      return payments;
    },

    /** Lists the payments credited from a block range, both ends included. */
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

    /** Finds the first block watched for payments to a treasury; null before the first scan. */
    async findFirstWatched(
      { token, treasury }: WatchedTreasury,
    ): Promise<number | null> {
      return (await kv.get<number>(keys.paymentWatch(token, treasury))).value;
    },

    /** Watches a treasury from a block on, unless it is watched already. */
    async watchFrom(
      { token, treasury }: WatchedTreasury,
      block: number,
    ): Promise<void> {
      const key = keys.paymentWatch(token, treasury);
      await checkAndSet<number, void>(kv, key, ({ value }) => ({
        value: undefined,
        ...value === null && {
          write: (atomic: Deno.AtomicOperation) => atomic.set(key, block),
        },
      }));
    },

    /** Finds the progress of the scan; null before the first one. */
    async findScanned(): Promise<ScanProgress | null> {
      const { value } = await kv.get<ScanProgress>(keys.paymentScan());
      // Older records have neither list.
      const { unlisted = [], checkpoints = [] } = value ?? {};
      return value && { ...value, unlisted, checkpoints };
    },

    /** Stores the progress of the scan. */
    async putScanned(progress: ScanProgress): Promise<void> {
      await kv.set(keys.paymentScan(), progress);
    },
  };
}

/** Store of payments. */
export type PaymentStore = ReturnType<typeof paymentStore>;

/** Store of plans. */
export function planStore(kv: Deno.Kv, read: ReadKey = sharedReads(kv)) {
  return {
    /** Finds the entitlements of a wallet, expired or not; null if it never paid. */
    async find(wallet: string): Promise<Entitlements | null> {
      const { value } = await read<PlanRecord>(keys.plan(wallet));
      return value && value.entitlements;
    },

    /** Yields the times of every wallet whose paid time ends after an instant. */
    async *listRunning(
      at: number,
    ): AsyncGenerator<[wallet: string, readonly PaidTime[]]> {
      const range = { prefix: ["plan_ends"], start: ["plan_ends", at] };
      for await (const { key, value } of kv.list<readonly PaidTime[]>(range)) {
        yield [textAt(key, 2), value];
      }
    },
  };
}

/** Store of plans. */
export type PlanStore = ReturnType<typeof planStore>;

/** Returns the keys of a wallet's plan and of a transaction that pays it. */
function listCreditKeys(
  wallet: string,
  txHash: string | undefined,
): [Deno.KvKey, ...Deno.KvKey[]] {
  const plan = keys.plan(wallet);
  return txHash === undefined ? [plan] : [
    plan,
    keys.paidTransaction(txHash, wallet),
    keys.revokedPayment(txHash, wallet),
  ];
}

/**
 * Adds entries by number, and what follows from the whole ledger, to a transaction that
 * checks the wallet's record: the record, and its end in place of that of the times before.
 */
function putLedger(
  atomic: Deno.AtomicOperation,
  wallet: string,
  { changed, record }: LedgerChange,
  before: readonly PaidTime[],
): void {
  for (const [number, entry] of changed) {
    atomic.set(keys.ledgerEntry(wallet, number), entry);
  }
  atomic.set(keys.plan(wallet), record);
  const { times } = record.entitlements;
  const [was, ends] = [before.at(-1)?.paidUntil, times.at(-1)?.paidUntil];
  if (was !== undefined && was !== ends) {
    atomic.delete(keys.planEnd(was, wallet));
  }
  if (ends !== undefined) atomic.set(keys.planEnd(ends, wallet), times);
}

/** Lists the entries of a ledger, oldest first. */
function listLedger(
  kv: Deno.Kv,
  wallet: string,
): Promise<LedgerEntry[]> {
  const entries = kv.list<LedgerEntry>({ prefix: ledgerKey(wallet) });
  return Array.fromAsync(entries, ({ value }) => value);
}

/** Maximum number of payments in a list, and of entries that are read at once. */
const MAX_LISTED = 100;

/** A revoked payment that counts again. */
interface RestoredEntry extends ReturnType<typeof appendEntry> {
  readonly number: number;
  readonly entry: PaymentEntry;
}

/**
 * Returns the revoked payment of a transaction that was mined again. The payment
 * keeps its original time, because the wallet has used the purchase since then. It
 * buys the same product again, even if another payment has used its quote. Null if
 * the entry is no payment.
 */
async function restoreEntry(
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
  return { number, entry, bought, missing, ...change };
}

const entitlements: Rule<PlanRecord> = {
  name: "entitlements",
  of: keys.plan(ANY),
  invariant: "the entitlements of a wallet follow from its whole ledger",
  async holds({ key, value }, { list }) {
    const entries: LedgerEntry[] = [];
    for await (const found of list<LedgerEntry>(ledgerKey(textAt(key, 1)))) {
      if (numberAt(found.key, 2) !== entries.length) return false;
      entries.push(found.value);
    }
    const counted = replay(entries.filter(isCounted));
    return value.used.value >= 0n && value.entries === entries.length &&
      isSame(value.entitlements, counted);
  },
};

const planEnds: Rule<PlanRecord> = {
  name: "plan-ends",
  of: keys.plan(ANY),
  invariant: "the paid time of a wallet is listed by its end",
  async holds({ key, value: { entitlements: { times } } }, { find }) {
    const end = times.at(-1);
    if (end === undefined) return true;
    const listed = keys.planEnd(end.paidUntil, textAt(key, 1));
    return isSame(await find(listed), times);
  },
};

const endOwned: Rule<readonly PaidTime[]> = {
  name: "plan-end",
  of: keys.planEnd(ANY_NUMBER, ANY),
  invariant: "an end is that of the paid time in the wallet's record",
  async holds({ key, value }, { find }) {
    const plan = await find<PlanRecord>(keys.plan(textAt(key, 2)));
    return value.at(-1)?.paidUntil === numberAt(key, 1) &&
      isSame(plan?.entitlements.times, value);
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

/** The collections and the rules. */
export const PAYMENT_RECORDS: StoredRecords = {
  collections: {
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
    plan_ends: {},
    plans: {},
    revoked_payments: {},
  },
  rules: [
    entitlements,
    planEnds,
    endOwned,
    ledgerOwned,
    paymentFound,
    transactionUsed,
    blockUsed,
    revoked,
    scan,
    watch,
  ],
};

/** Finds a payment that is not revoked. */
async function findPayment(
  { find }: Records,
  wallet: string,
  number: number,
): Promise<PaymentEntry | null> {
  const entry = await find<LedgerEntry>(keys.ledgerEntry(wallet, number));
  return entry?.kind === "payment" && isCounted(entry) ? entry : null;
}
