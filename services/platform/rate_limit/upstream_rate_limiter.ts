/** Rate limiter for calls to one upstream, shared by all processes. */
import {
  type CallOptions,
  describeLimits,
  type Limit,
  type Priority,
  READER_WAIT_MS,
  type SharedAdmission,
  type SharedBudget,
  UNSHARED,
  type UpstreamRateLimiter,
  usedByOf,
} from "./call_budget.ts";
import {
  callsUsedUp,
  Fault,
  notReadYet,
  upstreamDown,
  upstreamPaused,
} from "../fault.ts";
import type { Timer } from "../clock.ts";
import { MINUTE_MS } from "../days.ts";
import { maxOf, minOf } from "../numbers.ts";
import { retryWords } from "../text.ts";
import { fairQueue, isScore, type Waiting } from "./fair_queue.ts";
import type { RateLimitDeps } from "./change_limits.ts";

/** Longest wait for a call. */
const LONGEST_WAIT_MS: Record<Priority, number> = {
  reader: 5_000,
  job: 90_000,
};

/** Scores of one process that may wait at once. */
const MAX_SCORES = 512;

/** Waiting calls that are counted in one transaction. */
const MAX_TOGETHER = 16;

/** What a rate limiter needs. `stopping` ends all waits. */
type LimiterDeps = RateLimitDeps & Timer & {
  readonly stopping?: AbortSignal;
};

type Refusal = Extract<SharedAdmission, { allowed: false }>;

/** A call that waits for its turn. */
interface Entry extends Waiting {
  readonly options: CallOptions;
  readonly admit: () => void;
  readonly reject: (error: unknown) => void;
}

/** How the calls to an upstream are counted. */
interface UpstreamOptions {
  /**
   * The name of the upstream. Two upstreams may have one host, with different
   * limits, so each is counted by its name and host.
   */
  readonly upstream?: string;
  /** The limits of jobs, if they are counted separately from readers. */
  readonly jobLimits?: readonly Limit[] | undefined;
}

/** Returns the name that the calls to an upstream at a host are counted by. */
export function countNameOf(upstream: string, host: string): string {
  return `${upstream} ${host}`.trim();
}

/** Returns the budget of the jobs that call an upstream at a host, if they are counted separately. */
export function budgetOfJobs(
  upstream: string,
  host: string,
  limits: readonly Limit[],
): SharedBudget {
  const name = `${countNameOf(upstream, host)} jobs`;
  return { name, limits, shares: UNSHARED };
}

/** Makes the rate limiter of an upstream. The budget has the name of its host. */
export function upstreamRateLimiter(
  deps: LimiterDeps,
  budget: SharedBudget,
  { upstream = "", jobLimits }: UpstreamOptions = {},
): UpstreamRateLimiter {
  const countName = countNameOf(upstream, budget.name);
  const readers = singleRateLimiter(deps, { budget, countName });
  if (jobLimits === undefined) return readers;
  const jobs = singleRateLimiter(deps, {
    budget: { ...budget, limits: jobLimits },
    countName: budgetOfJobs(upstream, budget.name, jobLimits).name,
  });
  const limiterOf = ({ priority }: Pick<CallOptions, "priority">) =>
    priority === "job" ? jobs : readers;
  return {
    acquire: (call) => limiterOf(call).acquire(call),
    start: (call) => limiterOf(call).start(call),
    prepare: (call) => limiterOf(call).prepare(call),
    reserve: (call, calls) => limiterOf(call).reserve(call, calls),
    name: readers.name,
    waitMs: (call) => limiterOf(call).waitMs(call),
    async pause(forMs) {
      await readers.pause(forMs);
      await jobs.pause(forMs);
    },
  };
}

