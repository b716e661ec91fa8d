/** Job: records the validator set of the Primary Network once per day. */
import { recordDisputes } from "../services/chain_data/checks/disputes.ts";
import type { ChainDataDeps } from "../services/chain_data/deps.ts";
import { jobCallOptions } from "../services/platform/cache/read_through.ts";
import { takeSnapshot } from "../services/chain_data/validators/validator_snapshots.ts";

/** Takes the snapshot of today if there is none. */
export async function snapshotValidators(deps: ChainDataDeps): Promise<string> {
  const taken = await takeSnapshot(deps, jobCallOptions());
  await recordDisputes(deps);
  return taken ? "snapshot taken" : "today has its snapshot";
}
