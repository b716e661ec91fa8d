/** Reads the list of tracked chains. */
import type { Chain, ChainsAnswer } from "./chains_schema.ts";
import type { CacheableAnswer } from "../../platform/cache/freshness.ts";
import type { ChainList, MissingChain } from "./chains_store.ts";
import { isCertain } from "../series/withdrawals.ts";
import type { ChainDataDeps } from "../deps.ts";
import type { CallOptions } from "../../platform/rate_limit/call_budget.ts";
import { Fault, upstreamDown } from "../../platform/fault.ts";
import { ofUpstream } from "../../platform/http/source_names.ts";
import {
  type FreshnessOptions,
  readerCallOptions,
  readThrough,
} from "../../platform/cache/read_through.ts";
import { C_CHAIN } from "./metrics_schema.ts";

/** Upper limit of chains, so that one KV transaction and one `list` call hold them all. */
const MAX_CHAINS = 900;

type ChainDeps = Pick<ChainDataDeps, "now" | "share" | "store" | "upstream">;

/**
 * Fetches the chain list and replaces the stored one. A chain that the upstream no
 * longer lists leaves after several lists without it: one list may have been cut short.
 */
export async function refreshChains(
  { now, store, upstream }: Pick<ChainDataDeps, "now" | "store" | "upstream">,
  options: CallOptions,
): Promise<ChainList> {
  const { metrics } = upstream;
  const fetchedAt = now().getTime();
  const { body, source } = await metrics.listChains(options);
  const listed: Chain[] = body
    .map(({ chainId, chainName, ...ids }) => ({
      chainId,
      chainName: chainNameOf(chainId, chainName),
      token: TOKENS[chainId] ?? null,
      ...ids,
    }));
  const stored = ofUpstream(metrics, await store.chains.find());
  const { kept, missing } = keepMissing(stored, listed, fetchedAt);
  const chains = [...listed, ...kept].sort((a, b) => a.chainId - b.chainId);
  if (chains.length > MAX_CHAINS) {
    const { host } = new URL(metrics.baseUrl);
    throw upstreamDown(host, `it lists more than ${MAX_CHAINS} chains`);
  }
  const same = JSON.stringify(stored?.chains) === JSON.stringify(chains);
  const next: ChainList = {
    chains,
    ...missing.length === 0 ? {} : { missing },
    fetchedAt,
    changedAt: same ? stored!.changedAt : fetchedAt,
    origin: metrics.baseUrl,
    source,
  };
  await store.chains.replace(next);
  return next;
}

/** Returns the stored chains that a list lacks and that have not been missing for long. */
function keepMissing(
  stored: ChainList | null,
  listed: readonly Chain[],
  readAt: number,
): { readonly kept: readonly Chain[]; readonly missing: MissingChain[] } {
  const ids = new Set(listed.map(({ chainId }) => chainId));
  const before = new Map(
    stored?.missing?.map((chain) => [chain.chainId, chain]),
  );
  const missing: MissingChain[] = [];
  const kept = (stored?.chains ?? []).filter(({ chainId }) => {
    if (ids.has(chainId)) return false;
    const { foundAt = readAt, reads = 0 } = before.get(chainId) ?? {};
    const found = { chainId, foundAt, reads: reads + 1 };
    if (isCertain(found, readAt)) return false;
    missing.push(found);
    return true;
  });
  return { kept, missing };
}

/** Reads the chain list. It is fetched if the stored list is not fresh. */
export function readChainList(
  deps: ChainDeps,
  freshness: FreshnessOptions,
): Promise<ChainList> {
  return readThrough(deps, "chains", {
    find: () => findList(deps),
    refresh: () => refreshChains(deps, readerCallOptions()),
  }, freshness);
}

/** Reads the answer of `GET /chains`. */
export async function readChains(
  deps: ChainDeps,
  freshness: FreshnessOptions,
): Promise<CacheableAnswer<ChainsAnswer>> {
  const { chains, fetchedAt, changedAt, source } = await readChainList(
    deps,
    freshness,
  );
  const answer: ChainsAnswer = {
    count: chains.length,
    chains: [...chains],
    fetchedAt: new Date(fetchedAt).toISOString(),
    source,
  };
  return { answer, fetchedAt, changedAt };
}

