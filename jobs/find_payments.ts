/** Job that credits unclaimed payments and revokes payments whose block left the chain. */
import {
  creditTransfer,
  type PaymentsDeps,
} from "../services/payments/payments.ts";
import type { RunContext } from "../services/platform/jobs/job_run.ts";
import {
  isDue,
  MAX_DISPUTED,
  type ScannedRange,
  type ScanProgress,
  withCheckpoint,
  withRange,
} from "../services/payments/scan_progress.ts";
import {
  compareTransferLists,
  listTreasuryTransfers,
  REQUIRED_CONFIRMATIONS,
} from "../services/payments/transfers.ts";
import { Fault } from "../services/platform/fault.ts";
import {
  jobCallOptions,
  PAYMENTS,
} from "../services/platform/rate_limit/call_budget.ts";
import { minOf } from "../services/platform/numbers.ts";

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

/** Blocks per range. Public nodes list at most 2,048 at a time. */
const BLOCKS_PER_RANGE = 2_000;

/** Maximum number of ranges per run: more than a day of blocks. */
const MAX_RANGES = 50;

/** Blocks that are scanned again if none of them is known to be the same. */
const RESCANNED_BLOCKS = 1_000;

/** Age in blocks at which each is listed once more: a node behind others may have left a transfer out. */
const SECOND_LOOK = 100;

/**
 * Scans the final blocks since the last run and those that were replaced, and again
 * the disputed ones, those that could not be listed, and each once when it is older.
 * Throws a fault if a node lists nothing.
 */
export async function findPayments(
  deps: PaymentsDeps,
  context: RunContext,
): Promise<string> {
  const { token, treasury } = deps.payment;
  if (treasury === null) return "no treasury is set";
  const { payments } = deps.store;
  const final = await readFinalBlock(deps);
  await payments.watchFrom({ token, treasury }, final + 1);
  const stored = await payments.findScanned();
  let progress: ScanProgress = stored ??
    { block: final, disputed: [], unlisted: [], checkpoints: [] };
  if (stored === null) await payments.putScanned(progress);
  const run = newScanRun(context);
  const startedAt = deps.now().getTime();
  const scan = async (first: number, last: number) => {
    for await (const part of scanBlocks(deps, { treasury, first, last }, run)) {
      progress = withRange(progress, part, deps.now().getTime());
      // Nothing is set aside while the node may be down.
      if (run.scanned > 0) await payments.putScanned(progress);
    }
  };
  const { block: before, checkpoints } = progress;
  const known = await findKnown(deps, { checkpoints, final }, run);
  const start = known === null
    ? Math.max(0, before + 1 - RESCANNED_BLOCKS)
    : known + 1;
  progress = {
    ...progress,
    checkpoints: checkpoints.filter(({ block }) =>
      block < start || block > final
    ),
  };
  let first = start;
  for (let ranges = 0; ranges < MAX_RANGES; ranges++) {
    if (first > final || !await context.proceed()) break;
    const last = Math.min(first + BLOCKS_PER_RANGE - 1, final);
    // Before the listing: if the block is replaced meanwhile, the next run notices.
    const hash = await findHash(deps, last, run);
    // Payments after an unfinished block are credited now and scanned again later.
    await scan(first, last);
    if (hash !== null) {
      progress = withCheckpoint(progress, { block: last, hash });
      if (run.scanned > 0) await payments.putScanned(progress);
    }
    first = last + 1;
  }
  // Last, so that old blocks do not hold up new payments.
  const end = Math.min(start - 1, final);
  const look = Math.max(0, before + 1 - SECOND_LOOK);
  const lookTo = Math.min(progress.block - SECOND_LOOK, before, end);
  if (look <= lookTo && await context.proceed()) await scan(look, lookTo);
  let listed = -1;
  for (const { block } of progress.disputed) {
    if (block <= listed) continue;
    if (block > end || !await context.proceed()) break;
    const most = Math.min(block + BLOCKS_PER_RANGE - 1, end);
    listed = progress.disputed.findLast((one) => one.block <= most)!.block;
    await scan(block, listed);
  }
  for (const range of progress.unlisted) {
    if (range.last > end || !isDue(range, startedAt)) continue;
    if (!await context.proceed()) break;
    await scan(range.first, range.last);
  }
  if (run.scanned === 0 && run.refusal !== null) throw run.refusal;
  for (const { first, last, triedAt } of progress.unlisted) {
    if (triedAt < startedAt) continue;
    deps.log("payment.unlisted", { first, last, error: run.refusal });
  }
  const waiting = progress.block < first - 1 ? ", later payments wait" : "";
  return `${run.credited} payments credited, ${run.revoked} revoked, ` +
    `scanned to block ${progress.block}` +
    describeDisputed(progress.disputed) +
    describeUnlisted(progress.unlisted) + waiting;
}

/** Finds the newest checkpoint that all nodes still have; null if none of some. */
async function findKnown(
  deps: PaymentsDeps,
  { checkpoints, final }: {
    readonly checkpoints: ScanProgress["checkpoints"];
    readonly final: number;
  },
  run: ReturnType<typeof newScanRun>,
): Promise<number | null> {
  const reached = checkpoints.filter(({ block }) => block <= final);
  for (let back = 1; back <= reached.length; back *= 2) {
    const { block, hash } = reached.at(-back)!;
    if (await findHash(deps, block, run) === hash) return block;
  }
  return null;
}

/** Returns how many blocks are disputed, and since when. */
function describeDisputed(disputed: ScanProgress["disputed"]): string {
  const { length } = disputed;
  if (length === 0) return "";
  const most = length === MAX_DISPUTED ? ", as many as are kept" : "";
  return `, ${length} blocks disputed since ${oldest(disputed)}${most}`;
}

/** Returns which blocks could not be listed, and since when. */
function describeUnlisted(unlisted: ScanProgress["unlisted"]): string {
  const [range] = unlisted;
  if (range === undefined) return "";
  const more = unlisted.length === 1
    ? ""
    : ` and ${unlisted.length - 1} other ranges`;
  return `, blocks ${range.first} to ${range.last}${more} not listed since ` +
    oldest(unlisted);
}

/** Returns the first instant when something was found. */
function oldest(found: readonly { readonly foundAt: number }[]): string {
  const first = found.reduce((a, b) => a.foundAt < b.foundAt ? a : b);
  return new Date(first.foundAt).toISOString();
}

/** Reads the height of the last block that is final on every node. */
async function readFinalBlock(
  { upstream }: Pick<PaymentsDeps, "upstream">,
): Promise<number> {
  const heads = await Promise.all(
    upstream.transfers.map((node) => node.readHead(jobCallOptions(PAYMENTS))),
  );
  // Bounded by the nodes that are set.
  return minOf(heads) - REQUIRED_CONFIRMATIONS;
}

/** Finds the hash of a block that every node has; null if one has another or does not say. */
async function findHash(
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
