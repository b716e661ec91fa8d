/** Calls of this process that wait for their turn: a queue for each wallet or network. */
import type { Priority } from "./call_budget.ts";
import type { CallClass, Party, Requester } from "./requesters.ts";
import { isShort, maxOfClass, type SharedBudget } from "./shared_budget.ts";
import { maxOf } from "../extremes.ts";

/** A place in a queue, or the wait if the queue is too long. */
type Turn =
  | { readonly ahead: Promise<unknown>; readonly leave: () => void }
  | {
    readonly retryAfterMs: number;
    /** Whose queue is too long; undefined if all callers together wait. */
    readonly party: Party | undefined;
  };

/** Free calls that may wait at once. Each asks the database again. */
const MAX_FREE = 32;

/**
 * Queues waiting calls by their first party and priority, so that only the first
 * of each asks the database. Scores that would wait too long are refused at once.
 */
export function waitingCalls({ limits, shares }: SharedBudget) {
  const queues = new Map<string, { length: number; last: Promise<unknown> }>();
  let free = 0;

  /** Returns the ms for each call of a class in its part of the short windows. */
  function msPerCall(of: CallClass): number {
    const waits = limits.filter(isShort).map((limit) =>
      limit.perMs / Math.max(1, maxOfClass(limit, of, shares))
    );
    return Math.max(0, maxOf(waits));
  }

  return {
    /** Returns whether calls of a requester are waiting. */
    has: (requester: Requester, priority: Priority) =>
      queues.has(queueOf(requester, priority)),

    /** Enters the queue of a requester. The caller must leave it. */
    enter(
      requester: Requester,
      { priority, longestMs }: {
        readonly priority: Priority;
        readonly longestMs: number;
      },
    ): Turn {
      const { of } = requester;
      const name = queueOf(requester, priority);
      const queue = queues.get(name) ?? { length: 0, last: Promise.resolve() };
      const waitMs = queue.length * msPerCall(of);
      const isTooLong = of !== "service" && waitMs > longestMs;
      if (isTooLong || of === "free" && free >= MAX_FREE) {
        const party = isTooLong ? requester.parties[0] : undefined;
        return { retryAfterMs: Math.max(waitMs, msPerCall(of)), party };
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      const ahead = queue.last;
      const last = ahead.then(() => promise);
      queues.set(name, { length: queue.length + 1, last });
      if (of === "free") free++;
      return {
        ahead,
        leave() {
          resolve();
          if (of === "free") free--;
          const { length, last } = queues.get(name)!;
          if (length === 1) queues.delete(name);
          else queues.set(name, { length: length - 1, last });
        },
      };
    },
  };
}

function queueOf({ of, parties }: Requester, priority: Priority): string {
  return `${priority} ${parties[0]?.name ?? of}`;
}
