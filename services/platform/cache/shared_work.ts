/** Upstream work that many callers want: done once, and not again while it keeps failing. */
import { boundedCache } from "./bounded_cache.ts";
import { Fault, refusedNetwork } from "../fault.ts";
import { singleFlight } from "./single_flight.ts";

/** Pause after the first failure; it doubles with each further one. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

/** Failures that are remembered at a time: keys may be anybody's addresses. */
const MOST_FAILURES = 5000;

interface Failed {
  readonly fault: Fault;
  readonly times: number;
  readonly until: number;
}

/**
 * Shares work by key within this process: callers who come while it is under
 * way get its outcome, and callers who come in the pause after a fault get the
 * fault; a client that has had its share keeps its refusal to itself. Nothing
 * here is truth; losing it costs a call.
 */
export function shareWork(now: () => Date) {
  const fly = singleFlight();
  const failed = boundedCache<Failed>(MOST_FAILURES);

  function remember(key: string, fault: Fault): void {
    const times = (failed.get(key)?.times ?? 0) + 1;
    const pauseMs = FIRST_PAUSE_MS * 2 ** (times - 1);
    const until = now().getTime() + Math.min(pauseMs, LONGEST_PAUSE_MS);
    failed.set(key, { fault, times, until });
  }

  return <T>(
    key: string,
    work: () => Promise<T>,
    client?: string,
  ): Promise<T> => {
    const failure = failed.get(key);
    const pauseMs = failure ? failure.until - now().getTime() : 0;
    if (failure && pauseMs > 0 && pauseMs <= LONGEST_PAUSE_MS) {
      return Promise.reject(failure.fault);
    }
    return fly(key, async () => {
      try {
        const value = await work();
        failed.delete(key);
        return value;
      } catch (error) {
        if (error instanceof Fault && refusedNetwork(error) === undefined) {
          remember(key, error);
        }
        throw error;
      }
    }, client);
  };
}

/** Shares work by key. */
export type ShareWork = ReturnType<typeof shareWork>;