/** Makes a rate limiter whose calls have one count. */
function singleRateLimiter(
  deps: LimiterDeps,
  { budget, countName }: {
    readonly budget: SharedBudget;
    readonly countName: string;
  },
): UpstreamRateLimiter {
  const queue = fairQueue<Entry>(budget.limits);
  const counted = { ...budget, name: countName };
  let scores = 0;
  let isServing = false;
  let wake = () => {};
  const nowMs = () => deps.now().getTime();

  deps.stopping?.addEventListener("abort", () => {
    for (const entry of queue.list()) refuse(entry, null);
    wake();
  });

  /** Refuses a call that has waited too long; a score keeps a place. */
  function refuse(entry: Entry, refusal: Refusal | null): void {
    queue.leave(entry, nowMs());
    const { options } = entry;
    const { of } = options.requester;
    const isBusy = isScore(of) && (refusal === null ||
      refusal.limit !== null && refusal.limit.perMs <= MINUTE_MS);
    if (!isBusy) {
      entry.reject(refusalOf(budget, options, refusal));
      return;
    }
    const now = nowMs();
    const at = queue.keepPlace(entry, now, now + (refusal?.retryAfterMs ?? 0));
    const busy = { limit: null, party: undefined, retryAfterMs: at - now };
    entry.reject(busyFault(budget, options, busy));
  }

  /** Makes the waiting calls in turn, until none is left. */
  async function serve(): Promise<void> {
    if (isServing) return wake();
    isServing = true;
    /** Until when calls of a class, a wallet or a network are not tried. */
    const blocked = new Map<string, number>();
    const blockedUntil = ({ requester }: Entry) =>
      maxOf(
        ["all", requester.of, ...requester.parties.map(({ name }) => name)]
          .map((name) => blocked.get(name) ?? 0),
      );
    try {
      for (;;) {
        const now = nowMs();
        for (const entry of queue.list()) {
          // What fits just in time is still tried.
          const isLate = entry.until < now ||
            entry.until === now && blockedUntil(entry) > now;
          if (isLate) refuse(entry, null);
        }
        const next = queue.next(
          now,
          (entry) => blockedUntil(entry) <= now,
          MAX_TOGETHER,
        );
        if (next.length === 0) {
          const waiting = queue.list();
          if (waiting.length === 0) return;
          const changeAt = minOf(
            waiting.map((entry) => Math.min(entry.until, blockedUntil(entry))),
          );
          const woken = Promise.withResolvers<void>();
          wake = woken.resolve;
          await Promise.race([deps.sleep(changeAt - now), woken.promise]);
          wake = () => {};
          continue;
        }
        const admissions = await deps.store.budgets.takeEach(
          counted,
          next.map(({ requester }) => requester),
          deps,
        ).catch((error) => {
          for (const entry of next) {
            queue.leave(entry, nowMs());
            entry.reject(error);
          }
          return [];
        });
        for (const [nth, admission] of admissions.entries()) {
          const entry = next[nth]!;
          if (admission.allowed) {
            queue.serve(entry, nowMs());
            entry.admit();
            continue;
          }
          // What stops one before it stops it, too, so it is tried again later.
          if (blockedUntil(entry) > now) continue;
          const { party, limit, retryAfterMs } = admission;
          // A client that has used up its share is refused at once, because other
          // clients may share its work.
          const isShare = party !== undefined &&
            entry.requester.of === "service";
          if (isShare || now + retryAfterMs > entry.until) {
            refuse(entry, admission);
            continue;
          }
          const isOfAll = limit === null || limit.perMs < MINUTE_MS;
          const name = isOfAll ? "all" : party?.name ?? entry.requester.of;
          blocked.set(name, now + retryAfterMs);
        }
      }
    } finally {
      isServing = false;
    }
  }

  async function wait(asked: CallOptions): Promise<void> {
    // What has begun is ended: a line holds for the first call alone.
    const options = asked.isStarted && asked.requester.of === "refresh"
      ? { ...asked, requester: { ...asked.requester, of: "free" as const } }
      : asked;
    const { priority, requester, signal, subject, waitUntil = Infinity } =
      options;
    const { isStarted = false } = options;
    const isWaitingScore = isScore(requester.of);
    const waitMs = deps.stopping?.aborted
      ? 0
      : isWaitingScore && priority === "reader"
      ? READER_WAIT_MS
      : LONGEST_WAIT_MS[priority];
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const now = nowMs();
    const entry: Entry = {
      requester,
      priority,
      subject,
      isStarted,
      until: Math.max(now, Math.min(now + waitMs, waitUntil)),
      options,
      admit: resolve,
      reject,
    };
    if (signal.aborted) throw lateOf(budget, options);
    queue.enter(entry, now);
    if (isWaitingScore && scores >= MAX_SCORES) refuse(entry, null);
    const onAbort = () => {
      queue.leave(entry, nowMs());
      reject(lateOf(budget, options));
    };
    signal.addEventListener("abort", onAbort);
    if (isWaitingScore) scores++;
    try {
      serve();
      await promise;
    } finally {
      if (isWaitingScore) scores--;
      signal.removeEventListener("abort", onAbort);
    }
  }

  return {
    async acquire(options) {
      if (takeReserved(options, countName, nowMs())) return;
      await wait(options);
    },

    async start(options) {
      await wait(options);
      const started = { ...options, isStarted: true };
      return withReserved(started, {
        budget: countName,
        calls: 1,
        now: nowMs(),
      });
    },

    prepare({ requester }) {
      return deps.store.budgets.prepare([{ name: countName, requester }]);
    },

    async reserve(options, calls) {
      const { requester, signal } = options;
      // A window that is shorter could end before a reserved call.
      const isPossible = budget.limits.every(({ perMs }) => perMs >= MINUTE_MS);
      const isWaited = queue.list().length > 0;
      if (isWaited || signal.aborted || !isPossible) return options;
      // If counting fails here, it also fails in the first call, which reports
      // it.
      const taken = await deps.store.budgets
        .takeShared(counted, requester, deps, calls).catch(() => null);
      if (!taken?.allowed) return options;
      return withReserved(options, {
        budget: countName,
        calls: taken.calls,
        now: nowMs(),
      });
    },

    name: countName,

    waitMs({ priority, requester, subject }) {
      const now = nowMs();
      const queuedMs = queue.waitMs({ priority, requester, subject }, now);
      const isLeft = deps.store.budgets.isLeftFor(counted, requester, now);
      return queuedMs + (isLeft ? 0 : 1);
    },

    pause(forMs) {
      return deps.store.budgets.close(countName, nowMs() + forMs);
    },
  };
}

