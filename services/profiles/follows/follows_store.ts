/** Who follows whom: edges, and the sums over the edges of each address. */
import {
  type Edge,
  EMPTY_RECORD,
  type GraphRecord,
  graphSignalsOf,
} from "./follow_edges.ts";
import type { GraphSignals } from "../../scores/model/signals.ts";
import type { Change } from "./follow_write_set_store.ts";
import type { Outcome } from "./follow_commit_store.ts";
import { type Contended, followBatches } from "./follow_batches_store.ts";
import * as keys from "../keys.ts";
import { type ReadKey, sharedReads } from "../../platform/kv/shared_reads.ts";

/** A part of a list of addresses, in their order: those after one, or from the first on. */
export interface PageOptions {
  readonly after: string | null;
  readonly limit: number;
}

/** An address that another follows. */
export interface Followee {
  readonly address: string;
  readonly edge: Edge;
}

/** A change that waits for its transaction. */
interface Waiting {
  readonly change: Change;
  readonly settle: (outcome: Outcome | Contended) => void;
  readonly fail: (error: unknown) => void;
}

/** The follow graph in a store. */
export function followStore(kv: Deno.Kv, read: ReadKey = sharedReads(kv)) {
  let waiting: Waiting[] = [];
  let isWorking = false;
  const changeAll = followBatches(kv, read);

  async function work(): Promise<void> {
    isWorking = true;
    await null; // Whoever else asks in this turn goes along.
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      const changes = group.map(({ change }) => change);
      try {
        await changeAll(changes, (outcome, nth) => group[nth]!.settle(outcome));
      } catch (error) {
        // Those that were settled before do not hear it.
        for (const { fail } of group) fail(error);
      }
    }
    isWorking = false;
  }

  /** Finds the sums of an address; null where there is nothing to add up. */
  async function find(address: string): Promise<GraphRecord | null> {
    return (await read<GraphRecord>(keys.graph(address))).value;
  }

  return {
    /** Makes many changes, in as few transactions as hold them. */
    changeAll,

    /** Makes a change; changes that wait at the same time share a transaction. */
    change(change: Change): Promise<Outcome | Contended> {
      return new Promise((resolve, reject) => {
        waiting.push({ change, settle: resolve, fail: reject });
        if (!isWorking) work();
      });
    },

    /** Finds the sums of an address, all of them under one key. */
    async find(address: string): Promise<GraphRecord> {
      return await find(address) ?? EMPTY_RECORD;
    },

    /** Finds what the followers of an address come to, however many they are, by one key. */
    async findGraph(address: string): Promise<GraphSignals> {
      return graphSignalsOf(await find(address));
    },

    /** Lists whom an address follows. */
    async listFollowees(
      address: string,
      part: PageOptions,
    ): Promise<Followee[]> {
      const entries = listPage<Edge>(kv, keys.follows(address), part);
      return await Array.fromAsync(
        entries,
        ({ key, value }) => ({ address: key.at(-1) as string, edge: value }),
      );
    },

    /** Lists who follows an address. */
    async listFollowers(address: string, part: PageOptions): Promise<string[]> {
      const entries = listPage<true>(kv, keys.followers(address), part);
      return await Array.fromAsync(entries, ({ key }) => key.at(-1) as string);
    },
  };
}

function listPage<Value>(
  kv: Deno.Kv,
  prefix: Deno.KvKey,
  { after, limit }: PageOptions,
): Deno.KvListIterator<Value> {
  const start = after === null ? [] : [...prefix, after, 0];
  const selector = after === null ? { prefix } : { prefix, start };
  return kv.list<Value>(selector, { limit });
}
