/** Call budgets in KV, shared by all processes. */
import { type Admission, admit, NO_CALLS } from "./call_budget.ts";
import type { Budget, CallCounts, Limit } from "./call_budget.ts";
import { admitClient, type ShareAdmission } from "./fair_share.ts";
import { checkAndSet } from "../kv/commit.ts";
import * as keys from "../kv/keys.ts";

/** Call budgets in a store. */
export function budgetStore(kv: Deno.Kv) {
  return {
    /** Takes one call from a budget, or returns the wait. */
    take(
      name: string,
      limits: readonly Limit[],
      now: number,
    ): Promise<Admission> {
      const key = keys.budget(name);
      return checkAndSet<CallCounts, Admission>(kv, key, ({ value: held }) => {
        const admission = admit(held ?? NO_CALLS, limits, now);
        if (!admission.allowed) return { value: admission };
        return {
          value: admission,
          write: (atomic) =>
            atomic.set(key, admission.callCounts, { expireIn: lifeOf(limits) }),
        };
      });
    },

    /** Takes one call from a budget for a client, within its fair share. */
    takeShare(
      { name, limits }: Budget,
      client: string,
      now: number,
    ): Promise<ShareAdmission> {
      const key = keys.budget(name);
      const ownKey = keys.budget(`${name} for ${client}`);
      const options = { expireIn: lifeOf(limits) };
      return checkAndSet<CallCounts, ShareAdmission>(kv, key, async (held) => {
        const own = await kv.get<CallCounts>(ownKey);
        const callCounts = {
          all: held.value ?? NO_CALLS,
          own: own.value ?? NO_CALLS,
        };
        const admission = admitClient(callCounts, limits, now);
        if (!admission.allowed) return { value: admission };
        const { all: next, own: ownNext } = admission.callCounts;
        return {
          value: admission,
          write: (atomic) =>
            atomic.check(own).set(key, next, options)
              .set(ownKey, ownNext, options),
        };
      });
    },

    /** Closes a budget until a time, in epoch ms. */
    close(upstream: string, until: number): Promise<void> {
      const key = keys.budget(upstream);
      return checkAndSet<CallCounts, void>(kv, key, ({ value: held }) => {
        const callCounts = held ?? NO_CALLS;
        const closedUntil = Math.max(callCounts.closedUntil, until);
        return {
          value: undefined,
          write: (atomic) => atomic.set(key, { ...callCounts, closedUntil }),
        };
      });
    },
  };
}

/** Counts are useless once all windows have passed. */
function lifeOf(limits: readonly Limit[]): number {
  return 2 * Math.max(...limits.map(({ perMs }) => perMs));
}

/** Call budgets in a store. */
export type BudgetStore = ReturnType<typeof budgetStore>;
