/** Transfers of a transaction: counted and read from every node, and what the nodes agree on. */
import type {
  TransactionReport,
  Transfer,
  TransferLog,
  TransferNode,
} from "./c_chain_transfers_client.ts";
import type { PaidTransaction } from "./billing.ts";
import type { PendingAnswer } from "./payments_schema.ts";
import {
  changeRequester,
  readerCallOptions,
  type SharedBudget,
  UNSHARED,
  usedByOf,
} from "../platform/rate_limit/call_budget.ts";
import type { Clock } from "../platform/clock.ts";
import type { BudgetStore } from "../platform/rate_limit/call_budgets_store.ts";
import { MINUTE_MS } from "../platform/days.ts";
import { minOf } from "../platform/numbers.ts";
import { retryWords } from "../platform/text.ts";
import { Fault } from "../platform/fault.ts";

/** Outcome of a transaction. `final` and `failed` do not change any more. */
type TransactionOutcome =
  | { readonly kind: "final"; readonly transfers: readonly Transfer[] }
  /** Reverted: it moved nothing. */
  | { readonly kind: "failed" }
  /** Not confirmed yet, or the nodes disagree. */
  | {
    readonly kind: "pending";
    readonly confirmations: number;
    readonly required: number;
  }
  /** Unknown to every node. */
  | { readonly kind: "missing" };

/** What reading a transaction needs. */
export interface TransferDeps extends Clock {
  /** The USDC contract, lower-case. */
  readonly payment: { readonly token: string };
  readonly store: { readonly budgets: BudgetStore };
  readonly upstream: {
    /** All nodes that must agree on a transfer, the primary node first. */
    readonly transfers: readonly TransferNode[];
  };
}

/** The transfers of a final transaction, by token; or what is known of one that is not final yet. */
type ReadTransfers = PendingAnswer | {
  readonly status: "final";
  /** Transfers of USDC. */
  readonly transfers: readonly Transfer[];
  /** Some transfers of any other token to the receiver. */
  readonly otherTokens: readonly Transfer[];
};

/** Why a transaction is refused whoever claims it. */
type Refusal = "txMissing" | "txFailed";

/** Who a transaction is read for. */
interface Reader {
  readonly wallet: string;
  /** The network address of the request; null if unknown. */
  readonly hostname: string | null;
}

const READS_PER_MINUTE = 40;

/** A wallet or network may use half of them: 20 a minute. */
const READS_CAP = 1 / 2;

/**
 * Rate limit of transaction reads, shared by wallet and network. Wallets are free
 * and hashes can be invented, so a limit per wallet is not enough. Each read takes
 * three calls of the 240 per minute that a public node allows. The payment scan
 * finds payments regardless of this limit.
 */
const READS: SharedBudget = {
  name: "transaction-reads",
  limits: [{ calls: READS_PER_MINUTE, perMs: MINUTE_MS }],
  shares: UNSHARED,
};

/** Returns who a read is counted for, and the options of its calls to the nodes. */
const countedFor = (reader: Reader) => ({
  requester: changeRequester(reader, READS_CAP),
  options: readerCallOptions(changeRequester(reader)),
});

/** Reads the limits of a read, so that counting it takes one round of the database. */
export async function prepareRead(
  { store, upstream }: Pick<TransferDeps, "store" | "upstream">,
  reader: Reader,
): Promise<void> {
  const { requester, options } = countedFor(reader);
  await Promise.all([
    store.budgets.prepare([{ name: READS.name, requester }]),
    ...upstream.transfers.map((node) => node.prepare(options)),
  ]);
}

/**
 * Reads the transfers of USDC of a transaction by its lower-case hash, and those of
 * other tokens to a receiver. It is final when every node reports it in the same block
 * with two confirmations; one that no node knows or that failed is refused. The read and
 * its calls to the nodes are counted at once if the limit allows it, by what this process
 * remembers. Throws a fault above the limit; then no call is taken.
 */
export async function readTransfers(
  { now, payment, store, upstream }: TransferDeps,
  { txHash, to, reader, refused }: {
    readonly txHash: string;
    readonly to: string;
    readonly reader: Reader;
    /** Returns the fault of a transaction that every node misses, or that failed. */
    readonly refused: (kind: Refusal, txHash: string) => Fault;
  },
): Promise<ReadTransfers> {
  const { requester, options } = countedFor(reader);
  const reserve = () =>
    Promise.all(upstream.transfers.map((node) => node.reserve(options)));
  const isLikely = store.budgets.isLeftFor(READS, requester, now().getTime());
  const [read, reserved] = await Promise.allSettled([
    store.budgets.takeShared(READS, requester, { now }),
    isLikely ? reserve() : null,
  ]);
  if (read.status === "rejected") throw read.reason;
  if (!read.value.allowed) {
    const { retryAfterMs, party } = read.value;
    const usedBy = usedByOf(party);
    const reason = usedBy === "everyone"
      ? `all callers share ${READS_PER_MINUTE} checks a minute, and they are used up`
      : `the share of this ${usedBy} of the ${READS_PER_MINUTE} checks a minute is used up`;
    throw new Fault(
      `Cannot check ${txHash} now: ${reason}; ${retryWords(retryAfterMs)}`,
      { kind: "tooManyChanges", retryAfterMs },
    );
  }
  if (reserved.status === "rejected") throw reserved.reason;
  const counted = reserved.value ?? await reserve();
  const wanted = { token: payment.token, to };
  const settled = compareReports(
    await Promise.all(
      upstream.transfers.map((node, nth) =>
        node.readTransaction(txHash, wanted, counted[nth]!)
      ),
    ),
  );
  if (settled.kind === "missing") throw refused("txMissing", txHash);
  if (settled.kind === "failed") throw refused("txFailed", txHash);
  if (settled.kind === "pending") {
    const { confirmations, required } = settled;
    return { status: "pending", confirmations, required };
  }
  const isUsdc = ({ token }: Transfer) => token === payment.token;
  return {
    status: "final",
    transfers: settled.transfers.filter(isUsdc),
    otherTokens: settled.transfers.filter((moved) => !isUsdc(moved)),
  };
}

