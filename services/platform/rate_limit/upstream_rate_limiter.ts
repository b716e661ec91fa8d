/** Rate limiter for calls to one upstream, shared by all processes. */
import {
  type CallOptions,
  describeLimits,
  type Limit,
  type Priority,
  type UpstreamRateLimiter,
} from "./call_budget.ts";
import { callsUsedUp, Fault, upstreamDown, upstreamPaused } from "../fault.ts";
import type { Timer } from "../clock.ts";
import { retryWords } from "../http/retry_after.ts";
import { type Party, type Requester, usedByOf } from "./requesters.ts";
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
import { canReserve, takeReserved, withReserved } from "./reserved_calls.ts";
import { waitingCalls } from "./waiting_calls.ts";

/** Jobs leave a sixth of each limit to readers. */
const JOB_SHARE = 5 / 6;

/** Longest wait for a call. */
const LONGEST_WAIT_MS: Record<Priority, number> = {
  reader: 5_000,
  job: 90_000,
};

/**
 * Retry-After of a score that waited in vain: calls become available within seconds.
 */
const LATE_RETRY_MS = 5_000;

type Refusal = Extract<SharedAdmission, { allowed: false }>;

/** How the calls to an upstream are counted. */
interface UpstreamOptions {
  /** The requester of calls that name none. */
  readonly defaultOf?: Requester;
  /**
   * The name of the upstream. Two upstreams may have one host, with different
   * limits, so each is counted by its name and host.
   */
  readonly upstream?: string;
  /** The limits of jobs, if they are counted separately from readers. */
  readonly jobLimits?: readonly Limit[] | undefined;
}

/** Makes the rate limiter of an upstream. The budget has the name of its host. */
export function upstreamRateLimiter(
  deps: RateLimitDeps & Timer,
  budget: SharedBudget,
  { upstream = "", jobLimits, ...options }: UpstreamOptions = {},
): UpstreamRateLimiter {
  const countName = `${upstream} ${budget.name}`.trim();
  if (jobLimits === undefined) {
    const share = { ...options, jobShare: JOB_SHARE };
    return singleRateLimiter(deps, { budget, countName }, share);
  }
  const alone = { ...options, jobShare: 1 };
  const readers = singleRateLimiter(deps, { budget, countName }, alone);
  const jobs = singleRateLimiter(deps, {
    budget: { ...budget, limits: jobLimits },
    countName: `${countName} jobs`,
  }, alone);
  const limiterOf = ({ priority }: CallOptions) =>
    priority === "job" ? jobs : readers;
  return {
    acquire: (call) => limiterOf(call).acquire(call),
    prepare: (call) => limiterOf(call).prepare(call),
    reserve: (call, calls) => limiterOf(call).reserve(call, calls),
    async pause(forMs) {
      await readers.pause(forMs);
      await jobs.pause(forMs);
    },
  };
}

