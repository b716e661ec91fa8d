/** Token transfers, and the comparison of what several nodes report. */
import type { PaidTransaction } from "./billing.ts";
import { minOf } from "../platform/extremes.ts";

/** A Transfer event (ERC-20); addresses and hashes are lower-case. */
export interface TransferLog {
  /** The contract that emitted the event. */
  readonly token: string;
  readonly txHash: string;
  readonly logIndex: number;
  readonly from: string;
  readonly to: string;
  /** Base units of the token. */
  readonly amount: bigint;
  readonly blockNumber: number;
  readonly blockHash: string;
}

/** A transfer and the time of its block, epoch ms. */
export interface Transfer extends TransferLog {
  readonly at: number;
}

/** What one node reports about a transaction. */
export type TransactionReport =
  | {
    readonly kind: "mined";
    readonly succeeded: boolean;
    readonly blockHash: string;
    /** Blocks after its own. Negative if a load-balanced node answers from different heights. */
    readonly confirmations: number;
    readonly transfers: readonly Transfer[];
  }
  /** Known, but not in a block yet. */
  | { readonly kind: "waiting" }
  | { readonly kind: "unknown" };

/** Outcome of a transaction. `final` and `failed` do not change any more. */
export type TransactionOutcome =
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
      },
    };
  });
}
