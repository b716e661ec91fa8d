/** Fair shares: how much of a shared budget one client may use. */
import {
  admit,
  type CallCounts,
  leavesAt,
  type Limit,
  recentSlots,
  sumOf,
  withCall,
} from "./call_budget.ts";

/** The calls of all clients, and those of one client. */
export interface ClientCallCounts {
  readonly all: CallCounts;
  readonly own: CallCounts;
}

/** Whether a client may make a call now, and otherwise the wait. */
export type ShareAdmission =
  | { allowed: true; callCounts: ClientCallCounts }
  /** The whole budget is used up. */
  | { allowed: false; retryAfterMs: number; shareOf: null }
  /** The client used up its share of a limit. */
  | { allowed: false; retryAfterMs: number; shareOf: Limit };

/**
 * Admits one call of a client at `now` (epoch ms), or returns the wait. A client
 * is admitted while it has made fewer calls than the budget has left: a single
 * client gets half of the budget, and the next one half of the rest.
 */
export function admitClient(
  { all, own }: ClientCallCounts,
  limits: readonly Limit[],
  now: number,
): ShareAdmission {
  const whole = admit(all, limits, now);
  if (!whole.allowed) return { ...whole, shareOf: null };
  const waits = limits.map((limit, index) => ({
    limit,
    ms: waitForShare({ all, own }, { limit, index }, now),
  }));
  const longest = waits.reduce((a, b) => b.ms > a.ms ? b : a);
  if (longest.ms > 0) {
    return {
      allowed: false,
      retryAfterMs: longest.ms,
      shareOf: longest.limit,
    };
  }
  const callCounts = { all: whole.callCounts, own: withCall(own, limits, now) };
  return { allowed: true, callCounts };
}

/** Returns the share of a limit that a client gets when no other client makes calls. */
export function maxOfShare({ calls }: Limit): number {
  return Math.ceil(calls / 2);
}

/** Returns the ms until a client has made fewer calls than the budget has left; 0 if it already has. */
function waitForShare(
  { all, own }: ClientCallCounts,
  place: { readonly limit: Limit; readonly index: number },
  now: number,
): number {
  const { limit } = place;
  const everybody = recentSlots(all, place, now);
  const mine = recentSlots(own, place, now);
  const mineBySlot = new Map(mine);
  let left = limit.calls - sumOf(everybody);
  let had = sumOf(mine);
  let waitMs = 0;
  for (const [slot, calls] of everybody) {
    if (had < left) break;
    left += calls;
    had -= mineBySlot.get(slot) ?? 0;
    waitMs = Math.max(waitMs, Math.ceil(leavesAt(limit, slot) - now));
  }
  return waitMs;
}
