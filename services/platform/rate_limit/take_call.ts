/** Takes calls from budgets that requesters share. */
import { callsUsedUp, type Fault } from "../fault.ts";
import type { Clock } from "../clock.ts";
import type { BudgetStore } from "./call_budgets_store.ts";
import {
  type Requester,
  requesterOfClient,
  type SharedAdmission,
  type SharedBudget,
  UNSHARED,
  usedByOf,
} from "./call_budget.ts";

/** Dependencies of the rate limits. */
export interface RateLimitDeps extends Clock {
  readonly store: { readonly budgets: BudgetStore };
}

/** Takes a call from a shared budget for a requester, or those of several that are free; or returns the wait. */
export function takeCall(
  { now, store: { budgets } }: RateLimitDeps,
  budget: SharedBudget,
  requester: Requester,
  wanted?: number,
): Promise<SharedAdmission> {
  return budgets.takeShared(budget, requester, { now }, wanted);
}

/** Parties whose counts one transaction reads, besides the count of all: ten keys are one round. */
const MAX_PARTIES = 9;

/** Takes a call for each requester in one transaction, as many of the first ones as fit; or returns the waits. */
export function takeCalls(
  { now, store: { budgets } }: RateLimitDeps,
  budget: SharedBudget,
  requesters: readonly Requester[],
): Promise<SharedAdmission[]> {
  const names = new Set<string>();
  const fit = requesters.findIndex(({ parties }) => {
    for (const { name } of parties) names.add(name);
    return names.size > MAX_PARTIES;
  });
  // The first one fits: a wallet and its networks.
  const taken = fit < 0 ? requesters : requesters.slice(0, Math.max(1, fit));
  return budgets.takeEach(budget, taken, { now });
}

/**
 * Takes one call from a budget for a network, which gets at most half of what is
 * left, or for the service itself. Throws a fault if none is left for it.
 */
export async function takeForClient(
  deps: RateLimitDeps,
  { name, limits }: Omit<SharedBudget, "shares">,
  client: string | undefined,
): Promise<void> {
  const budget = { name, limits, shares: UNSHARED };
  const admission = await takeCall(deps, budget, requesterOfClient(client));
  if (!admission.allowed) throw refusalOf(name, client, admission);
}

/** Throws as `takeForClient` does if no call is left, but takes none and writes nothing. */
export async function requireLeftForClient(
  { now, store: { budgets } }: RateLimitDeps,
  { name, limits }: Omit<SharedBudget, "shares">,
  client: string | undefined,
): Promise<void> {
  const budget = { name, limits, shares: UNSHARED };
  const requester = requesterOfClient(client);
  const admission = await budgets.look(budget, requester, now().getTime());
  if (!admission.allowed) throw refusalOf(name, client, admission);
}

function refusalOf(
  upstream: string,
  client: string | undefined,
  { retryAfterMs, party }: SharedAdmission & { allowed: false },
): Fault {
  return callsUsedUp("scoringBusy", {
    upstream,
    requester: client ?? upstream,
    usedBy: usedByOf(party),
    retryAfterMs,
  });
}