/**
 * Finds a tracked chain by id. If the stored list has no such chain, the list is
 * refreshed before the chain counts as unknown. Throws a fault for an unknown chain.
 */
export async function findChain(
  deps: ChainDeps,
  chainId: number,
): Promise<Chain> {
  return (await findChains(deps, [chainId]))[0]!;
}

/** Finds tracked chains as `findChain()` does, in one read of the list. */
export async function findChains(
  deps: ChainDeps,
  chainIds: readonly number[],
): Promise<Chain[]> {
  const select = (chains: readonly Chain[] = []) => {
    const byId = new Map(chains.map((chain) => [chain.chainId, chain]));
    return chainIds.flatMap((chainId) => byId.get(chainId) ?? []);
  };
  const stored = select((await findList(deps))?.chains);
  if (stored.length === chainIds.length) return stored;
  const { chains } = await readChainList(deps, { maxStaleMs: 0 });
  const listed = select(chains);
  if (listed.length === chainIds.length) return listed;
  const chainId = chainIds.find((id) =>
    listed.every((chain) => chain.chainId !== id)
  )!;
  throw unknownChain(chainId);
}

/** Returns the fault of a chain that is not tracked. */
export function unknownChain(chainId: number): Fault {
  return new Fault(
    `Cannot find chain ${chainId}: no tracked mainnet chain has this id`,
    { kind: "unknownChain", chainId },
  );
}

async function findList(
  { store, upstream }: Pick<ChainDataDeps, "store" | "upstream">,
): Promise<ChainList | null> {
  return ofUpstream(upstream.metrics, await store.chains.find());
}

/** Returns whether a search names a chain: by a part of its name, its whole token or its whole id, in any case. */
export function matchesSearch(
  { chainId, chainName, token }: Pick<Chain, "chainId" | "chainName" | "token">,
  search: string,
): boolean {
  const wanted = search.toLowerCase();
  return chainName.toLowerCase().includes(wanted) ||
    token?.toLowerCase() === wanted || String(chainId) === wanted;
}

/**
 * Token symbols by EVM chain id, from `constants/l1-chains.json` of
 * ava-labs/builders-hub (BSD-3-Clause). The symbol of any other chain is unknown.
 */
export const TOKENS: Readonly<Record<number, string>> = {
  389: "ETX",
  1510: "JUICE",
  2044: "SHRAPGAS",
  3011: "3ULL",
  4313: "ARTERY",
  4337: "BEAM",
  5566: "STX",
  6119: "UPTN",
  6533: "KALIS",
  7272: "HASHD",
  8021: "NUMINE",
  8227: "FUEL",
  10_036: "INN",
  10_849: "L1",
  10_850: "LID",
  12_150: "QBE",
  13_322: "GAS",
  13_790: "TIX",
  17_177: "LYLTY",
  27_827: "ZERO",
  28_530: "BTIC",
  33_311: "FTR",
  33_345: "EVN",
  36_463: "HERESY",
  42_069: "COQ",
  43_114: "AVAX",
  43_419: "GUN",
  46_975: "BLAZE",
  49_460: "SIJ",
  50_776: "LBHG",
  53_935: "JEWEL",
  61_360: "GAS",
  61_587: "TGP",
  62_334: "TURF",
  62_789: "FRQ",
  68_414: "NXPC",
  72_379: "VJP",
  77_294: "TTC",
  77_757: "DIEGO",
  83_115: "KULA",
  84_358: "TIN",
  122_225: "NORTH",
  202_110: "DGAS",
  241_121: "NOM",
  299_792: "PLASMA",
  420_101: "HEMP",
  432_204: "ALOT",
  737_373: "CX",
};

/** Returns the name of a chain. The Metrics API sometimes calls the C-Chain `c_chain`. */
export function chainNameOf(chainId: number, listed: string): string {
  return chainId === C_CHAIN ? "C-Chain" : listed;
}
