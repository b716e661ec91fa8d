/** Job that credits unclaimed payments and revokes payments whose block left the chain. */
import type { PaymentsDeps } from "../services/payments/deps.ts";
import type { RunContext } from "../services/platform/jobs/job_run.ts";
import {
  readFinalBlock,
  scanBlocks,
} from "../services/payments/payment_scan.ts";

/** Blocks per range. Public nodes list at most 2,048 at a time. */
const BLOCKS_PER_RANGE = 2_000;

/** Maximum number of ranges per run: more than a day of blocks. */
const MAX_RANGES = 50;

/** Blocks that each run scans again, because a reorganisation may have replaced them. */
const RESCANNED_BLOCKS = 1_000;

/** Scans the final blocks since the last run, and some earlier ones again. */
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
  if (stored === null) await payments.putScanned(final);
  let scanned = stored ?? final;
  let first = Math.max(0, scanned + 1 - RESCANNED_BLOCKS);
  let isWhole = true;
  let [credited, revoked] = [0, 0];
  for (let ranges = 0; ranges < MAX_RANGES; ranges++) {
    if (first > final || !await context.proceed()) break;
    const last = Math.min(first + BLOCKS_PER_RANGE - 1, final);
    const found = await scanBlocks(deps, { treasury, first, last }, context);
    credited += found.credited;
    revoked += found.revoked;
    // Payments after an unfinished block are credited now and scanned again later.
    if (isWhole && found.doneTo > scanned) {
      scanned = found.doneTo;
      await payments.putScanned(scanned);
    }
    isWhole &&= found.doneTo === last;
    first = last + 1;
  }
  const waiting = isWhole ? "" : ", later payments wait";
  return `${credited} payments credited, ${revoked} revoked, ` +
    `scanned to block ${scanned}${waiting}`;
}
