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
