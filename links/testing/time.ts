// FakeTime as in @std/testing/time, on the clock of @sinonjs/fake-timers.
import { type Clock, createClock } from "@sinonjs/fake-timers";

/** What is wrong when fake time is asked for something its state forbids. */
export class TimeError extends Error {
  /** Makes the error. */
  constructor(message: string) {
    super(message);
    this.name = "TimeError";
  }
}

/** How fake time moves on its own. */
export interface FakeTimeOptions {
  /** Fake milliseconds for each real one; 0, where time stands, unless told. */
  advanceRate: number;
  /** Real milliseconds between two steps; 10 unless told. */
  advanceFrequency?: number;
}

/** How a {@linkcode FakeTime.delay} may end early. */
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

/** Replaces `Date` and the timers by ones that the instance moves forward. */
export class FakeTime {
  static #active: FakeTime | undefined;

  readonly #clock: Clock;
  readonly #start: number;
  readonly #advance: ReturnType<typeof setInterval> | undefined;

  /** Fakes time from `start` on, or from now. */
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

  /** Ends whatever fake time is running. */
  static restore(): void {
    FakeTime.#current().restore();
  }

  /** Gives `callback` real time until it returns or its promise settles. */
  static async restoreFor<T>(
    callback: (...args: never[]) => Promise<T> | T,
    ...args: unknown[]
  ): Promise<T> {
    const time = FakeTime.#current();
    setGlobals(real);
    try {
      const result = callback(...args as never[]);
      // Where there is no promise, time is fake again before this returns.
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

  /** Moves time forward and runs every timer that falls due on the way. */
  set now(value: number) {
    if (value < this.now) {
      throw new RangeError(
        `Cannot set current time in the past: ${value} is before ${this.now}`,
      );
    }
    this.#clock.tick(value - this.now);
  }

  /** Where fake time began, in milliseconds since the epoch. */
  get start(): number {
    return this.#start;
  }

  /** Waits for real milliseconds. */
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

  /** Lets the promises that are ready settle. */
  async runMicrotasks(): Promise<void> {
    await this.delay(0);
  }

  /** Moves time forward by `ms`. */
  tick(ms = 0): void {
    this.now += ms;
  }

  /** Lets promises settle, then moves time forward by `ms`. */
  async tickAsync(ms = 0): Promise<void> {
    await this.runMicrotasks();
    this.tick(ms);
  }

  /** Moves time to the next timer; false where none is waiting. */
  next(): boolean {
    if (this.#clock.countTimers() === 0) return false;
    this.#clock.next();
    this.tick(); // runs the others that are due at the same instant
    return true;
  }

  /** Lets promises settle, then moves time to the next timer. */
  async nextAsync(): Promise<boolean> {
    await this.runMicrotasks();
    return this.next();
  }

  /** Moves time on until no timer is left. */
  runAll(): void {
    while (this.#clock.countTimers() > 0) this.next();
  }

  /** Moves time on until no timer is left, letting promises settle between. */
  async runAllAsync(): Promise<void> {
    while (this.#clock.countTimers() > 0) await this.nextAsync();
  }

  /** Brings real time back. */
  restore(): void {
    FakeTime.#current();
    FakeTime.#active = undefined;
    setGlobals(real);
    clearInterval(this.#advance);
  }

  /** Brings real time back at the end of the block that holds the instance. */
  [Symbol.dispose](): void {
    this.restore();
  }
}
