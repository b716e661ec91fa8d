/** Job that credits unclaimed payments and revokes payments whose block left the chain. */
import type { PaymentsDeps } from "../services/payments/deps.ts";
import type { RunContext } from "../services/platform/jobs/job_run.ts";
import {
  readFinalBlock,
  scanBlocks,
} from "../services/payments/payment_scan.ts";
import {
  MAX_DISPUTED,
  type ScanProgress,
  withRange,
} from "../services/payments/scan_progress.ts";

/** Blocks per range. Public nodes list at most 2,048 at a time. */
const BLOCKS_PER_RANGE = 2_000;

/** Maximum number of ranges per run: more than a day of blocks. */
const MAX_RANGES = 50;

/** Blocks that each run scans again, because a reorganisation may have replaced them. */
const RESCANNED_BLOCKS = 1_000;

/** Scans the final blocks since the last run, and some earlier ones and the disputed ones again. */
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
  let progress: ScanProgress = stored ?? { block: final, disputed: [] };
  if (stored === null) await payments.putScanned(progress);
  let [credited, revoked] = [0, 0];
  const scan = async (first: number, last: number) => {
    const found = await scanBlocks(deps, { treasury, first, last }, context);
    credited += found.credited;
    revoked += found.revoked;
    progress = withRange(progress, found, deps.now().getTime());
    await payments.putScanned(progress);
  };
  const start = Math.max(0, progress.block + 1 - RESCANNED_BLOCKS);
  let first = start;
  for (let ranges = 0; ranges < MAX_RANGES; ranges++) {
    if (first > final || !await context.proceed()) break;
    const last = Math.min(first + BLOCKS_PER_RANGE - 1, final);
    // Payments after an unfinished block are credited now and scanned again later.
    await scan(first, last);
    first = last + 1;
  }
  // Last, so that a node that no longer lists an old block does not stop new payments.
  const end = Math.min(start - 1, final);
  let listed = -1;
  for (const { block } of progress.disputed) {
    if (block <= listed) continue;
    if (block > end || !await context.proceed()) break;
    listed = Math.min(block + BLOCKS_PER_RANGE - 1, end);
    await scan(block, listed);
  }
  const waiting = progress.block < first - 1 ? ", later payments wait" : "";
  return `${credited} payments credited, ${revoked} revoked, ` +
    `scanned to block ${progress.block}` +
    describeDisputed(progress.disputed) + waiting;
}

/** Returns how many blocks are disputed, and since when. */
function describeDisputed(disputed: ScanProgress["disputed"]): string {
  const { length } = disputed;
  if (length === 0) return "";
  const since = Math.min(...disputed.map(({ foundAt }) => foundAt));
  const most = length === MAX_DISPUTED ? ", as many as are kept" : "";
  return `, ${length} blocks disputed since ${
    new Date(since).toISOString()
  }${most}`;
}
