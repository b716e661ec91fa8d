/** Store of the follow graph: edges, and sums over the edges of each address. */
import {
  type Edge,
  EMPTY_RECORD,
  type GraphRecord,
  graphSignalsOf,
} from "./follow_edges.ts";
import type { GraphSignals } from "../../model/signals.ts";
import { followBatches } from "./follow_batches_store.ts";
import * as keys from "../keys.ts";
import { type ReadKey, sharedReads } from "../../platform/kv/shared_reads.ts";

/** A page of a sorted list of addresses: those after `after`, or the first ones. */
export interface PageOptions {
  readonly after: string | null;
  readonly limit: number;
}

/** A followed address and its edge. */
interface Followee {
  readonly address: string;
  readonly edge: Edge;
}

/** Store of the follow graph. */
export function followStore(kv: Deno.Kv, read: ReadKey = sharedReads(kv)) {
  /** Finds the sums of an address; null if it has none. */
  async function find(address: string): Promise<GraphRecord | null> {
    return (await read<GraphRecord>(keys.graph(address))).value;
  }

  return {
    ...followBatches(kv, read),

    /** Finds the sums of an address; one key read. */
    async find(address: string): Promise<GraphRecord> {
      return await find(address) ?? EMPTY_RECORD;
    },

    /** Finds the graph signals of an address; one key read, whatever the number of followers. */
    async findGraph(address: string): Promise<GraphSignals> {
      return graphSignalsOf(await find(address));
    },

    /** Returns whether an address follows another. */
    async isFollowing(follower: string, followee: string): Promise<boolean> {
      const { value } = await read<Edge>(keys.follow(follower, followee));
      return value !== null;
    },

    /** Lists the followers of an address. */
    async listFollowers(
      address: string,
      { after, limit }: PageOptions,
    ): Promise<string[]> {
      const prefix = keys.followers(address);
      const start = after === null ? [] : [...prefix, after, 0];
      const selector = after === null ? { prefix } : { prefix, start };
      return await Array.fromAsync(
        kv.list(selector, { limit }),
        ({ key }) => key.at(-1) as string,
      );
    },

    /** Lists the addresses that an address follows. */
    async listFollowees(
      address: string,
      { after, limit }: PageOptions,
    ): Promise<Followee[]> {
      const prefix = keys.follows(address);
      const start = after === null ? [] : [...prefix, after, 0];
      const selector = after === null ? { prefix } : { prefix, start };
      return await Array.fromAsync(
        kv.list<Edge>(selector, { limit }),
        ({ key, value }) => ({ address: key.at(-1) as string, edge: value }),
      );
    },
  };
}
