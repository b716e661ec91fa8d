/** The injected clock and timer. Tests control both. */

/** Largest expected difference between the clocks of two processes. Beyond it, a clock was set back. */
export const CLOCK_SKEW_MS = 60_000;

/** Returns the current time. */
export interface Clock {
  readonly now: () => Date;
}

/** Resolves after a delay. */
export interface Timer {
  readonly sleep: (ms: number) => Promise<void>;
}
