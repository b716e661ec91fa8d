/** Job: counts the blocks of some days by the C-Chain RPC. */
import {
  chooseDays,
  sampleDay,
} from "../services/chain_data/blocks/block_samples.ts";
import { recordDisputes } from "../services/chain_data/checks/disputes.ts";
import type { ChainDataDeps } from "../services/chain_data/deps.ts";
import type { RunContext } from "../services/platform/jobs/job_run.ts";
import { jobCallOptions } from "../services/platform/cache/read_through.ts";

/** Samples new days, one random older day and disputed days. */
export async function sampleBlocks(
  deps: ChainDataDeps,
  { proceed }: RunContext,
): Promise<string> {
  const days = await chooseDays(deps, Math.random);
  let sampled = 0;
  for (const day of days) {
    if (!await proceed()) break;
    if (await sampleDay(deps, day, jobCallOptions())) sampled++;
  }
  await recordDisputes(deps);
  return `${sampled} of ${days.length} days sampled`;
}
