/** Scan of the chain: credits unclaimed payments, and revokes payments whose block left the chain. */
import type { PaymentsDeps } from "./deps.ts";
import { listTreasuryTransfers } from "./treasury_transfers.ts";
import {
  compareTransferLists,
  REQUIRED_CONFIRMATIONS,
  type TransferLog,
} from "./transfers.ts";
import type { ScannedRange } from "./scan_progress.ts";
import type { RunContext } from "../platform/jobs/job_run.ts";
import { creditTransfer } from "./payments.ts";
import { jobCallOptions } from "../platform/cache/read_through.ts";

type ScanDeps = Pick<
  PaymentsDeps,
  "findSlug" | "log" | "now" | "payment" | "store" | "upstream"
>;

type TransferNode = PaymentsDeps["upstream"]["transfers"][number];
type TransferFilter = Parameters<TransferNode["listTransfers"]>[0];

/** A credited payment and its block. */
type BlockPayment = Parameters<PaymentsDeps["store"]["payments"]["revoke"]>[0];

/** A block range, both ends included, to scan for transfers to the treasury. */
interface BlockRange {
  readonly treasury: string;
  readonly first: number;
  readonly last: number;
}

/** Result of scanning a block range. */
interface ScanResult extends ScannedRange {
  readonly credited: number;
  readonly revoked: number;
}

/** Reads the height of the last block that is final on every node. */
export async function readFinalBlock(
  { upstream }: Pick<PaymentsDeps, "upstream">,
): Promise<number> {
  const heads = await Promise.all(
    upstream.transfers.map((node) => node.readHead(jobCallOptions())),
  );
  return Math.min(...heads) - REQUIRED_CONFIRMATIONS;
}

/**
 * Scans a block range: revokes payments that are no longer in it, and credits
 * payments that are not credited yet. Transfers that the nodes disagree on stay
 * for a later scan.
 */
export async function scanBlocks(
  deps: ScanDeps,
  range: BlockRange,
  context: RunContext,
): Promise<ScanResult> {
  const { treasury, first, last } = range;
  const { agreed, disputedBlocks } = await readTransfersTo(
    deps,
    range,
    context,
  );
  const held = await deps.store.payments.listByBlocks(first, last);
  const heldPlaces = new Set(held.map((paid) => paymentKey(paid.wallet, paid)));
  const places = new Set(agreed.map((moved) => paymentKey(moved.from, moved)));

  let revoked = 0;
  for (const paid of held) {
    if (places.has(paymentKey(paid.wallet, paid))) continue;
    if (!await context.proceed()) {
      return { credited: 0, revoked, first, doneTo: first - 1, disputedBlocks };
    }
    if (!await isReorganised(deps, paid)) continue;
    if (!await deps.store.payments.revoke(paid, deps.now().getTime())) continue;
    const { txHash, wallet } = paid;
    deps.log("payment.revoked", { txHash, wallet });
    revoked++;
  }

  let credited = 0;
  let doneTo = last;
  // Anybody can create zero-value transfers: they must not cost a call each.
  const fresh = agreed.filter((moved) =>
    moved.amount > 0n && !heldPlaces.has(paymentKey(moved.from, moved))
  );
  for (const [height, moved] of Map.groupBy(fresh, (one) => one.blockNumber)) {
    const [node] = deps.upstream.transfers;
    const block = await context.proceed() &&
      await node!.findBlock(height, jobCallOptions());
    if (!block || moved.some(({ blockHash }) => blockHash !== block.hash)) {
      // The run is out of time, or the block was replaced since the listing.
      doneTo = height - 1;
      break;
    }
    const transfers = moved.map((one) => ({ ...one, at: block.at }));
    for (const transfer of listTreasuryTransfers(transfers, treasury)) {
      const quotes = await deps.store.quotes.list(
        transfer.wallet,
        deps.now().getTime(),
      );
      const options = { quotes, quote: null, requestId: null };
      const { kind } = await creditTransfer(deps, transfer, options);
      if (kind === "credited") credited++;
    }
  }
  return { credited, revoked, first, doneTo, disputedBlocks };
}

/** Lists the transfers to the treasury that all nodes agree on. */
async function readTransfersTo(
  { payment, upstream }: ScanDeps,
  { treasury, first, last }: BlockRange,
  context: RunContext,
) {
  const filter = {
    token: payment.token,
    to: treasury,
    fromBlock: first,
    toBlock: last,
  };
  return compareTransferLists(
    await Promise.all(
      upstream.transfers.map((node) => listTransfers(node, filter, context)),
    ),
  );
}

/** Number of parts a block range is split into when a node refuses it whole. */
const PARTS = 10;

/** Lists transfers. Splits the range if there are too many for one response. */
async function listTransfers(
  node: TransferNode,
  filter: TransferFilter,
  context: RunContext,
): Promise<TransferLog[]> {
  const { fromBlock, toBlock } = filter;
  let refusal: unknown;
  try {
    return await node.listTransfers(filter, jobCallOptions());
  } catch (error) {
    // A single block that fails means that the node is down.
    if (fromBlock === toBlock) throw error;
    refusal = error;
  }
  const blocks = Math.ceil((toBlock - fromBlock + 1) / PARTS);
  const found: TransferLog[] = [];
  for (let first = fromBlock; first <= toBlock; first += blocks) {
    if (!await context.proceed()) throw refusal;
    const last = Math.min(first + blocks - 1, toBlock);
    const part = { ...filter, fromBlock: first, toBlock: last };
    found.push(...await listTransfers(node, part, context));
  }
  return found;
}

/** Returns whether every node has a different block at the payment's height. A node without one may be behind. */
async function isReorganised(
  { upstream }: ScanDeps,
  { blockNumber, blockHash }: BlockPayment,
): Promise<boolean> {
  const blocks = await Promise.all(
    upstream.transfers.map((node) =>
      node.findBlock(blockNumber, jobCallOptions())
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
