/** Sliding-window rate limits for calls to upstreams and for changes of clients and wallets. */
import { type Requester, SERVICE } from "./requesters.ts";
import { CLOCK_SKEW_MS, timeoutSignal } from "../clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../days.ts";
import { MAX_COOLDOWN_MS } from "../http/upstream_answer.ts";

/** At most `calls` in any `perMs` milliseconds. */
export interface Limit {
  readonly calls: number;
  readonly perMs: number;
}

/** Names of the periods of limits, by milliseconds. */
const PERIODS: Readonly<Record<number, string>> = {
  1_000: "second",
  [MINUTE_MS]: "minute",
  [HOUR_MS]: "hour",
  [DAY_MS]: "day",
};

/** Returns limits as text, such as "12 calls a minute and 120 calls an hour". */
export function describeLimits(
  limits: readonly Limit[],
  noun: string,
): string {
  return limits.map(({ calls, perMs }) => {
    const period = PERIODS[perMs] ?? `period of ${perMs / 1000} seconds`;
    return `${calls} ${noun} ${period === "hour" ? "an" : "a"} ${period}`;
  }).join(" and ");
}

/** Calls by slot of the window, oldest first. */
export type Slots = readonly (readonly [slot: number, calls: number])[];

/** Recent calls, counted by slot: one list for each limit. */
export interface CallCounts {
  readonly counts: readonly Slots[];
  /** End of the cooldown that the upstream asked for, epoch ms. */
  readonly closedUntil: number;
}

/** Whether a call may be made now, and otherwise the wait. */
type Admission =
  | { allowed: true; callCounts: CallCounts }
  | {
    allowed: false;
    retryAfterMs: number;
    /** The limit that is reached; null if the upstream asked for a pause. */
    limit: Limit | null;
  };

/** Slots of a window. A slot counts until all of it has left the window. */
const SLOTS = 60;

/** Counts without a call. */
export const NO_CALLS: CallCounts = { counts: [], closedUntil: 0 };

/** Returns the ms that are left of a cooldown; 0 for one from before the clock was set back. */
function cooldownLeft(
  { closedUntil }: Pick<CallCounts, "closedUntil">,
  now: number,
): number {
  const leftMs = closedUntil - now;
  // The clock of the process that wrote it may be ahead by the skew, but not by more.
  return leftMs > MAX_COOLDOWN_MS + CLOCK_SKEW_MS ? 0 : Math.max(0, leftMs);
}

/** Admits one call at `now` (epoch ms), or returns the wait. */
export function admit(
  callCounts: CallCounts,
  limits: readonly Limit[],
  now: number,
): Admission {
  let retryAfterMs = cooldownLeft(callCounts, now);
  let reached: Limit | null = null;
  for (const [index, limit] of limits.entries()) {
    const recent = recentSlots(callCounts, { limit, index }, now);
    let total = sumOf(recent);
    for (const [slot, calls] of recent) {
      if (total < limit.calls) break;
      total -= calls;
      const leavesInMs = Math.ceil(leavesAt(limit, slot) - now);
      if (leavesInMs <= retryAfterMs) continue;
      retryAfterMs = leavesInMs;
      reached = limit;
    }
  }
  if (retryAfterMs > 0) return { allowed: false, retryAfterMs, limit: reached };
  return { allowed: true, callCounts: withCall(callCounts, limits, now) };
}

/** Returns the counts with one more call, which may be made until `callAt`, and without expired slots. */
export function withCall(
  callCounts: CallCounts,
  limits: readonly Limit[],
  now: number,
  callAt: number = now,
): CallCounts {
  const counts = limits.map((limit, index) =>
    increment(
      recentSlots(callCounts, { limit, index }, now),
      slotAt(limit, callAt),
    )
  );
  return { counts, closedUntil: 0 };
}

/** Returns the calls that count for each limit at a time. */
export function usedOf(
  callCounts: CallCounts,
  limits: readonly Limit[],
  now: number,
): number[] {
  return limits.map((limit, index) =>
    sumOf(recentSlots(callCounts, { limit, index }, now))
  );
}

/** Returns the calls of a limit since the day (UTC) of a time began. The limit is of a day. */
export function usedOfDay(
  callCounts: CallCounts,
  of: { readonly limit: Limit; readonly index: number },
  now: number,
): number {
  const first = slotAt(of.limit, now - now % DAY_MS);
  return sumOf(
    recentSlots(callCounts, of, now).filter(([slot]) => slot >= first),
  );
}

