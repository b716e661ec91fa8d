/** Call budgets in KV, shared by all processes. */
import { type Admission, admit, NO_CALLS } from "./call_budget.ts";
import type { CallCounts, Limit } from "./call_budget.ts";
import {
  admitShared,
  NO_SHARED_CALLS,
  type SharedAdmission,
  type SharedBudget,
  type SharedCounts,
  withRequest,
} from "./shared_budget.ts";
import type { Requester } from "./requesters.ts";
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

    /** Takes one call from a shared budget for a requester, or returns the wait. */
    takeShared(
      budget: SharedBudget,
      requester: Requester,
      now: number,
    ): Promise<SharedAdmission> {
      const key = keys.budget(budget.name);
      const partyKeys = requester.parties.map(({ name }) =>
        keys.budget(`${budget.name} for ${name}`)
      );
      const options = { expireIn: lifeOf(budget.limits) };
      return checkAndSet<SharedCounts, SharedAdmission>(
        kv,
        key,
        async ({ value }) => {
          const all = value ?? NO_SHARED_CALLS;
          // Each change of a party's record also changes the budget's.
          const parties = await Promise.all(
            partyKeys.map((key) => kv.get<CallCounts>(key)),
          );
          const ledger = {
            all,
            parties: parties.map(({ value }) => value ?? NO_CALLS),
          };
          const admission = admitShared(ledger, budget, requester, now);
          if (!admission.allowed) {
            const { of } = requester;
            if (Math.abs(now - (all.askedAt[of] ?? 0)) < ASKED_MS) {
              return { value: admission };
            }
            const asked = withRequest(all, of, now);
            return {
              value: admission,
              write: (atomic) => atomic.set(key, asked, options),
            };
          }
          const { all: next, parties: nextParties } = admission.ledger;
          return {
            value: admission,
            write: (atomic) =>
              partyKeys.reduce(
                (atomic, key, nth) =>
                  atomic.set(key, nextParties[nth], options),
                atomic.set(key, next, options),
              ),
          };
        },
      );
    },

    /** Closes a shared budget until a time, in epoch ms. */
    close(name: string, until: number): Promise<void> {
      const key = keys.budget(name);
      return checkAndSet<SharedCounts, void>(kv, key, ({ value }) => {
        const all = value ?? NO_SHARED_CALLS;
        const closedUntil = Math.max(all.closedUntil, until);
        return {
          value: undefined,
          write: (atomic) => atomic.set(key, { ...all, closedUntil }),
        };
      });
    },
  };
}

/** How often a refused class is recorded as asking. */
const ASKED_MS = 250;

/** Counts are useless once all windows have passed. */
function lifeOf(limits: readonly Limit[]): number {
  return 2 * Math.max(...limits.map(({ perMs }) => perMs));
}

/** Call budgets in a store. */
export type BudgetStore = ReturnType<typeof budgetStore>;
