/** Job: refreshes the list of tracked chains. */
import { refreshChains } from "../services/chain_data/catalogue/chains.ts";
import type { ChainDataDeps } from "../services/chain_data/overview/deps.ts";
import { jobCallOptions } from "../services/platform/cache/read_through.ts";

/** Fetches the chain list and replaces the stored one. */
export async function refreshChainList(deps: ChainDataDeps): Promise<string> {
  const { chains } = await refreshChains(deps, jobCallOptions());
  return `${chains.length} chains`;
}