/** Returns options of calls that were counted in a budget at `now` or later. */
function withReserved(
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
function takeReserved(
  { reserved }: CallOptions,
  budget: string,
  now: number,
): boolean {
  if (reserved?.budget !== budget || reserved.left === 0) return false;
  reserved.left--;
  return now <= reserved.until;
}

/** Returns the fault of a call whose time ended while it waited. */
function lateOf(budget: SharedBudget, options: CallOptions): Fault {
  const { of } = options.requester;
  return isScore(of) || of === "refresh"
    ? busyFault(budget, options, {
      retryAfterMs: LONGEST_WAIT_MS.reader,
      party: undefined,
      limit: null,
    })
    : upstreamDown(budget.name, "answer took too long");
}

/** Returns the fault of a score that may not call an upstream now. */
function busyFault(
  { name }: SharedBudget,
  { requester: { of, parties } }: CallOptions,
  { retryAfterMs, party, limit }: Pick<
    Refusal,
    "retryAfterMs" | "party" | "limit"
  >,
): Fault {
  return callsUsedUp(
    limit !== null && limit.perMs > MINUTE_MS ? "capacitySpent" : "scoringBusy",
    {
      upstream: name,
      requester: parties[0]?.name ?? of,
      usedBy: usedByOf(party),
      retryAfterMs,
    },
  );
}

/** Returns the fault of a call that would wait too long; `refusal` is null for one that has waited too long. */
function refusalOf(
  budget: SharedBudget,
  options: CallOptions,
  refusal: Refusal | null,
): Fault {
  const { name } = budget;
  const { of } = options.requester;
  const usedUp = (retryAfterMs?: number) =>
    of === "service"
      ? notReadYet(retryAfterMs)
      : upstreamDown(name, "the budget of calls is used up", {
        ...retryAfterMs !== undefined && { retryAfterMs },
      });
  if (refusal === null) {
    return of === "refresh" ? lateOf(budget, options) : usedUp();
  }
  const { retryAfterMs, party, limit } = refusal;
  if (limit === null) {
    return upstreamPaused(name, {
      retryAfterMs,
      cause: new Error(`${name} refuses calls until its pause has ended`),
    });
  }
  if (isScore(of) || of === "refresh") {
    return busyFault(budget, options, refusal);
  }
  if (party === undefined) return usedUp(retryAfterMs);
  const words = describeLimits([limit], `calls to ${name}`);
  return new Fault(
    `Rate limit of this ${
      usedByOf(party)
    } exceeded: expected at most ${words}; ${retryWords(retryAfterMs)}${
      of === "service" ? STALE_WORDS : ""
    }`,
    {
      kind: "ipRateLimit",
      of: "fetches",
      network: party.name,
      most: limit.calls,
      perSeconds: limit.perMs / 1000,
      retryAfterMs,
    },
  );
}

const STALE_WORDS = ", or accept stored data with Cache-Control: max-stale";
