/** Call budgets in KV, shared by all processes. */
import { type Admission, admit, EMPTY_LEDGER } from "./call_budget.ts";
import type { Budget, Ledger, Limit } from "./call_budget.ts";
import { admitClient, type ShareAdmission } from "./fair_share.ts";
import { checkAndSet } from "../kv/commit.ts";
import * as keys from "../kv/keys.ts";

/** Call budgets in a store. */
export function budgetStore(kv: Deno.Kv) {
  return {
    /** Takes one call from a budget, or returns the wait. */
    take(
      whose: string,
      limits: readonly Limit[],
      now: number,
    ): Promise<Admission> {
      const key = keys.budget(whose);
      return checkAndSet<Ledger, Admission>(kv, key, ({ value: held }) => {
        const admission = admit(held ?? EMPTY_LEDGER, limits, now);
        if (!admission.allowed) return { value: admission };
        return {
          value: admission,
          write: (atomic) =>
            atomic.set(key, admission.ledger, { expireIn: lifeOf(limits) }),
        };
      });
    },

    /** Takes one call from a budget for a client, within its fair share. */
    takeShare(
      { whose, limits }: Budget,
      client: string,
      now: number,
    ): Promise<ShareAdmission> {
      const key = keys.budget(whose);
      const ownKey = keys.budget(`${whose} for ${client}`);
      const options = { expireIn: lifeOf(limits) };
      return checkAndSet<Ledger, ShareAdmission>(kv, key, async (held) => {
        const own = await kv.get<Ledger>(ownKey);
        const ledgers = {
          all: held.value ?? EMPTY_LEDGER,
          own: own.value ?? EMPTY_LEDGER,
        };
        const admission = admitClient(ledgers, limits, now);
        if (!admission.allowed) return { value: admission };
        const { all: next, own: ownNext } = admission.ledgers;
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
      return checkAndSet<Ledger, void>(kv, key, ({ value: held }) => {
        const ledger = held ?? EMPTY_LEDGER;
        const closedUntil = Math.max(ledger.closedUntil, until);
        return {
          value: undefined,
          write: (atomic) => atomic.set(key, { ...ledger, closedUntil }),
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
