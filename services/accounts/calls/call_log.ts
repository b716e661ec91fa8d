/**
 * Collects the calls of this process in memory and adds them to the logs of
 * their wallets in batches, apart from the transaction that counts the units. A
 * killed process loses the waiting calls: those of some seconds, or of minutes
 * if more than 20 wallets call.
 */
import type { Clock } from "../../platform/clock.ts";
import { type LoggedCall, MAX_CALLS } from "./call_log_schema.ts";
import type { callLogStore } from "./call_log_store.ts";

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
 * Creates the log of a process. A call starts the write of the calls before
 * it, so that they are written also where no timer runs.
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
