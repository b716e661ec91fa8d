/** Reads the list of tracked chains. */
import type { Chain } from "./chains_schema.ts";
import type {
  ChainDoubt,
  ChainList,
  chainStore,
  MissingChain,
} from "./chains_store.ts";
import type { PlatformDeps } from "../../platform/open/deps.ts";
import {
  ofUpstream,
  type Sourced,
} from "../../platform/http/upstream_answer.ts";
import {
  type CallOptions,
  readerCallOptions,
  SERVICE,
} from "../../platform/rate_limit/call_budget.ts";
import { DAY_MS, HOUR_MS } from "../../platform/days.ts";
import { Fault, upstreamDown } from "../../platform/fault.ts";
import { type FreshnessOptions, readThrough } from "../../platform/cache.ts";
import { C_CHAIN } from "./metrics_schema.ts";

/** Upper limit of chains, so that one KV transaction and one `list` call hold them all. */
const MAX_CHAINS = 900;

/** A chain as the API lists it. */
type ListedChain = Omit<Chain, "token">;

/** The chain list of the API. */
export interface ChainRows extends Sourced<readonly ListedChain[]> {
  /** Rows that could not be read, with the id of the chain or null; none if absent. */
  readonly unread?: readonly {
    readonly chainId: number | null;
    readonly reason: string;
  }[];
}

/** What the chain list uses. */
export interface ChainListDeps extends PlatformDeps {
  readonly store: PlatformDeps["store"] & {
    readonly chains: ReturnType<typeof chainStore>;
  };
  readonly upstream: {
    readonly metrics: {
      readonly baseUrl: string;
      readonly source: string;
      listChains(options: CallOptions): Promise<ChainRows>;
    };
  };
}

type ChainDeps = Pick<
  ChainListDeps,
  "log" | "now" | "share" | "store" | "upstream"
>;

/**
 * Fetches the chain list and replaces the stored one. A chain that the upstream no
 * longer lists leaves after several lists without it: one list may have been cut short.
 */
export async function refreshChains(
  { log, now, store, upstream }: Omit<ChainDeps, "share">,
  options: CallOptions,
): Promise<ChainList> {
  const { metrics } = upstream;
  const fetchedAt = now().getTime();
  const { body, unread = [], source } = await metrics.listChains(options);
  const stored = ofUpstream(metrics, await store.chains.find());
  const { listed, doubts } = chooseChains(stored, body, fetchedAt);
  const { kept, missing } = keepMissing(stored, {
    listed: new Set(listed.map(({ chainId }) => chainId)),
    unread: new Set(unread.map(({ chainId }) => chainId)),
  }, fetchedAt);
  const chains = [...listed, ...kept].sort((a, b) => a.chainId - b.chainId);
  if (chains.length > MAX_CHAINS) {
    const { host } = new URL(metrics.baseUrl);
    throw upstreamDown(host, `it lists more than ${MAX_CHAINS} chains`);
  }
  const same = JSON.stringify(stored?.chains) === JSON.stringify(chains);
  const next: ChainList = {
    chains,
    ...missing.length === 0 ? {} : { missing },
    ...doubts.length === 0 ? {} : { doubts },
    fetchedAt,
    changedAt: same ? stored!.changedAt : fetchedAt,
    origin: metrics.baseUrl,
    source,
  };
  await store.chains.replace(next);
  const of = "chain list";
  const [first] = unread;
  if (first === undefined) await store.setAside.remove(of);
  else {
    const setAside = { of, rows: unread.length, reason: first.reason };
    log("source.rows_set_aside", setAside);
    await store.setAside.put({ ...setAside, foundAt: fetchedAt });
  }
  return next;
}

/** The subnet of the C-Chain. */
const PRIMARY_NETWORK = "11111111111111111111111111111111LpoYY";

/**
 * Returns one chain for each listed id. A known id stays with its chain: an entry of
 * another blockchain is not believed, and a new name is noted. Of several new entries
 * the first is taken, without a token.
 */
