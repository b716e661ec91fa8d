/** On-chain signals: one record per address, a few KiB at most. */
import { withSignals } from "../profiles/follows/follow_edges.ts";
import { supersedes } from "./signal_freshness.ts";
import type { ChainSignals } from "./model/signals.ts";
import { checkAndSet } from "../platform/kv/commit.ts";
import { prepareFollowerUpdate } from "../profiles/follows/pending_weight_updates_store.ts";
import {
  packTimestamps,
  unpackTimestamps,
} from "../platform/kv/packed_timestamps.ts";
import * as keys from "./keys.ts";
import { type ReadKey, sharedReads } from "../platform/kv/shared_reads.ts";

/** Signals and their upstream. */
export interface StoredSignals {
  readonly signals: ChainSignals;
  /** Base URL of the upstream of the history. */
  readonly origin: string;
}

/**
 * A thousand packed times take 2,000 bytes instead of 9,000. The SQLite backend
 * reads a record of more than 1,000 bytes again for every lookup of a nearby key.
 */
export interface SignalsRecord extends Omit<ChainSignals, "recentTxAt"> {
  readonly origin: string;
  readonly recentTx: Uint8Array<ArrayBuffer>;
}

/** Signals in a store. */
export function signalStore(kv: Deno.Kv, read: ReadKey = sharedReads(kv)) {
  async function find(address: string): Promise<StoredSignals | null> {
    const { value } = await read<SignalsRecord>(keys.signals(address));
    return value && unpack(value);
  }

  return {
    /** Finds the signals of an address, of any age. */
    find,

    /** Finds the signals of many addresses, in their order. */
    findAll(addresses: readonly string[]): Promise<(StoredSignals | null)[]> {
      return Promise.all(addresses.map(find));
    },

    /**
     * Stores the signals of an address; false, and nothing written, if the stored
     * ones are better. Those of another upstream never are.
     */
    put(address: string, { signals, origin }: StoredSignals): Promise<boolean> {
      const key = keys.signals(address);
      return checkAndSet<SignalsRecord, boolean>(kv, key, async (entry) => {
        const { value: stored } = entry;
        if (stored?.origin === origin && !supersedes(signals, stored)) {
          return { value: false };
        }
        const learned = await prepareFollowerUpdate(
          kv,
          address,
          (known) => withSignals(known, signals),
        );
        const { recentTxAt, ...rest } = signals;
        const record: SignalsRecord = {
          ...rest,
          origin,
          recentTx: packTimestamps(recentTxAt),
        };
        return {
          value: true,
          write: (atomic) =>
            learned(
              atomic.set(key, record, {
                expireIn: keys.COLLECTIONS.signals.expireMs,
              }),
            ),
        };
      });
    },
  };
}

function unpack(record: SignalsRecord): StoredSignals {
  const { origin, recentTx, ...rest } = record;
  const recentTxAt = unpackTimestamps(recentTx);
  return { signals: { ...rest, recentTxAt }, origin };
}
