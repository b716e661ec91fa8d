/** What is stored while it is good, and else what upstream says now. */
import type { ShareWork } from "./shared_work.ts";
import type { Clock } from "../clock.ts";
import type { CallOptions } from "../rate_limit/call_budget.ts";
import { Fault } from "../fault.ts";
import { isFresh } from "./freshness.ts";

/** What a caller accepts where upstream is not to be had, and who it is. */
export interface FreshnessOptions {
  /** Milliseconds past the hour; 0 accepts nothing stale, Infinity anything whole. */
  readonly maxStaleMs: number;
  /** The network that upstream's calls are made for; absent where the service asks for itself. */
  readonly client?: string | undefined;
}

/** Longest that a reader waits for upstream, all pages together. */
const READER_MS = 10_000;

/** Longest that a job waits for one item, most of it for a place in the budget. */
const JOB_MS = 120_000;

/** Returns how a reader's calls go: first in line, and given up after ten seconds. */
export function readerCallOptions(client?: string): CallOptions {
  const signal = AbortSignal.timeout(READER_MS);
  return { priority: "reader", signal, client };
}

/** Returns how a job's calls go: behind the readers, and with patience. */
export function jobCallOptions(): CallOptions {
  return { priority: "job", signal: AbortSignal.timeout(JOB_MS) };
}

/**
 * Returns what `find` has if it is good, else what `refresh` brings; concurrent
 * callers share one refresh. Where that fails, what is stored serves a caller
 * that accepts its age, and the fault everybody else.
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
