/** Call logs: one record per wallet, to which all processes add. */
import { batchedWrites } from "../../platform/kv/batched_writes.ts";
import { type ReadKey, sharedReads } from "../../platform/kv/shared_reads.ts";
import {
  ANY,
  type Rule,
  type StoredRecords,
} from "../../platform/kv/store_rule.ts";
import { type CallLog, type LoggedCall, MAX_CALLS } from "./call_log_schema.ts";
import {
  type CallLogRecord,
  KEPT_MS,
  keptAt,
  pack,
  unpack,
  withCalls,
} from "./call_record.ts";
import { maxOf } from "../../platform/extremes.ts";

/** Keys. */
const keys = {
  /** The last calls of a wallet. */
  callLog: (wallet: string) => ["call_logs", wallet],
};

/** Logs that are cached after a commit; another process may have added to the others. */
const MAX_CACHED = 100;

/** Call logs in a store. */
export function callLogStore(
  kv: Deno.Kv,
  read: ReadKey = sharedReads(kv),
  { isHosted } = { isHosted: false },
) {
  const change = batchedWrites<CallLogRecord, CallLog>(kv, read, {
    expireIn: KEPT_MS,
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

const callLog: Rule<CallLogRecord> = {
  name: "call-log",
  of: keys.callLog(ANY),
  invariant:
    "a log has at most 100 calls, newest first, and names no address in their endpoints",
  holds({ value }) {
    const { calls } = unpack(value);
    return calls.length <= MAX_CALLS &&
      calls.every(({ at, endpoint }, nth) =>
        at <= (calls[nth - 1]?.at ?? Infinity) && !/0x[0-9a-f]/i.test(endpoint)
      );
  },
};

/** The collection and the rule. */
export const CALL_LOG_RECORDS: StoredRecords = {
  collections: {
    call_logs: { expireMs: KEPT_MS, isIndependent: true, isLeftOut: true },
  },
  rules: [callLog],
};
