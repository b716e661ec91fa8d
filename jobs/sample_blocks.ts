/** Job: counts the blocks of some days by the C-Chain RPC. */
import {
  chooseDays,
  sampleDay,
} from "../services/chain_data/blocks/block_samples.ts";
import { recordDisputes } from "../services/chain_data/checks/disputes.ts";
import type { ChainDataDeps } from "../services/chain_data/deps.ts";
import { Fault } from "../services/platform/fault.ts";
import type { RunContext } from "../services/platform/jobs/job_run.ts";
import { jobCallOptions } from "../services/platform/cache/read_through.ts";

/** Consecutive failures after which the run stops. */
const MAX_FAILURES = 3;

/**
 * Samples new days, one random older day and disputed days. If a day fails, the run
 * continues with the others and fails at its end. Several in a row stop it: the node
 * is down.
 */
export async function sampleBlocks(
  deps: ChainDataDeps,
  { proceed }: RunContext,
): Promise<string> {
  const days = await chooseDays(deps, Math.random);
  let sampled = 0;
  let failedInRow = 0;
  let fault: Fault | null = null;
  for (const day of days) {
    if (failedInRow === MAX_FAILURES || !await proceed()) break;
    try {
      if (await sampleDay(deps, day, jobCallOptions())) sampled++;
      failedInRow = 0;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      fault ??= error;
      failedInRow++;
    }
  }
  await recordDisputes(deps);
  if (fault) throw fault;
  return `${sampled} of ${days.length} days sampled`;
}
