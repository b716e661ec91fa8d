/** The job that reads which chains are tracked. */
import { refreshChains } from "../services/chain_data/chains.ts";
import type { ChainDataDeps } from "../services/chain_data/deps.ts";
import { jobCallOptions } from "../services/platform/cache/read_through.ts";

/** Reads the chain list and replaces the stored one. */
export async function refreshChainList(deps: ChainDataDeps): Promise<string> {
  const { chains } = await refreshChains(deps, jobCallOptions());
  return `${chains.length} chains`;
}
