/** Looking through the chain for payments: those nobody claimed, and those whose block has left it. */
import type { PaymentsDeps } from "./deps.ts";
import { listTreasuryTransfers } from "./treasury_transfers.ts";
import {
  compareTransferLists,
  REQUIRED_CONFIRMATIONS,
  type TransferLog,
} from "./transfers.ts";
import type { RunContext } from "../platform/jobs/job_run.ts";
import { creditTransfer } from "./payments.ts";
import { jobCallOptions } from "../platform/cache/read_through.ts";

type ScanDeps = Pick<
  PaymentsDeps,
  "log" | "now" | "payment" | "store" | "upstream"
>;

type TransferNode = PaymentsDeps["upstream"]["transfers"][number];
type TransferFilter = Parameters<TransferNode["listTransfers"]>[0];

/** A payment that was credited from a block. */
type BlockPayment = Parameters<PaymentsDeps["store"]["payments"]["revoke"]>[0];

/** Blocks to look through, first and last included, for transfers to the treasury. */
export interface BlockRange {
  readonly treasury: string;
  readonly first: number;
  readonly last: number;
}

/** What came of looking through a stretch of blocks. */
export interface ScanResult {
  readonly credited: number;
  readonly revoked: number;
  /** The last block of the stretch up to which nothing is left to do. */
  readonly doneTo: number;
}

/** Reads the last block that is final for every node. */
export async function readFinalBlock(
  { upstream }: Pick<PaymentsDeps, "upstream">,
): Promise<number> {
  const heads = await Promise.all(
    upstream.transfers.map((node) => node.readHead(jobCallOptions())),
  );
  return Math.min(...heads) - REQUIRED_CONFIRMATIONS;
}

/**
 * Takes back what has left a stretch of blocks, and credits what is in it and
 * was not credited. What the nodes do not agree on waits.
 */
export async function scanBlocks(
  deps: ScanDeps,
  stretch: BlockRange,
  context: RunContext,
): Promise<ScanResult> {
  const { treasury, first, last } = stretch;
  const { agreed, disputedBlock } = await readTransfersTo(
    deps,
    stretch,
    context,
  );
  const held = await deps.store.payments.listByBlocks(first, last);
  const heldPlaces = new Set(held.map((paid) => paymentKey(paid.wallet, paid)));
  const places = new Set(agreed.map((moved) => paymentKey(moved.from, moved)));

  let revoked = 0;
  for (const paid of held) {
    if (places.has(paymentKey(paid.wallet, paid))) continue;
    if (!await isReorganised(deps, paid)) continue;
    if (!await deps.store.payments.revoke(paid, deps.now().getTime())) continue;
    const { txHash, wallet } = paid;
    deps.log("payment.revoked", { txHash, wallet });
    revoked++;
  }

  let credited = 0;
  let doneTo = disputedBlock === null ? last : disputedBlock - 1;
  // Anybody can have anybody transfer nothing: that must not cost a call each.
  const fresh = agreed.filter((moved) =>
    moved.amount > 0n && !heldPlaces.has(paymentKey(moved.from, moved))
  );
  for (const [height, moved] of Map.groupBy(fresh, (one) => one.blockNumber)) {
    const [node] = deps.upstream.transfers;
    const block = await context.proceed() &&
      await node!.findBlock(height, jobCallOptions());
    if (!block || moved.some(({ blockHash }) => blockHash !== block.hash)) {
      // Out of time, or reorganised since the transfers were listed.
      doneTo = Math.min(doneTo, height - 1);
      break;
    }
    const transfers = moved.map((one) => ({ ...one, at: block.at }));
    for (const arrival of listTreasuryTransfers(transfers, treasury)) {
      const quotes = await deps.store.quotes.list(
        arrival.wallet,
        deps.now().getTime(),
      );
      const options = { quotes, quote: null, requestId: null };
      if (await creditTransfer(deps, arrival, options)) credited++;
    }
  }
  return { credited, revoked, doneTo };
}

/** Lists the transfers to the treasury as all nodes have them. */
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

/** Parts in which a stretch is asked for that a node refuses as a whole. */
const PARTS = 10;

/** Lists transfers, part by part where they are too many for one answer. */
async function listTransfers(
  node: TransferNode,
  filter: TransferFilter,
  context: RunContext,
): Promise<TransferLog[]> {
  const { fromBlock, toBlock } = filter;
  try {
    return await node.listTransfers(filter, jobCallOptions());
  } catch (error) {
    // A node that is down refuses the smallest part too.
    if (fromBlock === toBlock || !await context.proceed()) throw error;
  }
  const blocks = Math.ceil((toBlock - fromBlock + 1) / PARTS);
  const found: TransferLog[] = [];
  for (let first = fromBlock; first <= toBlock; first += blocks) {
    const last = Math.min(first + blocks - 1, toBlock);
    const part = { ...filter, fromBlock: first, toBlock: last };
    found.push(...await listTransfers(node, part, context));
  }
  return found;
}

/** Returns whether every node has another block where a payment was: one that has none may be behind. */
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

/** Names what a wallet paid in a transaction in a block. */
function paymentKey(
  wallet: string,
  { txHash, blockHash }: { txHash: string; blockHash: string },
): string {
  return [wallet, txHash, blockHash].join("/");
}
