/** Shares upstream work among callers, and pauses after failures. */
import { boundedCache } from "../bounded_cache.ts";
import { Fault, isOwnLimit, refusedClient } from "../fault.ts";
import { noteRead, waitOutside } from "../turn.ts";

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
