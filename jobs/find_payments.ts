/** Job that credits unclaimed payments and revokes payments whose block left the chain. */
import type { PaymentsDeps } from "../services/payments/deps.ts";
import type { RunContext } from "../services/platform/jobs/job_run.ts";
import {
  findHash,
  newScanRun,
  readFinalBlock,
  scanBlocks,
} from "../services/payments/payment_scan.ts";
import {
  isDue,
  MAX_DISPUTED,
  type ScanProgress,
  withCheckpoint,
  withRange,
} from "../services/payments/scan_progress.ts";

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
