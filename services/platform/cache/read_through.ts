/** Read-through cache: stored data while it is fresh, otherwise data from the upstream. */
import type { ShareWork } from "./shared_work.ts";
import { type Clock, timeoutSignal } from "../clock.ts";
import { type CallOptions, READER_WAIT_MS } from "../rate_limit/call_budget.ts";
import { type Requester, SERVICE } from "../rate_limit/requesters.ts";
import { MINUTE_MS } from "../days.ts";
import { Fault } from "../fault.ts";
import { isFresh } from "./freshness.ts";

/** How stale an answer may be if the upstream fails, and which client asks. */
export interface FreshnessOptions {
  /** Milliseconds beyond freshness; 0 accepts no stale data, Infinity any. */
  readonly maxStaleMs: number;
  /** The network whose share of the rate limit is used; absent for the service itself. */
  readonly client?: string | undefined;
}

/** Timeout of a job for one item, below the lease. Most of it is spent waiting for the rate limiter. */
const JOB_MS = 2 * MINUTE_MS;

/** Returns the call options of a reader: high priority, and the timeout of readers. */
export function readerCallOptions(requester: Requester): CallOptions {
  const signal = timeoutSignal(READER_WAIT_MS);
  return { priority: "reader", signal, requester };
}

/** Returns the call options of a job: low priority, and a long timeout. */
export function jobCallOptions(requester: Requester = SERVICE): CallOptions {
  return { priority: "job", signal: timeoutSignal(JOB_MS), requester };
}

/**
 * Returns the stored data if it is fresh, otherwise the result of `refresh`,
 * which concurrent callers share. If the refresh fails, returns stored data that
 * is not too stale for the caller, otherwise throws the fault.
 */
export async function readThrough<T extends { fetchedAt: number }>(
  deps: Clock & { readonly share: ShareWork },
  key: string,
  source: { find: () => Promise<T | null>; refresh: () => Promise<T> },
  { maxStaleMs, client }: FreshnessOptions,
): Promise<T> {
  const held = await source.find();
  if (held && isFresh(held, deps.now().getTime())) return held;
  try {
    return await deps.share(key, source.refresh, client);
  } catch (error) {
    const now = deps.now().getTime();
    const serves = error instanceof Fault && held &&
      isFresh(held, now, maxStaleMs);
    if (serves) return held;
    throw error;
  }
}
