/** The injected clock and timer. Tests control both. */
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
