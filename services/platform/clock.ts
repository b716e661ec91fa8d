/** The clock and the timers that use cases are given, so that tests can hold both. */

/** Tells the time. */
export interface Clock {
  readonly now: () => Date;
}

/** Waits. */
export interface Timer {
  readonly sleep: (ms: number) => Promise<void>;
}
