/** Call logs: one record per wallet, to which all processes add what they collect in memory. */
import { batchedWrites } from "../platform/kv/batched_writes.ts";
import { type ReadKey, sharedReads } from "../platform/kv/reads.ts";
import {
  ANY,
  type Rule,
  type StoredRecords,
} from "../platform/kv/store_rule.ts";
import { type CallLog, type LoggedCall, MAX_CALLS } from "./account_schema.ts";
import { maxOf } from "../platform/numbers.ts";
import type { Marked } from "../platform/kv/commit.ts";
import { DAY_MS } from "../platform/days.ts";
import type { Clock } from "../platform/clock.ts";

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

const callLogRule: Rule<CallLogRecord> = {
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
  rules: [callLogRule],
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

/** Time between two writes while there are calls, in milliseconds. */
export const WRITE_EVERY_MS = 5_000;

/**
 * Logs per write, so that writing takes less than one percent of the time. If
 * 20 wallets call, a call waits for five seconds; if 1,000 do, for four
 * minutes.
 */
const MAX_WRITTEN = 20;

/**
 * Maximum number of wallets with waiting calls. Calls of other wallets are
 * dropped until there is room.
 */
const MAX_WALLETS = 1_000;

/** Characters of a request id that are kept; clients may send longer ones. */
const MAX_ID_LENGTH = 40;

/** The waiting calls of a wallet, in a ring: a full ring takes no more memory for another call. */
interface WaitingCalls {
  readonly calls: LoggedCall[];
  /** Index of the oldest call of a full ring, which the next call replaces. */
  next: number;
}

/** Returns waiting calls, oldest first. */
function inOrder({ calls, next }: WaitingCalls): LoggedCall[] {
  return [...calls.slice(next), ...calls.slice(0, next)];
}

/**
 * Creates the log of a process, which collects its calls in memory and adds them to the
 * logs of their wallets in batches, apart from the transaction that counts the units. A
 * killed process loses the waiting calls: those of some seconds, or of minutes if more
 * than 20 wallets call. A call starts the write of the calls before it, so that they
 * are written also where no timer runs.
 */
export function callLog(
  { now, store, everyMs = WRITE_EVERY_MS }: Clock & {
    readonly store: {
      readonly callLogs: Pick<ReturnType<typeof callLogStore>, "add">;
    };
    readonly everyMs?: number;
  },
) {
  // The wallet that has waited longest comes first.
  const waiting = new Map<string, WaitingCalls>();
  let writtenAt = now().getTime();
  let writing: Promise<void> | null = null;
  /** The wallets whose calls are being added. */
  const adding = new Map<string, Promise<void>>();

  /** Adds the calls of a wallet to its log, after those that are being added. */
  function add(wallet: string): Promise<void> {
    const added = (adding.get(wallet) ?? Promise.resolve())
      .then(() => addWaiting(wallet))
      .finally(() => adding.get(wallet) === added && adding.delete(wallet));
    adding.set(wallet, added);
    return added;
  }

  /** Adds the waiting calls of a wallet to its log. If that fails, they keep waiting. */
  async function addWaiting(wallet: string): Promise<void> {
    const held = waiting.get(wallet);
    if (held === undefined) return;
    waiting.delete(wallet);
    const older = inOrder(held);
    const isAdded = await store.callLogs.add(wallet, older)
      .catch(() => false);
    if (isAdded) return;
    const newer = waiting.get(wallet);
    waiting.delete(wallet);
    if (waiting.size >= MAX_WALLETS) return;
    const calls = [...older, ...newer ? inOrder(newer) : []].slice(-MAX_CALLS);
    waiting.set(wallet, { calls, next: 0 });
  }

  /** Adds the calls of the wallets that have waited longest. */
  async function writeSome(): Promise<void> {
    const longest = [...waiting.keys()].slice(0, MAX_WRITTEN);
    await Promise.all(longest.map(add));
  }

  /** Starts a write unless one is under way. */
  function write(): Promise<void> {
    writing ??= writeSome().finally(() => writing = null);
    return writing;
  }

  return {
    /** Notes a call of a wallet's key. It never waits for the database. */
    note(wallet: string, noted: LoggedCall): void {
      const { at, requestId } = noted;
      const call = requestId.length <= MAX_ID_LENGTH
        ? noted
        : { ...noted, requestId: requestId.slice(0, MAX_ID_LENGTH) };
      const held = waiting.get(wallet);
      if (held === undefined) {
        if (waiting.size < MAX_WALLETS) {
          waiting.set(wallet, { calls: [call], next: 0 });
        }
      } else if (held.calls.length < MAX_CALLS) held.calls.push(call);
      else {
        held.calls[held.next] = call;
        held.next = (held.next + 1) % MAX_CALLS;
      }
      // Also if the clock was set back.
      if (Math.abs(at - writtenAt) < everyMs) return;
      writtenAt = at;
      void write();
    },

    /** Writes all waiting calls, once. Calls that could not be written keep waiting. */
    async writeAll(): Promise<void> {
      if (writing !== null) await writing;
      const rounds = Math.ceil(waiting.size / MAX_WRITTEN);
      for (let round = 0; round < rounds; round++) await write();
    },

    /** Writes the waiting calls of one wallet, so that its owner sees the newest calls. */
    async writeOf(wallet: string): Promise<void> {
      if (writing !== null) await writing;
      await add(wallet);
    },

    /** Adds the calls of the wallets that have waited longest. */
    write,
  };
}

/** The call log of a process. */
export type CallLogOfProcess = ReturnType<typeof callLog>;
