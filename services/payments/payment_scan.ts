/** Scan of the chain: credits unclaimed payments, and revokes payments whose block left the chain. */
import type { PaymentsDeps } from "./deps.ts";
import {
  compareTransferLists,
  listTreasuryTransfers,
  REQUIRED_CONFIRMATIONS,
} from "./transfers.ts";
import type { ScannedRange } from "./scan_progress.ts";
import { Fault } from "../platform/fault.ts";
import type { RunContext } from "../platform/jobs/job_run.ts";
import { creditTransfer } from "./payments.ts";
import { PAYMENTS } from "../platform/rate_limit/requesters.ts";
import { jobCallOptions } from "../platform/cache/read_through.ts";
import { minOf } from "../platform/extremes.ts";

type ScanDeps = Pick<
  PaymentsDeps,
  "findSlug" | "log" | "now" | "payment" | "store" | "upstream"
>;

/** A credited payment and its block. */
type BlockPayment = Parameters<PaymentsDeps["store"]["payments"]["revoke"]>[0];

/** A block range, both ends included, to scan for transfers to the treasury. */
interface BlockRange {
  readonly treasury: string;
  readonly first: number;
  readonly last: number;
}

/** A run of the scan, and what it has done so far. */
interface ScanRun {
  readonly context: RunContext;
  credited: number;
  revoked: number;
  /** Parts that were scanned. */
  scanned: number;
  /** How often a part could not be listed. */
  refused: number;
  /** Why the last of them could not be listed. */
  refusal: Fault | null;
}

/** Starts a run of the scan. */
export function newScanRun(context: RunContext): ScanRun {
  const counts = { credited: 0, revoked: 0, scanned: 0, refused: 0 };
  return { context, ...counts, refusal: null };
}

/** Number of parts that a block range is split into when a node refuses it whole. */
const PARTS = 10;

/** Maximum number of refusals per run that split a range: each may last as long as a call may. */
const MAX_SPLITS = 100;

/** The same while nothing was listed: the node may be down. */
const MAX_FIRST_SPLITS = 10;

/** Reads the height of the last block that is final on every node. */
export async function readFinalBlock(
  { upstream }: Pick<PaymentsDeps, "upstream">,
): Promise<number> {
  const heads = await Promise.all(
    upstream.transfers.map((node) => node.readHead(jobCallOptions(PAYMENTS))),
  );
  // Bounded by the nodes that are set.
  return minOf(heads) - REQUIRED_CONFIRMATIONS;
}

/** Finds the hash of a block that every node has; null if one has another or does not say. */
export async function findHash(
  { upstream }: Pick<PaymentsDeps, "upstream">,
  height: number,
  run: ScanRun,
): Promise<string | null> {
  const [first, ...others] = await nullIfDown(
    run,
    Promise.all(
      upstream.transfers.map((node) =>
        node.findBlock(height, jobCallOptions())
      ),
    ),
  ) ?? [];
  const isSame = others.every((block) => block?.hash === first?.hash);
  return isSame ? first?.hash ?? null : null;
}

/**
 * Scans a block range: revokes payments that are no longer in it, and credits
 * payments that are not credited yet. Yields each part when it is done, so that its
 * progress can be stored: strangers choose how much there is to list. A part that a
 * node refuses is split, and what is not split is set aside and yielded as unlisted.
 */
export async function* scanBlocks(
  deps: ScanDeps,
  range: BlockRange,
  run: ScanRun,
): AsyncGenerator<ScannedRange> {
  const { first, last } = range;
  const scanned = await nullIfDown(run, scanPart(deps, range, run));
  if (scanned !== null) {
    run.scanned++;
    yield scanned;
    return;
  }
  run.refused++;
  const most = run.scanned === 0 ? MAX_FIRST_SPLITS : MAX_SPLITS;
  if (first === last || run.refused > most) {
    yield await setAside(deps, range, run);
    return;
  }
  const blocks = Math.ceil((last - first + 1) / PARTS);
  for (let from = first; from <= last; from += blocks) {
    if (!await run.context.proceed()) return;
    const to = Math.min(from + blocks - 1, last);
    yield* scanBlocks(deps, { ...range, first: from, last: to }, run);
  }
}

/** Returns null, and keeps the fault, if a node does not answer. */
async function nullIfDown<T>(
  run: ScanRun,
  call: Promise<T>,
): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    const isDown = error instanceof Fault &&
      error.failure.kind === "upstreamDown";
    if (!isDown) throw error;
    run.refusal = error;
    return null;
  }
}

