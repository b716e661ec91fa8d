// The part of @std/testing/mock that these tests use: spies and stubs.
import { AssertionError } from "@std/assert";

/** The error when a method cannot be spied on or restored. */
export class MockError extends Error {
  /** Creates the error. */
  constructor(message: string) {
    super(message);
    this.name = "MockError";
  }
}

/** A recorded call. */
export interface SpyCall<
  Self = unknown,
  Args extends unknown[] = unknown[],
  Return = unknown,
> {
  /** The arguments of the call. */
  args: Args;
  /** What the function returned. */
  returned?: Return;
  /** What the function threw. */
  error?: Error;
  /** The object the function was called on. */
  self?: Self;
}

/** A function that records its calls. */
export interface Spy<
  Self = unknown,
  Args extends unknown[] = unknown[],
  Return = unknown,
> {
  (this: Self, ...args: Args): Return;
  /** The original function. */
  original: (this: Self, ...args: Args) => Return;
  /** The calls so far. */
  calls: SpyCall<Self, Args, Return>[];
  /** Whether the original method is restored. */
  restored: boolean;
  /** Restores the original method; throws if it is already restored. */
  restore(): void;
}

/** A spy in place of a method; it is restored at the end of its block. */
export interface MethodSpy<
  Self = unknown,
  Args extends unknown[] = unknown[],
  Return = unknown,
> extends Spy<Self, Args, Return>, Disposable {}

/** A method spy that runs another function. */
export interface Stub<
  Self = unknown,
  Args extends unknown[] = unknown[],
  Return = unknown,
> extends MethodSpy<Self, Args, Return> {
  /** The function that runs in place of the original. */
  fake: (this: Self, ...args: Args) => Return;
}

/** The parameters of a method. */
export type GetParametersFromProp<Self, Prop extends keyof Self> =
  Self[Prop] extends (...args: infer Args) => unknown ? Args : unknown[];

/** What a method returns. */
export type GetReturnFromProp<Self, Prop extends keyof Self> =
  Self[Prop] extends (...args: never[]) => infer Return ? Return : unknown;

type Method<Self, Args extends unknown[], Return> = (
  this: Self,
  ...args: Args
) => Return;

const spies = new WeakSet<object>();

function nothing<Return>(): Return {
  return undefined as Return;
}

/** Creates a function that records its calls and runs `fake`. */
function recorder<Self, Args extends unknown[], Return>(
  original: Method<Self, Args, Return>,
  fake: Method<Self, Args, Return>,
): Spy<Self, Args, Return> {
  const calls: SpyCall<Self, Args, Return>[] = [];
  function record(this: Self, ...args: Args): Return {
    const call: SpyCall<Self, Args, Return> = { args };
    if (this) call.self = this;
    try {
      return call.returned = fake.apply(this, args);
    } catch (error) {
      call.error = error as Error;
      throw error;
    } finally {
      calls.push(call);
    }
  }
  spies.add(record);
  return Object.assign(record, {
    original,
    calls,
    restored: false,
    restore() {
      throw new MockError("Cannot restore: function cannot be restored");
    },
  });
}

/** Replaces a method by a recorder. Without `fake` it calls the original. */
function replaceMethod<Self, Args extends unknown[], Return>(
  self: Self,
  property: keyof Self,
  fake?: Method<Self, Args, Return>,
): Stub<Self, Args, Return> {
  const verb = fake ? "stub" : "spy";
  const original = self[property] as Method<Self, Args, Return>;
  const isVacant = fake !== undefined && original === undefined;
  if (typeof original !== "function" && !isVacant) {
    throw new MockError(`Cannot ${verb}: property is not an instance method`);
  }
  if (spies.has(original)) {
    throw new MockError(`Cannot ${verb}: already spying on instance method`);
  }
  const descriptor = Object.getOwnPropertyDescriptor(self, property);
  if (descriptor && !descriptor.configurable) {
    throw new MockError(`Cannot ${verb}: non-configurable instance method`);
  }

  const restore = () => {
    if (method.restored) {
      throw new MockError("Cannot restore: instance method already restored");
    }
    if (descriptor) Object.defineProperty(self, property, descriptor);
    else delete self[property];
    method.restored = true;
  };
  const method = Object.assign(recorder(original, fake ?? original), {
    fake: fake ?? original,
    restore,
    [Symbol.dispose]: restore,
  });
  Object.defineProperty(self, property, {
    configurable: true,
    enumerable: descriptor?.enumerable ?? false,
    writable: descriptor?.writable ?? false,
    value: method,
  });
  return method;
}

/** Creates a function that only records its calls. */
export function spy<
  Self = unknown,
  Args extends unknown[] = unknown[],
  Return = undefined,
>(): Spy<Self, Args, Return>;
/** Wraps a function and records its calls. */
export function spy<Self, Args extends unknown[], Return>(
  func: (this: Self, ...args: Args) => Return,
): Spy<Self, Args, Return>;
/** Wraps a method in place and records its calls. */
export function spy<Self, Prop extends keyof Self>(
  self: Self,
  property: Prop,
): MethodSpy<
  Self,
  GetParametersFromProp<Self, Prop>,
  GetReturnFromProp<Self, Prop>
>;
export function spy<Self, Args extends unknown[], Return>(
  funcOrSelf: Method<Self, Args, Return> | Self = nothing,
  property?: keyof Self,
): Spy<Self, Args, Return> {
  if (property !== undefined) {
    return replaceMethod(funcOrSelf as Self, property);
  }
  const func = funcOrSelf as Method<Self, Args, Return>;
  return recorder(func, func);
}

/** Replaces a method by one that only records its calls. */
export function stub<Self, Prop extends keyof Self>(
  self: Self,
  property: Prop,
): Stub<Self, GetParametersFromProp<Self, Prop>, GetReturnFromProp<Self, Prop>>;
/** Replaces a method by `func` and records its calls. */
export function stub<Self, Prop extends keyof Self>(
  self: Self,
  property: Prop,
  func: (
    this: Self,
    ...args: GetParametersFromProp<Self, Prop>
  ) => GetReturnFromProp<Self, Prop>,
): Stub<Self, GetParametersFromProp<Self, Prop>, GetReturnFromProp<Self, Prop>>;
export function stub<Self, Args extends unknown[], Return>(
  self: Self,
  property: keyof Self,
  func: Method<Self, Args, Return> = nothing,
): Stub<Self, Args, Return> {
  return replaceMethod(self, property, func);
}

/** Asserts the number of calls of a spy. */
export function assertSpyCalls<Self, Args extends unknown[], Return>(
  spy: Spy<Self, Args, Return>,
  expectedCalls: number,
): void {
  const calls = spy.calls.length;
  if (calls === expectedCalls) return;
  const complaint = calls < expectedCalls
    ? "Spy not called as much as expected"
    : "Spy called more than expected";
  throw new AssertionError(
    `${complaint}: expected ${expectedCalls}, got ${calls}`,
  );
}

/** Creates a function that returns the values in turn, and throws those that are errors. */
export function returnsNext<
  Return,
  Self = unknown,
  Args extends unknown[] = unknown[],
>(values: Iterable<Return | Error>): (this: Self, ...args: Args) => Return {
  const iterator = values[Symbol.iterator]();
  let calls = 0;
  return () => {
    const next = iterator.next();
    if (next.done) {
      throw new MockError(`Not expected to be called more than ${calls} times`);
    }
    calls++;
    if (next.value instanceof Error) throw next.value;
    return next.value;
  };
}
