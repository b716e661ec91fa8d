/** Call logs: one record per wallet, to which all processes add. */
import { batchedWrites } from "../../platform/kv/batched_writes.ts";
import { type ReadKey, sharedReads } from "../../platform/kv/shared_reads.ts";
import {
  ANY,
  type Rule,
  type StoredRecords,
} from "../../platform/kv/store_rule.ts";
import { type CallLog, type LoggedCall, MAX_CALLS } from "./call_log_schema.ts";
import { maxOf } from "../../platform/numbers.ts";
import type { Marked } from "../../platform/kv/commit_recovery.ts";
import { DAY_MS } from "../../platform/days.ts";

/** Keys. */
const keys = {
  /** The last calls of a wallet. */
  callLog: (wallet: string) => ["call_logs", wallet],
};

/** Logs are kept for this long. */
const KEPT_MS = 30 * DAY_MS;

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

/** Keys whose last use is kept, newest first: more than a wallet can have. */
const MAX_USED_KEYS = 40;

/** An empty log. */
const NO_CALLS: CallLog = { calls: [], lastUsed: {} };

/** A call log, packed: a hundred calls take about 6 kB. */
export interface CallLogRecord extends Marked {
  readonly endpoints: readonly string[];
  readonly keys: readonly string[];
  /** Epoch ms, by the place of the key. */
  readonly lastUsed: Float64Array<ArrayBuffer>;
  readonly at: Float64Array<ArrayBuffer>;
  /** Endpoint, key, status and units of each call. */
  readonly facts: Uint16Array<ArrayBuffer>;
  /** Request ids, one per line. */
  readonly requestIds: string;
}

/**
 * Returns a log with more calls, in order of time. A call that the log already
 * has is not added again, so a write may be repeated.
 */
export function withCalls(
  { calls, lastUsed }: CallLog,
  more: readonly LoggedCall[],
): CallLog {
  const known = new Set(calls.map(idOf));
  const added = more.filter((call) => !known.has(idOf(call)));
  const used = new Map(Object.entries(lastUsed));
  for (const { keyId, at } of more) {
    used.set(keyId, Math.max(at, used.get(keyId) ?? 0));
  }
  const newest = [...used].sort(([, a], [, b]) => b - a).slice(
    0,
    MAX_USED_KEYS,
  );
  return {
    // Among calls of one instant, the last added one is the newest.
    calls: [...added.toReversed(), ...calls].sort((a, b) => b.at - a.at)
      .slice(0, MAX_CALLS)
      // So that the record holds the times of all keys it names.
      .filter(({ keyId }) => newest.some(([id]) => id === keyId)),
    lastUsed: Object.fromEntries(newest),
  };
}

/** Returns a log without the entries that are older than 30 days at an instant, epoch ms. */
function keptAt({ calls, lastUsed }: CallLog, now: number): CallLog {
  const isKept = (at: number) => at > now - KEPT_MS;
  return {
    calls: calls.filter(({ at }) => isKept(at)),
    lastUsed: Object.fromEntries(
      Object.entries(lastUsed).filter(([, at]) => isKept(at)),
    ),
  };
}

function idOf({ at, keyId, requestId }: LoggedCall): string {
  return `${at} ${keyId} ${requestId}`;
}

/** Packs a log. */
export function pack(
  { calls, lastUsed }: CallLog,
  marks: readonly number[],
): CallLogRecord {
  const endpoints = [...new Set(calls.map(({ endpoint }) => endpoint))];
  const keys = Object.keys(lastUsed);
  return {
    endpoints,
    keys,
    lastUsed: Float64Array.from(Object.values(lastUsed)),
    at: Float64Array.from(calls, ({ at }) => at),
    facts: Uint16Array.from(
      calls.flatMap(({ endpoint, keyId, status, units }) => [
        endpoints.indexOf(endpoint),
        keys.indexOf(keyId),
        status,
        units,
      ]),
    ),
    requestIds: calls.map(({ requestId }) => requestId).join("\n"),
    marks,
  };
}

/** Unpacks a record; an absent one is an empty log. */
export function unpack(record: CallLogRecord | null): CallLog {
  if (record === null) return NO_CALLS;
  const { endpoints, keys, lastUsed, at, facts, requestIds } = record;
  const ids = requestIds.split("\n");
  return {
    calls: Array.from(at, (at, nth) => ({
      at,
      endpoint: endpoints[facts[4 * nth]!]!,
      keyId: keys[facts[4 * nth + 1]!]!,
      status: facts[4 * nth + 2]!,
      units: facts[4 * nth + 3]!,
      requestId: ids[nth]!,
    })),
    lastUsed: Object.fromEntries(keys.map((id, nth) => [id, lastUsed[nth]!])),
  };
}