/** Returns the slots of a limit that count at a time, oldest first. */
function recentSlots(
  callCounts: CallCounts,
  { limit, index }: { readonly limit: Limit; readonly index: number },
  now: number,
): Slots {
  const current = slotAt(limit, now);
  return (callCounts.counts[index] ?? [])
    .filter(([slot]) => Math.abs(slot - current) <= SLOTS);
}

/** Returns the total calls of slots. */
function sumOf(slots: Slots): number {
  return slots.reduce((sum, [, calls]) => sum + calls, 0);
}

/** Returns when a slot stops counting, epoch ms. */
function leavesAt({ perMs }: Limit, slot: number): number {
  return (slot + SLOTS + 1) * (perMs / SLOTS);
}

function slotAt({ perMs }: Limit, now: number): number {
  return Math.floor(now / (perMs / SLOTS));
}

function increment(
  recent: Slots,
  current: number,
): [number, number][] {
  const counts = new Map(recent);
  counts.set(current, (counts.get(current) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a - b);
}

/** Larger than the floating-point error of a whole number. */
const ROUNDING = 1e-6;

/** Returns part of a limit, rounded down: at least one call. */
export function partOf({ calls, perMs }: Limit, part: number): Limit {
  return { calls: Math.max(1, Math.floor(calls * part + ROUNDING)), perMs };
}

/** Priority of a call: readers wait seconds, jobs wait minutes. */
export type Priority = "reader" | "job";

/** Maximum wait of a reader for all calls to upstreams together. */
export const READER_WAIT_MS = 10_000;

/** Priority, timeout and requester of calls to an upstream. */
export interface CallOptions {
  readonly priority: Priority;
  readonly signal: AbortSignal;
  /** Until when it waits for its turn at most, epoch ms. */
  readonly waitUntil?: number | undefined;
  /** Who asked for the call. */
  readonly requester: Requester;
  /** What a score is read of; its turn is kept when the wait was too long. */
  readonly subject?: string | undefined;
  /** True for work that has had its turn. */
  readonly isStarted?: boolean;
  /** Calls that were counted already. */
  readonly reserved?: Reserved | undefined;
}

/** Calls to one upstream that were counted together, for work that makes one after the other. */
interface Reserved {
  /** The upstream's budget. */
  readonly budget: string;
  /** Until when they may be made, epoch ms. */
  readonly until: number;
  left: number;
}

/** Limits the calls to one upstream. */
export interface UpstreamRateLimiter {
  /** Resolves when the call may be made. Throws a fault if the wait is too long. */
  acquire(options: CallOptions): Promise<void>;
  /** Waits for a call, and returns options with which it and those that follow are made. */
  start(options: CallOptions): Promise<CallOptions>;
  /** Reads the limit, so that the next call is counted in one round of the database. */
  prepare(
    options: Pick<CallOptions, "priority" | "requester">,
  ): Promise<void>;
  /**
   * Counts calls that follow each other in one transaction, and returns options with
   * which they may be made. If not all are free, `acquire` counts the others.
   */
  reserve(options: CallOptions, calls: number): Promise<CallOptions>;
  /** What the calls are counted by; `start` reserves one in it. */
  readonly name: string;
  /** Estimates the wait of a call, ms; negative if a place is kept for its subject. Reads nothing. */
  waitMs(
    options: Pick<CallOptions, "priority" | "requester" | "subject">,
  ): number;
  /** Starts a cooldown for all callers. */
  pause(forMs: number): Promise<void>;
}

/** Timeout of a job for one item, below the lease. Most of it is spent waiting for the rate limiter. */
const JOB_MS = 2 * MINUTE_MS;

/** Returns the call options of a reader: high priority, and the timeout of readers. */
export function readerCallOptions(requester: Requester): CallOptions {
  const signal = timeoutSignal(READER_WAIT_MS);
  return { priority: "reader", signal, requester };
}

/** Returns the call options of a job: low priority, and a long timeout. */
export function jobCallOptions(requester: Requester = SERVICE): CallOptions {
  return { priority: "job", signal: timeoutSignal(JOB_MS), requester };
}
