/** Calls that follow each other, counted together: one commit instead of one for each. */
import { type CallOptions, READER_WAIT_MS } from "./call_budget.ts";
import type { Requester } from "./requesters.ts";
import {
  admitShared,
  type BudgetCounts,
  type SharedAdmission,
  type SharedBudget,
} from "./shared_budget.ts";
import { MINUTE_MS } from "../days.ts";

/** A window that is shorter could end before a reserved call. */
const SHORTEST_WINDOW_MS = MINUTE_MS;

/**
 * Admits the first of some calls at `now` (epoch ms), or returns the wait.
 * Admits as many of the others as are free; each counts from now on, as if it
 * were made at the latest allowed time.
 */
export function admitSequence(
  counts: BudgetCounts,
  budget: SharedBudget,
  requester: Requester,
  { now, wanted }: { readonly now: number; readonly wanted: number },
): SharedAdmission {
  let admitted = admitShared(counts, budget, requester, now);
  for (let calls = 1; admitted.allowed && calls < wanted; calls++) {
    const before = admitted.counts;
    const callAt = now + READER_WAIT_MS;
    const next = admitShared(before, budget, requester, now, callAt);
    if (!next.allowed) break;
    admitted = { ...next, calls: calls + 1 };
  }
  return admitted;
}

/** Returns whether calls of a budget can be reserved. */
export function canReserve({ limits }: SharedBudget): boolean {
  return limits.every(({ perMs }) => perMs >= SHORTEST_WINDOW_MS);
}

/** Returns options of calls that were counted in a budget at `now` or later. */
export function withReserved(
  options: CallOptions,
  { budget, calls, now }: {
    readonly budget: string;
    readonly calls: number;
    readonly now: number;
  },
): CallOptions {
  // Calls that the reader no longer waits for are counted anew.
  const reserved = { budget, until: now + READER_WAIT_MS, left: calls };
  return { ...options, reserved };
}

/** Uses up a reserved call of a budget; false if there is none, or if it is too late. */
export function takeReserved(
  { reserved }: CallOptions,
  budget: string,
  now: number,
): boolean {
  if (reserved?.budget !== budget || reserved.left === 0) return false;
  reserved.left--;
  return now <= reserved.until;
}
