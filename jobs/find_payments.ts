/** The job that finds the payments nobody claimed, and takes back what left the chain. */
import type { PaymentsDeps } from "../services/payments/deps.ts";
import type { RunContext } from "../services/platform/jobs/job_run.ts";
import {
  readFinalBlock,
  scanBlocks,
} from "../services/payments/payment_scan.ts";

/** Blocks of one stretch: the public nodes list no more than 2,048 at a time. */
const BLOCKS_PER_RANGE = 2_000;

/** Stretches of one run: more than a day's blocks. */
const MOST_RANGES = 50;

/** Blocks that each run looks through again: what was credited from them may have left the chain. */
const RESCANNED_BLOCKS = 1_000;

/** Looks through the final blocks since the last run, and through some before them again. */
export async function findPayments(
  deps: PaymentsDeps,
  context: RunContext,
): Promise<string> {
  const { treasury } = deps.payment;
  if (treasury === null) return "no treasury is set";
  const { payments } = deps.store;
  const final = await readFinalBlock(deps);
  const stored = await payments.findScanned();
  if (stored === null) await payments.putScanned(final);
  let scanned = stored ?? final;
  let first = Math.max(0, scanned + 1 - RESCANNED_BLOCKS);
  let isWhole = true;
  let [credited, revoked] = [0, 0];
  for (let stretches = 0; stretches < MOST_RANGES; stretches++) {
    if (first > final || !await context.proceed()) break;
    const last = Math.min(first + BLOCKS_PER_RANGE - 1, final);
    const found = await scanBlocks(deps, { treasury, first, last }, context);
    credited += found.credited;
    revoked += found.revoked;
    // Beyond a block that has to wait, payments are credited and come up again.
    if (isWhole && found.doneTo > scanned) {
      scanned = found.doneTo;
      await payments.putScanned(scanned);
    }
    isWhole &&= found.doneTo === last;
    first = last + 1;
  }
  const waiting = isWhole ? "" : ", payments wait behind it";
  return `${credited} payments credited, ${revoked} taken back, ` +
    `looked through to block ${scanned}${waiting}`;
}