/**
 * Scans a part that the nodes list in one answer each. Transfers that the nodes
 * disagree on stay for a later scan.
 */
async function scanPart(
  deps: ScanDeps,
  range: BlockRange,
  run: ScanRun,
): Promise<ScannedRange> {
  const { treasury, first, last } = range;
  const { agreed, disputedBlocks } = await readTransfersTo(deps, range);
  const held = await deps.store.payments.listByBlocks(first, last);
  const heldPlaces = new Set(held.map((paid) => paymentKey(paid.wallet, paid)));
  const places = new Set(agreed.map((moved) => paymentKey(moved.from, moved)));
  const missing = held.filter((paid) =>
    !places.has(paymentKey(paid.wallet, paid))
  );
  const part = { first, disputedBlocks, unlisted: [] };
  if (!await revokeGone(deps, missing, run)) {
    return { ...part, doneTo: first - 1 };
  }
  const fresh = agreed.filter((moved) =>
    !heldPlaces.has(paymentKey(moved.from, moved))
  );
  for (const [height, moved] of Map.groupBy(fresh, (one) => one.blockNumber)) {
    const [node] = deps.upstream.transfers;
    const block = await run.context.proceed() &&
      await node!.findBlock(height, jobCallOptions(PAYMENTS));
    if (!block || moved.some(({ blockHash }) => blockHash !== block.hash)) {
      // The run is out of time, or the block was replaced since the listing.
      return { ...part, doneTo: height - 1 };
    }
    const transfers = moved.map((one) => ({ ...one, at: block.at }));
    for (const transfer of listTreasuryTransfers(transfers, treasury)) {
      const quotes = await deps.store.quotes.list(
        transfer.wallet,
        deps.now().getTime(),
      );
      const options = { quotes, quote: null, requestId: null };
      const { kind } = await creditTransfer(deps, transfer, options);
      if (kind === "credited") run.credited++;
    }
  }
  return { ...part, doneTo: last };
}

/** Sets a part aside that can't be listed. Its payments are still revoked if their block left the chain. */
async function setAside(
  deps: ScanDeps,
  { first, last }: BlockRange,
  run: ScanRun,
): Promise<ScannedRange> {
  const part = { first, disputedBlocks: [], unlisted: [{ first, last }] };
  const held = await deps.store.payments.listByBlocks(first, last);
  const isDone = await nullIfDown(run, revokeGone(deps, held, run));
  return { ...part, doneTo: isDone === false ? first - 1 : last };
}

/** Revokes the payments whose block left the chain. False if the run is out of time. */
async function revokeGone(
  deps: ScanDeps,
  payments: readonly BlockPayment[],
  run: ScanRun,
): Promise<boolean> {
  for (const paid of payments) {
    if (!await run.context.proceed()) return false;
    if (!await isReorganised(deps, paid)) continue;
    if (!await deps.store.payments.revoke(paid, deps.now().getTime())) continue;
    const { txHash, wallet } = paid;
    deps.log("payment.revoked", { txHash, wallet });
    run.revoked++;
  }
  return true;
}

/** Lists the transfers to the treasury that all nodes agree on. */
async function readTransfersTo(
  { payment, upstream }: ScanDeps,
  { treasury, first, last }: BlockRange,
): Promise<ReturnType<typeof compareTransferLists>> {
  const filter = {
    token: payment.token,
    to: treasury,
    fromBlock: first,
    toBlock: last,
  };
  const lists = await Promise.all(
    upstream.transfers.map((node) =>
      node.listTransfers(filter, jobCallOptions(PAYMENTS))
    ),
  );
  return compareTransferLists(lists);
}

/** Returns whether every node has a different block at the payment's height. A node without one may be behind. */
async function isReorganised(
  { upstream }: ScanDeps,
  { blockNumber, blockHash }: BlockPayment,
): Promise<boolean> {
  const blocks = await Promise.all(
    upstream.transfers.map((node) =>
      node.findBlock(blockNumber, jobCallOptions(PAYMENTS))
    ),
  );
  return blocks.every((block) => block !== null && block.hash !== blockHash);
}

/** Returns the identity of a payment: wallet, transaction and block. */
function paymentKey(
  wallet: string,
  { txHash, blockHash }: { txHash: string; blockHash: string },
): string {
  return [wallet, txHash, blockHash].join("/");
}
