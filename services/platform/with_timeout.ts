/** Timeouts: cancels work, or races it against a timer. */

/** Returns a signal that aborts after `ms`. */
export const timeoutSignal = (ms: number): AbortSignal =>
  AbortSignal.timeout(ms);

/** Returns the result of `work`. Throws `onTimeout()` if it takes longer than `ms`; the work itself is not cancelled. */
export async function withTimeout<T>(
  work: Promise<T>,
  ms: number,
  onTimeout: () => Error = () => new Error(`no result within ${ms} ms`),
): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(onTimeout()), ms);
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the result of `work`. Throws `onAbort()` if the signal aborts first; the work itself is not cancelled. */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  onAbort: () => unknown = () => signal.reason,
): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(onAbort());
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
