/** Rate limiter for calls to one upstream, shared by all processes. */
import {
  type CallOptions,
  describeLimits,
  type Priority,
  type UpstreamRateLimiter,
} from "./call_budget.ts";
import { callsUsedUp, Fault, upstreamDown } from "../fault.ts";
import type { Timer } from "../clock.ts";
import type { Requester } from "./requesters.ts";
import {
  maxOfClass,
  maxOfShare,
  type SharedAdmission,
  type SharedBudget,
} from "./shared_budget.ts";
import {
  type RateLimitDeps,
  requesterOfClient,
  takeCall,
} from "./take_call.ts";
import { waitingCalls } from "./waiting_calls.ts";

/** Jobs leave a sixth of each limit to readers. */
const JOB_SHARE = 5 / 6;

/** Longest wait for a call. */
const LONGEST_WAIT_MS: Record<Priority, number> = {
  reader: 5_000,
  job: 90_000,
};

type Refusal = Extract<SharedAdmission, { allowed: false }>;

/** Makes the rate limiter of an upstream. Its host is the name of the budget. */
export function upstreamRateLimiter(
  deps: RateLimitDeps & Timer,
  budget: SharedBudget,
  { defaultOf }: { readonly defaultOf?: Requester } = {},
): UpstreamRateLimiter {
  const { name } = budget;
  const waiting = waitingCalls(budget);

  /** Takes the call, or returns the wait. Throws a fault if that is too long. */
  async function tryCall(
    options: CallOptions,
    requester: Requester,
  ): Promise<number | null> {
    const { priority, signal } = options;
    if (signal.aborted) throw upstreamDown(name, "answer took too long");
    const allowed = priority === "job" ? withoutReaders(budget) : budget;
    const admission = await takeCall(deps, allowed, requester);
    if (admission.allowed) return null;
    const { retryAfterMs, used } = admission;
    // A client's share is refused at once, because other clients may share its work.
    const isShare = used !== null && options.client !== undefined;
    if (isShare || retryAfterMs > LONGEST_WAIT_MS[priority]) {
      throw refusalOf(budget, requester, options, admission);
    }
    return retryAfterMs;
  }

  async function waitInTurn(
    options: CallOptions,
    requester: Requester,
  ): Promise<void> {
    const longestMs = LONGEST_WAIT_MS[options.priority];
    const turn = waiting.enter(requester, longestMs);
    if ("retryAfterMs" in turn) {
      throw refusalOf(budget, requester, options, { ...turn, used: null });
    }
    try {
      await turn.ahead;
      for (;;) {
        const waitMs = await tryCall(options, requester);
        if (waitMs === null) return;
        await deps.sleep(waitMs);
      }
    } finally {
      turn.leave();
    }
  }

  return {
    async acquire(options) {
      const requester = options.requester ?? defaultOf ??
        requesterOfClient(options.client);
      if (!waiting.has(requester)) {
        const waitMs = await tryCall(options, requester);
        if (waitMs === null) return;
      }
      await waitInTurn(options, requester);
    },

    pause(forMs) {
      return deps.store.budgets.close(name, deps.now().getTime() + forMs);
    },
  };
}

/** Returns a budget without the part that jobs leave to readers. */
function withoutReaders(budget: SharedBudget): SharedBudget {
  const limits = budget.limits.map(({ calls, perMs }) => ({
    calls: Math.ceil(calls * JOB_SHARE),
    perMs,
  }));
  return { ...budget, limits };
}

/** Returns the fault of a call that would wait too long. */
function refusalOf(
  { name, shares }: SharedBudget,
  requester: Requester,
  { client }: CallOptions,
  { retryAfterMs, used }: Pick<Refusal, "retryAfterMs" | "used">,
): Fault {
  const { of, parties } = requester;
  if (of === "free" || of === "paid") {
    const who = parties[0]?.name ?? of;
    return callsUsedUp(name, who, retryAfterMs);
  }
  if (used === null || client === undefined) {
    return upstreamDown(name, "the budget of calls is used up", {
      retryAfterMs,
    });
  }
  const { limit, party } = used;
  const most = maxOfShare(maxOfClass(limit, of, shares), party);
  const { perMs } = limit;
  const words = describeLimits([{ calls: most, perMs }], `calls to ${name}`);
  return new Fault(
    `Rate limit of your network exceeded: expected at most ${words}; Cache-Control: max-stale accepts stored data`,
    {
      kind: "fairUse",
      of: "fetches",
      network: client,
      most,
      perSeconds: perMs / 1000,
      retryAfterMs,
    },
  );
}
