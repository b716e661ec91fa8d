/** Records the timeouts of upstream calls, so that no test has to wait for one. */

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
