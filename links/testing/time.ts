// FakeTime of @std/testing/time, implemented with @sinonjs/fake-timers.
import { type Clock, createClock } from "@sinonjs/fake-timers";

/** The error when fake time is in the wrong state. */
export class TimeError extends Error {
  /** Creates the error. */
  constructor(message: string) {
    super(message);
    this.name = "TimeError";
  }
}

/** How fake time advances by itself. */
export interface FakeTimeOptions {
  /** Fake milliseconds per real millisecond; 0 (stopped) by default. */
  advanceRate: number;
  /** Real milliseconds between two steps; 10 by default. */
  advanceFrequency?: number;
}

/** Options of {@linkcode FakeTime.delay}. */
export interface DelayOptions {
  /** Aborts the delay. */
  signal?: AbortSignal;
}

type TimeGlobals = Record<
  "Date" | "setTimeout" | "clearTimeout" | "setInterval" | "clearInterval",
  unknown
>;

const real = { Date, setTimeout, clearTimeout, setInterval, clearInterval };

function setGlobals(
  { Date, setTimeout, clearTimeout, setInterval, clearInterval }: TimeGlobals,
): void {
  Object.assign(globalThis, {
    Date,
    setTimeout,
    clearTimeout,
    setInterval,
    clearInterval,
  });
}

/** Replaces `Date` and the timers. The instance advances them. */
export class FakeTime {
  static #active: FakeTime | undefined;

  readonly #clock: Clock;
  readonly #start: number;
  readonly #advance: ReturnType<typeof setInterval> | undefined;

  /** Starts fake time at `start`, or now. */
  constructor(
    start?: number | string | Date | null,
    options?: FakeTimeOptions,
  ) {
    if (FakeTime.#active) {
      throw new TimeError("Cannot construct FakeTime: time is already faked");
    }
    this.#start = new real.Date(start ?? real.Date.now()).valueOf();
    if (Number.isNaN(this.#start)) {
      throw new TypeError(
        `Cannot construct FakeTime: invalid start time ${start}`,
      );
    }
    this.#clock = createClock(this.#start);
    setGlobals(this.#clock);
    FakeTime.#active = this;

    const { advanceRate = 0, advanceFrequency = 10 } = options ?? {};
    if (advanceRate > 0) {
      const { setInterval } = real;
      this.#advance = setInterval(
        () => this.tick(advanceRate * advanceFrequency),
        advanceFrequency,
      );
    }
  }

  /** Restores real time. */
  static restore(): void {
    FakeTime.#current().restore();
  }

  /** Runs `callback` with real time until it returns or its promise settles. */
  static async restoreFor<T>(
    callback: (...args: never[]) => Promise<T> | T,
    ...args: unknown[]
  ): Promise<T> {
    const time = FakeTime.#current();
    setGlobals(real);
    try {
      const result = callback(...args as never[]);
      // Without a promise, time is fake again before this returns.
      return result instanceof Promise ? await result : result;
    } finally {
      setGlobals(time.#clock);
    }
  }

  static #current(): FakeTime {
    if (!FakeTime.#active) {
      throw new TimeError("Cannot restore time: time is already restored");
    }
    return FakeTime.#active;
  }

  /** The fake time in milliseconds since the epoch. */
  get now(): number {
    return this.#clock.now;
  }

  /** Advances time and runs every timer that becomes due. */
  set now(value: number) {
    if (value < this.now) {
      throw new RangeError(
        `Cannot set current time in the past: ${value} is before ${this.now}`,
      );
    }
    this.#clock.tick(value - this.now);
  }

  /** The start of fake time in milliseconds since the epoch. */
  get start(): number {
    return this.#start;
  }

  /** Waits in real time. */
  delay(ms: number, options: DelayOptions = {}): Promise<void> {
    const { setTimeout, clearTimeout } = real;
    const { signal } = options;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = () => {
      clearTimeout(timer);
      reject(new DOMException("Delay was aborted", "AbortError"));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
    return promise;
  }

  /** Runs pending microtasks. */
  async runMicrotasks(): Promise<void> {
    await this.delay(0);
  }

  /** Advances time by `ms`. */
  tick(ms = 0): void {
    this.now += ms;
  }

  /** Runs pending microtasks, then advances time by `ms`. */
  async tickAsync(ms = 0): Promise<void> {
    await this.runMicrotasks();
    this.tick(ms);
  }

  /** Advances time to the next timer; returns false if there is none. */
  next(): boolean {
    if (this.#clock.countTimers() === 0) return false;
    this.#clock.next();
    this.tick(); // runs the others that are due at the same instant
    return true;
  }

  /** Runs pending microtasks, then advances time to the next timer. */
  async nextAsync(): Promise<boolean> {
    await this.runMicrotasks();
    return this.next();
  }

  /** Advances time until no timer is left. */
  runAll(): void {
    while (this.#clock.countTimers() > 0) this.next();
  }

  /** Advances time until no timer is left, and runs microtasks before each timer. */
  async runAllAsync(): Promise<void> {
    while (this.#clock.countTimers() > 0) await this.nextAsync();
  }

  /** Restores real time. */
  restore(): void {
    FakeTime.#current();
    FakeTime.#active = undefined;
    setGlobals(real);
    clearInterval(this.#advance);
  }

  /** Restores real time at the end of the block. */
  [Symbol.dispose](): void {
    this.restore();
  }
}
