/** One client among many: what it may take of a budget that all of them share. */
import {
  admit,
  leavesAt,
  type Ledger,
  type Limit,
  recentSlots,
  sumOf,
  withCall,
} from "./call_budget.ts";

/** The calls of everybody, and those of one client among them. */
export interface Ledgers {
  readonly all: Ledger;
  readonly own: Ledger;
}

/** May the call be made for the client now? */
export type ShareAdmission =
  | { allowed: true; ledgers: Ledgers }
  /** Nobody gets a call. */
  | { allowed: false; retryAfterMs: number; shareOf: null }
  /** The client has had its share of a limit. */
  | { allowed: false; retryAfterMs: number; shareOf: Limit };

/**
 * Admits one call for a client at `now` (epoch ms) or says when it would fit. A
 * client is served while it has had fewer calls than are left for everybody: so
 * one alone gets half of a budget, and however much it asks for, the other half
 * stays, and to the next one half of that.
 */
export function admitClient(
  { all, own }: Ledgers,
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
  const ledgers = { all: whole.ledger, own: withCall(own, limits, now) };
  return { allowed: true, ledgers };
}

/** Returns the most calls that a client gets of a limit where nobody else asks. */
export function mostOfShare({ calls }: Limit): number {
  return Math.ceil(calls / 2);
}

/** Returns the ms until a client has had fewer calls than are left; 0 where it has. */
function waitForShare(
  { all, own }: Ledgers,
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
