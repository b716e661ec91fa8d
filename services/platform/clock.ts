/** Time: the injected clock and timer, which tests control, timeouts, and instants in epoch ms. */
import { MINUTE_MS } from "./days.ts";

/**
 * Largest expected difference between two clocks: of two processes, or of a process
 * and a chain. Beyond it, a clock was set back. The verifier contract has the same.
 */
export const CLOCK_SKEW_MS = MINUTE_MS;

/** Returns the current time. */
export interface Clock {
  readonly now: () => Date;
}

/** Resolves after a delay. */
export interface Timer {
  readonly sleep: (ms: number) => Promise<void>;
}

/** Limits work in time. */
export interface TimeLimits {
  /** Returns a signal that aborts after `ms`. */
  readonly timeout: (ms: number) => AbortSignal;
}

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

/** Returns the start of a timestamp's minute, in epoch ms. Scores change at most once a minute. */
export function minuteOf(now: number): number {
  return Math.floor(now / MINUTE_MS) * MINUTE_MS;
}

/** Returns the start of a timestamp's second, in epoch ms. */
export function secondOf(now: number): number {
  return Math.floor(now / 1000) * 1000;
}

/** Returns whether less than a second has passed since an instant; false if the clock was set back. */
export function isWithinSecond(now: number, since: number): boolean {
  return now >= since && now < since + 1000;
}

/** Formats an instant, epoch ms, as ISO 8601. */
export function instant(ms: number): string;
export function instant(ms: number | null): string | null;
export function instant(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** Makes a function that formats instants and caches the last result: formatting is slower than a comparison. */
export function isoTimestamps(): (at: number) => string {
  let last = NaN;
  let text = "";
  return (at) => {
    if (at !== last) {
      text = new Date(at).toISOString();
      last = at;
    }
    return text;
  };
}
