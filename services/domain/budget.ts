/** How many calls an upstream may get: exact limits over sliding windows. */
import { LONGEST_QUIET_MS } from "./retry_after.ts";

/** At most `calls` in any stretch of `perMs` milliseconds. */
export interface Limit {
  readonly calls: number;
  readonly perMs: number;
}

/** The calls made lately, counted in slots; one list a limit. */
export interface Ledger {
  readonly counts: readonly (readonly [slot: number, calls: number][])[];
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
  const counts = limits.map((limit, index) => {
    const slotMs = limit.perMs / SLOTS;
    const current = Math.floor(now / slotMs);
    const recent = (ledger.counts[index] ?? [])
      .filter(([slot]) => Math.abs(slot - current) <= SLOTS);
    let total = recent.reduce((sum, [, calls]) => sum + calls, 0);
    for (const [slot, calls] of recent) {
      if (total < limit.calls) break;
      total -= calls;
      const leavesAt = (slot + SLOTS + 1) * slotMs;
      retryAfterMs = Math.max(retryAfterMs, Math.ceil(leavesAt - now));
    }
    return increment(recent, current);
  });
  if (retryAfterMs > 0) return { allowed: false, retryAfterMs };
  return { allowed: true, ledger: { counts, closedUntil: 0 } };
}

function increment(
  recent: readonly (readonly [slot: number, calls: number])[],
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
export interface Reading {
  readonly priority: Priority;
  readonly signal: AbortSignal;
}

/** The way to an upstream: calls go through it one by one. */
export interface Gate {
  /** Resolves when the call may be made; throws a fault where the wait is too long. */
  enter(reading: Reading): Promise<void>;
  /** Keeps everybody away for a while, because upstream said so. */
  close(forMs: number): Promise<void>;
}
