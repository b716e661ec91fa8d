/**
 * Caches: how long data of upstreams stays fresh, caches with a bound, and work that
 * callers share, outside of the turn in which they use the main thread.
 */
import { LRUCache } from "lru-cache";
import { AsyncLocalStorage } from "node:async_hooks";
import { HOUR_MS } from "./days.ts";
import { type Clock, CLOCK_SKEW_MS } from "./clock.ts";
import { Fault, isOwnLimit, refusedClient } from "./fault.ts";

/** How long data from an upstream counts as fresh, and the max-age of open answers. */
export const UPSTREAM_FRESH_MS = HOUR_MS;

/** Returns the age in ms, at least 0 even if the clock was set back. */
export function ageMs(data: { fetchedAt: number }, now: number): number {
  return Math.max(0, now - data.fetchedAt);
}

/** Returns whether data is fresh, or stale by at most `maxStaleMs`. */
export function isFresh(
  data: { fetchedAt: number },
  now: number,
  maxStaleMs = 0,
): boolean {
  if (data.fetchedAt > now + CLOCK_SKEW_MS) return false;
  const staleMs = ageMs(data, now) - UPSTREAM_FRESH_MS;
  return staleMs < 0 || (maxStaleMs > 0 && staleMs <= maxStaleMs);
}

/** Returns the hours since an instant in epoch ms, to one decimal and at least 0. */
export function hoursSince(at: number, now: number): number {
  return Math.round(ageMs({ fetchedAt: at }, now) / 360_000) / 10;
}

/** An answer and its instants in epoch ms. */
export interface CacheableAnswer<T> {
  readonly answer: T;
  /** When its data was fetched. */
  readonly fetchedAt: number;
  /** When it last changed; null if unknown. */
  readonly changedAt: number | null;
  /** Whether it never changes again. */
  readonly isFinal?: boolean;
}

/**
 * Returns a cache of at most `most` entries. Its memory grows with the entries: the
 * option `max` would allocate room for all of them at once.
 */
export function boundedCache<V extends object | string>(
  most: number,
): LRUCache<string, V> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
}

/** A turn of the main thread. */
export interface Turn {
  /** Gives the turn to others until what is waited for has ended. Returns its result. */
  readonly outside: <T>(wait: () => Promise<T>) => Promise<T>;
  /** Charges a read of the sources. */
  readonly noteRead: () => void;
}

/** The turn of the work under way; none for work that no queue limits. */
const current = new AsyncLocalStorage<Turn | undefined>();

/** Works in a turn. */
export function workIn<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
  return current.run(turn, work);
}

/**
 * Works without a turn: every request and every job begins so. In Deno 2.9 a dynamic
 * import leaves the context in which it ran, and the next request would begin in it,
 * with the turn of another client.
 */
export function workWithoutTurn<T>(work: () => T): T {
  return current.run(undefined, work);
}

/** Charges a read of the sources to the work under way, if it has a turn. */
function noteRead(): void {
  current.getStore()?.noteRead();
}

/** Waits outside of the turn of the work under way, if it has one. What is waited for has none. */
export function waitOutside<T>(wait: () => Promise<T>): Promise<T> {
  const turn = current.getStore();
  return turn === undefined
    ? wait()
    : turn.outside(() => current.run(undefined, wait));
}

/** Returns whether the work under way has a turn. */
export function hasTurn(): boolean {
  return current.getStore() !== undefined;
}

/** Pause after the first failure. It doubles with each further failure. */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;

/** Failures that are cached: keys may contain any address. */
const MAX_FAILURES = 5000;

interface Failed {
  readonly fault: Fault;
  readonly times: number;
  readonly until: number;
}

/**
 * Shares work by key within this process. Callers that arrive while it runs get its
 * result. Callers that arrive in the pause after a fault get the fault. The refusal of
 * a client that used up its share affects only that client, and none is remembered:
 * the next call may be free. All wait outside of their turn: the limits of the upstream
 * bound this work.
 */
export function shareWork(now: () => Date) {
  const runOnce = singleFlight();
  const failed = boundedCache<Failed>(MAX_FAILURES);

  function remember(key: string, fault: Fault): void {
    const times = (failed.get(key)?.times ?? 0) + 1;
    const pauseMs = FIRST_PAUSE_MS * 2 ** (times - 1);
    const until = now().getTime() + Math.min(pauseMs, MAX_PAUSE_MS);
    failed.set(key, { fault, times, until });
  }

  return <T>(
    key: string,
    work: () => Promise<T>,
    client?: string,
  ): Promise<T> => {
    const failure = failed.get(key);
    const pauseMs = failure ? failure.until - now().getTime() : 0;
    if (failure && pauseMs > 0 && pauseMs <= MAX_PAUSE_MS) {
      return Promise.reject(failure.fault);
    }
    const run = async () => {
      try {
        const value = await work();
        failed.delete(key);
        return value;
      } catch (error) {
        const isPassing = refusedClient(error) !== undefined ||
          error instanceof Fault && isOwnLimit(error);
        if (error instanceof Fault && !isPassing) remember(key, error);
        throw error;
      }
    };
    noteRead();
    return waitOutside(() => runOnce(key, run, client));
  };
}

/** Shares work by key. */
export type ShareWork = ReturnType<typeof shareWork>;

/**
 * Runs work by key. Callers that arrive while it runs get its result. If it is
 * refused because its client used up a share, the other callers run it again.
 */
export function singleFlight() {
  // At most one entry for each running request.
  const running = new Map<string, Promise<unknown>>();
  return function runOnce<T>(
    key: string,
    work: () => Promise<T>,
    client?: string,
  ): Promise<T> {
    const current = running.get(key) as Promise<T> | undefined;
    if (current) {
      return current.catch((error) => {
        const refused = refusedClient(error);
        if (refused === undefined || refused === client) throw error;
        return runOnce(key, work, client);
      });
    }
    const started = work().finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}

/** How stale an answer may be if the upstream fails, and which client asks. */
export interface FreshnessOptions {
  /** Milliseconds beyond freshness; 0 accepts no stale data, Infinity any. */
  readonly maxStaleMs: number;
  /** The network whose share of the rate limit is used; absent for the service itself. */
  readonly client?: string | undefined;
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
