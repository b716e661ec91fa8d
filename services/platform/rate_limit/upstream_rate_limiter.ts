/** Rate limiter for calls to one upstream, shared by all processes. */
import type { Limit, Priority, UpstreamRateLimiter } from "./call_budget.ts";
import { shareOf } from "./call_budget.ts";
import { upstreamDown } from "../fault.ts";
import type { Timer } from "../clock.ts";
import { type RateLimitDeps, takeCall } from "./take_call.ts";

/** The share of a budget by priority. Jobs leave a part to readers. */
const SHARES: Record<Priority, number> = { reader: 1, job: 5 / 6 };

/** Longest wait for a call. */
const MAX_WAIT_MS: Record<Priority, number> = {
  reader: 5_000,
  job: 90_000,
};

/** Makes the rate limiter of an upstream. Its host is the name of the budget. */
export function upstreamRateLimiter(
  deps: RateLimitDeps & Timer,
  upstream: string,
  limits: readonly Limit[],
): UpstreamRateLimiter {
  return {
    async acquire({ priority, signal, client }) {
      const share = shareOf(limits, SHARES[priority]);
      const budget = { name: upstream, limits: share };
      for (;;) {
        if (signal.aborted) {
          throw upstreamDown(upstream, "answer took too long");
        }
        const admission = await takeCall(deps, budget, client);
        if (admission.allowed) return;
        const { retryAfterMs } = admission;
        if (retryAfterMs > MAX_WAIT_MS[priority]) {
          throw upstreamDown(upstream, "the budget of calls is used up", {
            retryAfterMs,
          });
        }
        await deps.sleep(retryAfterMs);
      }
    },

    pause(forMs) {
      return deps.store.budgets.close(upstream, deps.now().getTime() + forMs);
    },
  };
}
