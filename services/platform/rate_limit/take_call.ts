/** Takes calls from budgets that clients share fairly. */
import type { Clock } from "../clock.ts";
import type { BudgetStore } from "./call_budgets_store.ts";
import { type Budget, describeLimits, type Limit } from "./call_budget.ts";
import { maxOfShare } from "./fair_share.ts";
import { Fault } from "../fault.ts";

/** Dependencies of the rate limits. */
export interface RateLimitDeps extends Clock {
  readonly store: { readonly budgets: BudgetStore };
}

/** Whether the call may be made, and otherwise the wait. */
type Taken = { allowed: true } | { allowed: false; retryAfterMs: number };

/**
 * Takes one call from a budget, for a client if one is given. Throws a fault at
 * once if the client used up its share, because other callers may share its work.
 */
export async function takeCall(
  { now, store: { budgets } }: RateLimitDeps,
  budget: Budget,
  client: string | undefined,
): Promise<Taken> {
  const at = now().getTime();
  if (client === undefined) {
    return await budgets.take(budget.name, budget.limits, at);
  }
  const admission = await budgets.takeShare(budget, client, at);
  if (!admission.allowed && admission.shareOf !== null) {
    throw shareUsed(budget, client, admission);
  }
  return admission;
}

function shareUsed(
  { name }: Budget,
  network: string,
  { shareOf, retryAfterMs }: {
    readonly shareOf: Limit;
    readonly retryAfterMs: number;
  },
): Fault {
  const most = maxOfShare(shareOf);
  const { perMs } = shareOf;
  const limit = describeLimits([{ calls: most, perMs }], `calls to ${name}`);
  return new Fault(
    `Rate limit of your network exceeded: expected at most ${limit}; Cache-Control: max-stale accepts stored data`,
    {
      kind: "fairUse",
      of: "fetches",
      network,
      most,
      perSeconds: perMs / 1000,
      retryAfterMs,
    },
  );
}
