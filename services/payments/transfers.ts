/** Transfers of tokens as nodes tell of them, and what several nodes agree on. */

/** A Transfer event (ERC-20) in a block; addresses and hashes are lower-case. */
export interface TransferLog {
  /** The contract that wrote the event. */
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

/** A transfer with the time of its block, epoch ms. */
export interface Transfer extends TransferLog {
  readonly at: number;
}

/** What one node says of a transaction. */
export type TransactionReport =
  | {
    readonly kind: "mined";
    readonly succeeded: boolean;
    readonly blockHash: string;
    /** Blocks on top of its own; below 0 where the node answers from several places. */
    readonly confirmations: number;
    readonly transfers: readonly Transfer[];
  }
  /** Known, and in no block yet. */
  | { readonly kind: "waiting" }
  | { readonly kind: "unknown" };

/** What became of a transaction; only `final` and `failed` stay as they are. */
export type TransactionOutcome =
  | { readonly kind: "final"; readonly transfers: readonly Transfer[] }
  /** In a block, and reverted: it moved nothing. */
  | { readonly kind: "failed" }
  /** Waiting for blocks, in no block yet, or the nodes do not agree yet. */
  | {
    readonly kind: "pending";
    readonly confirmations: number;
    readonly required: number;
  }
  /** No node has ever heard of it. */
  | { readonly kind: "missing" };

/** Blocks on top of a transaction's own before it counts. */
export const REQUIRED_CONFIRMATIONS = 2;

/** Concludes what became of a transaction from what each node says; one that differs keeps it pending. */
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
  const confirmations = Math.min(...mined.map((one) => one.confirmations));
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

/** The transfers that all nodes list, and the first block in which they differ; null where none does. */
export interface Agreement {
  readonly agreed: readonly TransferLog[];
  readonly disputedBlock: number | null;
}

/** Compares what each node lists; of a transaction that is in dispute, nothing is agreed. */
export function compareTransferLists(
  lists: readonly (readonly TransferLog[])[],
): Agreement {
  const known = lists.map((list) => new Set(list.map(transferKey)));
  const disputed = lists.flat().filter((transfer) =>
    !known.every((names) => names.has(transferKey(transfer)))
  );
  const hashes = new Set(disputed.map(({ txHash }) => txHash));
  const [first = []] = lists;
  return {
    agreed: first.filter(({ txHash }) => !hashes.has(txHash)),
    disputedBlock: disputed.length === 0
      ? null
      : Math.min(...disputed.map(({ blockNumber }) => blockNumber)),
  };
}

/** Returns a text that two transfers share where they are the same in every respect. */
function transferKey(transfer: TransferLog): string {
  const { token, txHash, logIndex, from, to, amount, blockHash } = transfer;
  return [token, txHash, logIndex, from, to, amount, blockHash].join("/");
}