function chooseChains(
  stored: ChainList | null,
  rows: readonly ListedChain[],
  readAt: number,
): { readonly listed: Chain[]; readonly doubts: ChainDoubt[] } {
  const known = new Map(stored?.chains.map((chain) => [chain.chainId, chain]));
  const foundBefore = new Map(
    stored?.doubts?.map((doubt) => [nameDoubt(doubt), doubt.foundAt]),
  );
  const listed: Chain[] = [];
  const doubts: ChainDoubt[] = [];
  for (const [chainId, entries] of Map.groupBy(rows, (row) => row.chainId)) {
    const held = known.get(chainId);
    const own = entries.find(({ blockchainId, subnetId }) =>
      held !== undefined
        ? blockchainId === held.blockchainId
        : chainId !== C_CHAIN || subnetId === PRIMARY_NETWORK
    ) ?? (held === undefined ? entries[0]! : undefined);
    for (const { chainName, blockchainId } of entries) {
      if (blockchainId === own?.blockchainId) {
        continue;
      }
      const claim = {
        kind: "claimed",
        chainId,
        chainName,
        blockchainId,
      } as const;
      doubts.push({
        ...claim,
        foundAt: foundBefore.get(nameDoubt(claim)) ?? readAt,
      });
    }
    if (own === undefined) {
      listed.push(held!);
      continue;
    }
    const isSure = held !== undefined || entries.length === 1 ||
      chainId === C_CHAIN;
    const chain: Chain = {
      ...own,
      chainName: chainNameOf(chainId, own.chainName),
      token: held?.token ?? (isSure ? TOKENS[chainId] ?? null : null),
    };
    listed.push(chain);
    if (held !== undefined && held.chainName !== chain.chainName) {
      const { chainName, blockchainId } = held;
      doubts.push({
        kind: "renamed",
        chainId,
        chainName,
        blockchainId,
        foundAt: readAt,
      });
    }
  }
  // A change of a name happens once, so it is kept for a while.
  const renamed = (stored?.doubts ?? []).filter(({ kind, foundAt }) =>
    kind === "renamed" && readAt - foundAt < RENAMED_MS
  );
  return { listed, doubts: [...doubts, ...renamed] };
}

/** How long a new name of a chain is listed. */
const RENAMED_MS = 30 * DAY_MS;

function nameDoubt(
  { chainId, blockchainId, chainName }: Omit<ChainDoubt, "foundAt" | "kind">,
): string {
  return JSON.stringify([chainId, blockchainId, chainName]);
}

/**
 * Returns the stored chains that a list lacks and that have not been missing for long.
 * A row that can't be read may be that of a chain that the list lacks.
 */
function keepMissing(
  stored: ChainList | null,
  { listed, unread }: {
    readonly listed: ReadonlySet<number>;
    readonly unread: ReadonlySet<number | null>;
  },
  readAt: number,
): { readonly kept: readonly Chain[]; readonly missing: MissingChain[] } {
  const before = new Map(
    stored?.missing?.map((chain) => [chain.chainId, chain]),
  );
  const missing: MissingChain[] = [];
  const kept = (stored?.chains ?? []).filter(({ chainId }) => {
    if (listed.has(chainId)) return false;
    if (unread.has(chainId) || unread.has(null)) return true;
    const { foundAt = readAt, reads = 0 } = before.get(chainId) ?? {};
    const found = { chainId, foundAt, reads: reads + 1 };
    if (isCertain(found, readAt)) return false;
    missing.push(found);
    return true;
  });
  return { kept, missing };
}

/** Reads that must agree, and the time that they must span. */
const MIN_READS = 3;
const MIN_SPAN_MS = 2 * HOUR_MS;

/** Returns whether enough reads have shown that a day or a chain is gone; instants in epoch ms. */
export function isCertain(
  { foundAt, reads }: { readonly foundAt: number; readonly reads: number },
  readAt: number,
): boolean {
  return reads >= MIN_READS && readAt - foundAt >= MIN_SPAN_MS;
}

/** Reads the chain list. It is fetched if the stored list is not fresh. */
export function readChainList(
  deps: ChainDeps,
  freshness: FreshnessOptions,
): Promise<ChainList> {
  return readThrough(deps, "chains", {
    find: async () =>
      ofUpstream(deps.upstream.metrics, await deps.store.chains.find()),
    refresh: () => refreshChains(deps, readerCallOptions(SERVICE)),
  }, freshness);
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
  const list = await deps.store.chains.find();
  const stored = select(ofUpstream(deps.upstream.metrics, list)?.chains);
  if (stored.length === chainIds.length) return stored;
  const { chains } = await readChainList(deps, { maxStaleMs: 0 });
  const listed = select(chains);
  if (listed.length === chainIds.length) return listed;
  const chainId = chainIds.find((id) =>
    listed.every((chain) => chain.chainId !== id)
  )!;
  throw unknownChain(chainId);
}

/** Returns the fault of a chain that is not tracked. An id of more digits than a number holds is not shown: it would be another. */
export function unknownChain(chainId: number): Fault {
  const chain = Number.isSafeInteger(chainId)
    ? `chain ${chainId}`
    : "the chain of this chainId";
  return new Fault(
    `Cannot find ${chain}: no tracked mainnet chain has this id`,
    { kind: "unknownChain", chainId },
  );
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