/** Blocks after a transaction's own that make it final. */
export const REQUIRED_CONFIRMATIONS = 2;

/** Combines the reports of all nodes. The transaction is pending while any two reports differ. */
export function compareReports(
  sightings: readonly TransactionReport[],
): TransactionOutcome {
  if (sightings.every(({ kind }) => kind === "unknown")) {
    return { kind: "missing" };
  }
  const mined = sightings.filter((sighting) => sighting.kind === "mined");
  const [first] = mined;
  const agrees = mined.length === sightings.length && first !== undefined &&
    mined.every((other) => isSame(first, other));
  if (!agrees) return pending(0);
  const confirmations = minOf(mined.map((one) => one.confirmations));
  if (confirmations < REQUIRED_CONFIRMATIONS) return pending(confirmations);
  return first.succeeded
    ? { kind: "final", transfers: first.transfers }
    : { kind: "failed" };
}

function pending(confirmations: number): TransactionOutcome {
  return {
    kind: "pending",
    confirmations: Math.max(0, confirmations),
    required: REQUIRED_CONFIRMATIONS,
  };
}

type Mined = Extract<TransactionReport, { kind: "mined" }>;

function isSame(a: Mined, b: Mined): boolean {
  return a.blockHash === b.blockHash && a.succeeded === b.succeeded &&
    a.transfers.map(transferKey).join() === b.transfers.map(transferKey).join();
}

/** The transfers that all nodes list, and the blocks of all other transfers. */
interface Agreement {
  readonly agreed: readonly TransferLog[];
  readonly disputedBlocks: readonly number[];
}

/** Compares the lists of all nodes. A transaction with any disputed transfer is excluded whole. */
export function compareTransferLists(
  lists: readonly (readonly TransferLog[])[],
): Agreement {
  const known = lists.map((list) => new Set(list.map(transferKey)));
  const isKnown = (transfer: TransferLog) =>
    known.every((names) => names.has(transferKey(transfer)));
  const all = lists.flat();
  const hashes = new Set(
    all.filter((transfer) => !isKnown(transfer)).map(({ txHash }) => txHash),
  );
  const excluded = all.filter(({ txHash }) => hashes.has(txHash));
  const [first = []] = lists;
  return {
    agreed: first.filter(({ txHash }) => !hashes.has(txHash)),
    disputedBlocks: [
      ...new Set(excluded.map(({ blockNumber }) => blockNumber)),
    ],
  };
}

/** Returns why a transaction has no transfer of USDC by the wallet that claims it to an address. */
export function refusalReason(
  { transfers, otherTokens }: {
    readonly transfers: readonly Transfer[];
    readonly otherTokens: readonly Transfer[];
  },
  to: string,
): "wrongSender" | "wrongRecipient" | "wrongToken" | "noTransfer" {
  // Anybody can emit a transfer of nothing from any wallet.
  const moved = transfers.filter(({ amount }) => amount > 0n);
  const isReceived = (transfer: Transfer) => transfer.to === to;
  if (moved.some(isReceived)) return "wrongSender";
  if (otherTokens.some(isReceived)) return "wrongToken";
  return moved.length > 0 ? "wrongRecipient" : "noTransfer";
}

/** Returns a key that is equal for identical transfers only. */
function transferKey(transfer: TransferLog): string {
  const { token, txHash, logIndex, from, to, amount, blockHash } = transfer;
  return [token, txHash, logIndex, from, to, amount, blockHash].join("/");
}

/** The payment of one wallet in one transaction. */
export interface TreasuryTransfer {
  readonly wallet: string;
  /** Sum of its transfers in base units. */
  readonly amount: bigint;
  readonly transaction: PaidTransaction;
}

/** Sums the transfers to the treasury by transaction and sender. */
export function listTreasuryTransfers(
  transfers: readonly Transfer[],
  treasury: string,
): TreasuryTransfer[] {
  const paying = transfers.filter(({ to, amount }) =>
    to === treasury && amount > 0n
  );
  const groups = Map.groupBy(paying, ({ txHash, from }) => `${txHash}/${from}`);
  return [...groups.values()].map((group) => {
    const { from, txHash, blockNumber, blockHash, at } = group[0]!;
    return {
      wallet: from,
      amount: group.reduce((sum, { amount }) => sum + amount, 0n),
      transaction: {
        txHash,
        logIndexes: group.map(({ logIndex }) => logIndex),
        blockNumber,
        blockHash,
        paidAt: at,
        treasury,
      },
    };
  });
}
