/** How many calls an upstream may get: exact limits over sliding windows. */
import { LONGEST_QUIET_MS } from "../http/retry_after.ts";

/** At most `calls` in any stretch of `perMs` milliseconds. */
export interface Limit {
  readonly calls: number;
  readonly perMs: number;
}

/** What may be had of something, whoever asks. */
export interface Budget {
  /** Names it in the store. */
  readonly whose: string;
  readonly limits: readonly Limit[];
}

/** Calls by slot, the oldest first. */
export type Slots = readonly (readonly [slot: number, calls: number])[];

/** The calls made lately, counted in slots; one list a limit. */
export interface Ledger {
  readonly counts: readonly Slots[];
  /** Upstream asked for quiet until then, epoch ms. */
  readonly closedUntil: number;
}

/** May the call be made now, and if not, how long is the wait? */
export type Admission =
  | { allowed: true; ledger: Ledger }
  | { allowed: false; retryAfterMs: number };

/** Slots a window is cut into; a slot counts until all of it has left the window. */
const SLOTS = 60;

/** A ledger with no call in it. */
export const EMPTY_LEDGER: Ledger = { counts: [], closedUntil: 0 };

/** Admits one call at `now` (epoch ms) or says when it would fit. */
export function admit(
  ledger: Ledger,
  limits: readonly Limit[],
  now: number,
): Admission {
  const closedMs = ledger.closedUntil - now;
  // What lies further ahead than it can was written before the clock was set back.
  let retryAfterMs = closedMs > LONGEST_QUIET_MS ? 0 : Math.max(0, closedMs);
  for (const [index, limit] of limits.entries()) {
    const recent = recentSlots(ledger, { limit, index }, now);
    let total = sumOf(recent);
    for (const [slot, calls] of recent) {
      if (total < limit.calls) break;
      total -= calls;
      const leavesInMs = Math.ceil(leavesAt(limit, slot) - now);
      retryAfterMs = Math.max(retryAfterMs, leavesInMs);
    }
  }
  if (retryAfterMs > 0) return { allowed: false, retryAfterMs };
  return { allowed: true, ledger: withCall(ledger, limits, now) };
}

/** Returns a ledger with one call more in it, and without what counts no more. */
export function withCall(
  ledger: Ledger,
  limits: readonly Limit[],
  now: number,
): Ledger {
  const counts = limits.map((limit, index) =>
    increment(recentSlots(ledger, { limit, index }, now), slotAt(limit, now))
  );
  return { counts, closedUntil: 0 };
}

/** Returns the slots of a limit that count at an instant, the oldest first. */
export function recentSlots(
  ledger: Ledger,
  { limit, index }: { readonly limit: Limit; readonly index: number },
  now: number,
): Slots {
  const current = slotAt(limit, now);
  return (ledger.counts[index] ?? [])
    .filter(([slot]) => Math.abs(slot - current) <= SLOTS);
}

/** Returns the calls in slots. */
export function sumOf(slots: Slots): number {
  return slots.reduce((sum, [, calls]) => sum + calls, 0);
}

/** Returns the instant from which a slot counts no more, epoch ms. */
export function leavesAt({ perMs }: Limit, slot: number): number {
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

/** Returns limits of which a share is kept back for somebody else. */
export function shareOf(limits: readonly Limit[], share: number): Limit[] {
  return limits.map(({ calls, perMs }) => ({
    calls: Math.floor(calls * share),
    perMs,
  }));
}

/** Who a call is for: a reader waits seconds, a job waits as long as it takes. */
export type Priority = "reader" | "job";

/** Who a read is for, and when they stop waiting. */
export interface CallOptions {
  readonly priority: Priority;
  readonly signal: AbortSignal;
  /** The network whose share of the budget it comes out of; absent where the service asks for itself. */
  readonly client?: string | undefined;
}

/** The way to an upstream: calls go through it one by one. */
export interface UpstreamRateLimiter {
  /** Resolves when the call may be made; throws a fault where the wait is too long. */
  acquire(options: CallOptions): Promise<void>;
  /** Keeps everybody away for a while, because upstream said so. */
  pause(forMs: number): Promise<void>;
}
