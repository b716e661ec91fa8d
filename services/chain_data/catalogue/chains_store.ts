/** Store of the tracked chains: a head, and one record per chain. */
import type { Chain } from "./chains_schema.ts";
import { isFresh } from "../../platform/cache.ts";
import { checkAndSet } from "../../platform/kv/commit.ts";
import {
  ANY_NUMBER,
  type Rule,
  type StoredRecords,
} from "../../platform/kv/store_rule.ts";

/** Keys: the head, and a record for each chain. The head comes first: strings sort before numbers. */
const keys = {
  /** The head and all chains. The head comes first: strings sort before numbers. */
  chains: () => ["chains"],
  /** The head of the chain list. */
  chainsHead: () => ["chains", "head"],
  /** A tracked chain. */
  chain: (chainId: number) => ["chains", chainId],
};

/** A chain that the last lists of the upstream lacked. */
export interface MissingChain {
  readonly chainId: number;
  /** When a list first lacked it, in epoch ms. */
  readonly foundAt: number;
  /** Number of consecutive lists without it. */
  readonly reads: number;
}

/** An entry of the list that is not believed, or the earlier name of a chain. */
export interface ChainDoubt {
  /** `claimed`: another blockchain has the id of a chain. `renamed`: the chain had this name. */
  readonly kind: "claimed" | "renamed";
  readonly chainId: number;
  readonly chainName: string;
  readonly blockchainId: string;
  /** When a list first showed it, in epoch ms. */
  readonly foundAt: number;
}

/** The chain list; instants in epoch ms. */
export interface ChainList {
  readonly chains: readonly Chain[];
  /** Chains of the list that may leave it. */
  readonly missing?: readonly MissingChain[];
  readonly doubts?: readonly ChainDoubt[];
  readonly fetchedAt: number;
  readonly changedAt: number;
  /** Base URL of the upstream that it was fetched from. */
  readonly origin: string;
  readonly source: string;
}

/** The head lists the chain ids, so that a replacement can delete chains that are gone. */
interface ChainsHead extends Omit<ChainList, "chains"> {
  readonly chainIds: readonly number[];
}

/** Chains in a store. */
export function chainStore(kv: Deno.Kv) {
  /** The last list, and the version of its head. Every replacement changes that version. */
  let held: { readonly version: string; readonly list: ChainList } | undefined;

  return {
    /**
     * Finds the list, ordered by chain id. Returns null if none is stored. The
     * records are read again if the version of the head has changed.
     */
    async find(): Promise<ChainList | null> {
      // Without a list in memory, reading the head first would take one more
      // round trip to the database.
      if (held !== undefined) {
        const { versionstamp } = await kv.get<ChainsHead>(keys.chainsHead());
        if (versionstamp === null) return null;
        if (held.version === versionstamp) return held.list;
      }
      const [head, ...records] = await Array.fromAsync(
        kv.list<ChainsHead | Chain>({ prefix: keys.chains() }, {
          batchSize: 1000,
        }),
      );
      if (head === undefined) return null;
      const { chainIds, ...rest } = head.value as ChainsHead;
      const chains = records.map((entry) => entry.value as Chain);
      const list = { ...rest, chains };
      // A running import may have written only some of the records.
      if (chains.length === chainIds.length) {
        held = { version: head.versionstamp, list };
      }
      return list;
    },

    /** Replaces the list. Returns false if the stored list was fetched later. */
    replace({ chains, ...rest }: ChainList): Promise<boolean> {
      const key = keys.chainsHead();
      const chainIds = chains.map((chain) => chain.chainId);
      const kept = new Set(chainIds);
      return checkAndSet<ChainsHead, boolean>(kv, key, (
        { value: stored, versionstamp },
      ) => {
        // A list from the future was fetched before the clock was set back.
        const isLater = stored !== null && stored.fetchedAt > rest.fetchedAt &&
          isFresh(stored, rest.fetchedAt);
        if (isLater) return { value: false };
        const write = (atomic: Deno.AtomicOperation) => {
          for (const chainId of stored?.chainIds ?? []) {
            if (!kept.has(chainId)) atomic.delete(keys.chain(chainId));
          }
          // Each record is a write unit, and few chains change in an hour.
          const same = held?.version === versionstamp
            ? new Set(held?.list.chains.map((chain) => JSON.stringify(chain)))
            : new Set();
          for (const chain of chains) {
            if (same.has(JSON.stringify(chain))) continue;
            atomic.set(keys.chain(chain.chainId), chain);
          }
          return atomic.set(key, { ...rest, chainIds });
        };
        const onCommit = (version: string) => {
          const sorted = chains.toSorted((a, b) => a.chainId - b.chainId);
          held = { version, list: { ...rest, chains: sorted } };
        };
        return { value: true, write, onCommit };
      });
    },
  };
}

const chainsListed: Rule<ChainsHead> = {
  name: "chain-list",
  of: keys.chainsHead(),
  invariant: "every chain in the head of the list is stored",
  async holds({ value: { chainIds } }, { find }) {
    const chains = await Promise.all(
      chainIds.map((chainId) => find<Chain>(keys.chain(chainId))),
    );
    return chains.every((chain, nth) => chain?.chainId === chainIds[nth]);
  },
};

const chainListed: Rule<Chain> = {
  name: "chain",
  of: keys.chain(ANY_NUMBER),
  invariant: "every stored chain is in the head of the list",
  async holds({ key: [, chainId] }, { find }) {
    const head = await find<ChainsHead>(keys.chainsHead());
    return chainId === "head" ||
      head?.chainIds.includes(Number(chainId)) === true;
  },
};

/** The collections and the rules. */
export const CHAIN_RECORDS: StoredRecords = {
  collections: {
    chains: {},
  },
  rules: [chainsListed, chainListed],
};
