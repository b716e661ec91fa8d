/** Call logs: one record per wallet, to which all processes add. */
import { batchedWrites } from "../../platform/kv/batched_writes.ts";
import { type ReadKey, sharedReads } from "../../platform/kv/shared_reads.ts";
import * as keys from "../keys.ts";
import type { CallLog, LoggedCall } from "./call_log_schema.ts";
import {
  type CallLogRecord,
  keptAt,
  pack,
  unpack,
  withCalls,
} from "./call_record.ts";
import { maxOf } from "../../platform/extremes.ts";

/** Logs that are cached after a commit; another process may have added to the others. */
const MAX_CACHED = 100;

/** Call logs in a store. */
export function callLogStore(
  kv: Deno.Kv,
  read: ReadKey = sharedReads(kv),
  { isHosted } = { isHosted: false },
) {
  const change = batchedWrites<CallLogRecord, CallLog>(kv, read, {
    expireIn: keys.COLLECTIONS.call_logs.expireMs,
    isHosted,
    maxCached: MAX_CACHED,
    decode: unpack,
    encode: pack,
  });

  return {
    /** Adds calls to the log of a wallet. Returns false if other processes kept changing it. */
    async add(wallet: string, calls: readonly LoggedCall[]): Promise<boolean> {
      const now = maxOf(calls.map(({ at }) => at));
      const outcome = await change({
        key: keys.callLog(wallet),
        preconditions: [],
        decide: (held) => keptAt(withCalls(held, calls), now),
      });
      return outcome === "committed";
    },

    /** Reads the last 30 days of a wallet's log at an instant, epoch ms. */
    async read(wallet: string, now: number): Promise<CallLog> {
      const { value } = await read<CallLogRecord>(keys.callLog(wallet));
      return keptAt(unpack(value), now);
    },
  };
}
