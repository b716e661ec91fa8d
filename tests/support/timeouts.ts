/** Records and ends the timeouts of upstream calls, so that no test has to wait for one. */
import { waitUntil } from "./wait_until.ts";

const timedOut = () => new DOMException("Signal timed out.", "TimeoutError");

/** Runs work and returns the milliseconds of each `AbortSignal.timeout()` of it. */
export async function timeoutsOf(
  work: () => Promise<unknown>,
): Promise<number[]> {
  const { timeout } = AbortSignal;
  const asked: number[] = [];
  AbortSignal.timeout = (ms) => {
    asked.push(ms);
    return timeout.call(AbortSignal, ms);
  };
  try {
    await work();
  } finally {
    AbortSignal.timeout = timeout;
  }
  return asked;
}

/**
 * Runs work and returns its result. Its `AbortSignal.timeout(ms)` ends when
 * `isTime` holds, whatever the time; other timeouts never end.
 */
export async function withTimeoutAt<T>(
  ms: number,
  isTime: () => boolean,
  work: () => Promise<T>,
): Promise<T> {
  const { timeout } = AbortSignal;
  const over = new AbortController();
  let isDone = false;
  AbortSignal.timeout = (asked) =>
    asked === ms ? over.signal : new AbortController().signal;
  try {
    const result = work().finally(() => isDone = true);
    // Its error is thrown below.
    result.catch(() => {});
    await waitUntil(() => isDone || isTime());
    over.abort(timedOut());
    return await result;
  } finally {
    AbortSignal.timeout = timeout;
  }
}