/** Makes a rate limiter whose calls have one count. */
function singleRateLimiter(
  deps: RateLimitDeps & Timer,
  { budget, countName }: {
    readonly budget: SharedBudget;
    readonly countName: string;
  },
  { defaultOf, jobShare }: {
    readonly defaultOf?: Requester;
    readonly jobShare: number;
  },
): UpstreamRateLimiter {
  const waiting = waitingCalls(budget);

  const requesterOf = (options: CallOptions) =>
    options.requester ?? defaultOf ?? requesterOfClient(options.client);

  /** Takes calls that are free, at least one; or returns the refusal. */
  function take(
    { priority }: CallOptions,
    requester: Requester,
    wanted?: number,
  ): Promise<SharedAdmission> {
    const ownPart = priority === "job" ? jobShare : 1;
    const allowed = { ...budget, name: countName, ownPart };
    return takeCall(deps, allowed, requester, wanted);
  }

  /** Takes the call, or returns the wait. Throws a fault if that is too long. */
  async function tryCall(
    options: CallOptions,
    requester: Requester,
  ): Promise<number | null> {
    const { priority, signal } = options;
    if (signal.aborted) throw lateOf(budget, requester, options);
    const admission = await take(options, requester);
    if (admission.allowed) return null;
    const { retryAfterMs, used } = admission;
    // A client that has used up its share is refused at once, because other clients may
    // share its work.
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
    const { priority, signal } = options;
    const longestMs = LONGEST_WAIT_MS[priority];
    const turn = waiting.enter(requester, { priority, longestMs });
    if ("retryAfterMs" in turn) {
      const { retryAfterMs, party } = turn;
      throw refusalOf(budget, requester, options, {
        retryAfterMs,
        used: null,
        party,
      });
    }
    try {
      await settledOrAborted(turn.ahead, signal);
      for (;;) {
        const waitMs = await tryCall(options, requester);
        if (waitMs === null) return;
        await settledOrAborted(deps.sleep(waitMs), signal);
      }
    } finally {
      turn.leave();
    }
  }

  return {
    async acquire(options) {
      if (takeReserved(options, countName, deps.now().getTime())) return;
      const requester = requesterOf(options);
      if (!waiting.has(requester, options.priority)) {
        const waitMs = await tryCall(options, requester);
        if (waitMs === null) return;
      }
      await waitInTurn(options, requester);
    },

    prepare(options) {
      const requester = requesterOf(options);
      return deps.store.budgets.prepare([{ name: countName, requester }]);
    },

    async reserve(options, calls) {
      const requester = requesterOf(options);
      const isWaiting = waiting.has(requester, options.priority);
      if (isWaiting || options.signal.aborted || !canReserve(budget)) {
        return options;
      }
      const now = deps.now().getTime();
      // If counting fails here, it also fails in the first call, which reports
      // it.
      const taken = await take(options, requester, calls).catch(() => null);
      if (!taken?.allowed) return options;
      return withReserved(options, {
        budget: countName,
        calls: taken.calls,
        now,
      });
    },

    pause(forMs) {
      return deps.store.budgets.close(countName, deps.now().getTime() + forMs);
    },
  };
}

/** Resolves when the work has settled or the signal aborts. */
async function settledOrAborted(
  work: Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const aborted = Promise.withResolvers<void>();
  const onAbort = () => aborted.resolve();
  signal.addEventListener("abort", onAbort);
  await Promise.race([work, aborted.promise]);
  signal.removeEventListener("abort", onAbort);
}

/** Returns the fault of a call whose time ended while it waited. */
function lateOf(
  budget: SharedBudget,
  requester: Requester,
  options: CallOptions,
): Fault {
  const { of } = requester;
  return of === "free" || of === "paid"
    ? refusalOf(budget, requester, options, {
      retryAfterMs: LATE_RETRY_MS,
      used: null,
    })
    : upstreamDown(budget.name, "answer took too long");
}

/** Returns the fault of a call that would wait too long. */
function refusalOf(
  { name, shares }: SharedBudget,
  requester: Requester,
  { client }: CallOptions,
  { retryAfterMs, used, isClosed = false, party = used?.party }:
    & Pick<Refusal, "retryAfterMs" | "used">
    & Partial<Refusal>
    & { readonly party?: Party | undefined },
): Fault {
  if (isClosed) {
    return upstreamPaused(name, {
      retryAfterMs,
      cause: new Error(`${name} refuses calls until its pause has ended`),
    });
  }
  const { of, parties } = requester;
  if (of === "free" || of === "paid") {
    return callsUsedUp({
      upstream: name,
      requester: parties[0]?.name ?? of,
      usedBy: usedByOf(party),
      retryAfterMs,
    });
  }
  if (used === null || client === undefined) {
    return upstreamDown(name, "the budget of calls is used up", {
      retryAfterMs,
    });
  }
  const { limit } = used;
  const most = maxOfShare(maxOfClass(limit, of, shares), used.party);
  const { perMs } = limit;
  const words = describeLimits([{ calls: most, perMs }], `calls to ${name}`);
  return new Fault(
    `Rate limit of this network exceeded: expected at most ${words}; ${
      retryWords(retryAfterMs)
    }, or accept stored data with Cache-Control: max-stale`,
    {
      kind: "ipRateLimit",
      of: "fetches",
      network: client,
      most,
      perSeconds: perMs / 1000,
      retryAfterMs,
    },
  );
}
