/** The tracked chains: a head, and one record a chain. */
import type { Chain } from "./metrics_schema.ts";
import { isFresh } from "../platform/cache/freshness.ts";
import { checkAndSet } from "../platform/kv/commit.ts";
import * as keys from "./keys.ts";

/** The chain list as a whole; instants in epoch ms. */
export interface ChainList {
  readonly chains: readonly Chain[];
  readonly fetchedAt: number;
  readonly changedAt: number;
  /** Base URL of the upstream that gave it. */
  readonly origin: string;
  readonly source: string;
}

/** The head names its members, so that whoever replaces them deletes them all. */
export interface ChainsHead extends Omit<ChainList, "chains"> {
  readonly chainIds: readonly number[];
}

/** Chains in a store. */
export function chainStore(kv: Deno.Kv) {
  return {
    /** Reads the list in the order of chain ids, or null before the first. */
    async find(): Promise<ChainList | null> {
      const [head, ...chains] = await Array.fromAsync(
        kv.list<ChainsHead | Chain>({ prefix: keys.chains() }, {
          batchSize: 1000,
        }),
      );
      if (head === undefined) return null;
      const { chainIds: _, ...rest } = head.value as ChainsHead;
      return { ...rest, chains: chains.map((entry) => entry.value as Chain) };
    },

    /** Replaces the list whole; false where the stored one was fetched later. */
    replace({ chains, ...rest }: ChainList): Promise<boolean> {
      const key = keys.chainsHead();
      const chainIds = chains.map((chain) => chain.chainId);
      const kept = new Set(chainIds);
      return checkAndSet<ChainsHead, boolean>(kv, key, ({ value: held }) => {
        // One that is no good yet was fetched before the clock was set back.
        const isLater = held !== null && held.fetchedAt > rest.fetchedAt &&
          isFresh(held, rest.fetchedAt);
        if (isLater) return { value: false };
        const write = (atomic: Deno.AtomicOperation) => {
          for (const chainId of held?.chainIds ?? []) {
            if (!kept.has(chainId)) atomic.delete(keys.chain(chainId));
          }
          for (const chain of chains) {
            atomic.set(keys.chain(chain.chainId), chain);
          }
          return atomic.set(key, { ...rest, chainIds });
        };
        return { value: true, write };
      });
    },
  };
}
