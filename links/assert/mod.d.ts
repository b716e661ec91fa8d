// The signatures of @std/assert, one for each value the npm build exports.

/** The falsy values. */
export type Falsy = false | 0 | 0n | "" | null | undefined;

/** Any array-like object. */
export type ArrayLikeArg<T> = ArrayLike<T> & object;

/** The error that a failed assertion throws. */
export declare class AssertionError extends Error {
  /** Creates the error; `options` may have a cause. */
  constructor(message: string, options?: ErrorOptions);
}

/** Returns whether two values are deeply equal. */
export declare function equal(a: unknown, b: unknown): boolean;

/** Asserts that `expr` is truthy. */
export declare function assert(expr: unknown, msg?: string): asserts expr;

/** Asserts that `expr` is falsy. */
export declare function assertFalse(
  expr: unknown,
  msg?: string,
): asserts expr is Falsy;

/** Asserts that two values are deeply equal. */
export declare function assertEquals<T>(
  actual: T,
  expected: T,
  msg?: string,
): void;

/** Asserts that two values are not deeply equal. */
export declare function assertNotEquals<T>(
  actual: T,
  expected: T,
  msg?: string,
): void;

/** Asserts that two values are identical (`Object.is`). */
export declare function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  msg?: string,
): asserts actual is T;

/** Asserts that two values are not identical. */
export declare function assertNotStrictEquals<T>(
  actual: T,
  expected: T,
  msg?: string,
): void;

/** Asserts that two numbers differ by no more than `tolerance`. */
export declare function assertAlmostEquals(
  actual: number,
  expected: number,
  tolerance?: number,
  msg?: string,
): void;

/** Asserts that a value is neither null nor undefined. */
export declare function assertExists<T>(
  actual: T,
  msg?: string,
): asserts actual is NonNullable<T>;

/** Asserts that `actual` is greater than `expected`. */
export declare function assertGreater<T>(
  actual: T,
  expected: T,
  msg?: string,
): void;

/** Asserts that `actual` is greater than or equal to `expected`. */
export declare function assertGreaterOrEqual<T>(
  actual: T,
  expected: T,
  msg?: string,
): void;

/** Asserts that `actual` is less than `expected`. */
export declare function assertLess<T>(
  actual: T,
  expected: T,
  msg?: string,
): void;

/** Asserts that `actual` is less than or equal to `expected`. */
export declare function assertLessOrEqual<T>(
  actual: T,
  expected: T,
  msg?: string,
): void;

/** Asserts that a string matches a pattern. */
export declare function assertMatch(
  actual: string,
  expected: RegExp,
  msg?: string,
): void;

/** Asserts that a string does not match a pattern. */
export declare function assertNotMatch(
  actual: string,
  expected: RegExp,
  msg?: string,
): void;

/** Asserts that a string includes another. */
export declare function assertStringIncludes(
  actual: string,
  expected: string,
  msg?: string,
): void;

/** Asserts that every item of `expected` is deeply equal to one of `actual`. */
export declare function assertArrayIncludes<T>(
  actual: ArrayLikeArg<T>,
  expected: ArrayLikeArg<NoInfer<T>>,
  msg?: string,
): void;

/** Asserts that `actual` has at least the properties of `expected`, deeply. */
export declare function assertObjectMatch(
  actual: object,
  expected: Record<PropertyKey, unknown>,
  msg?: string,
): void;

/** Asserts that a value is an instance of a class. */
export declare function assertInstanceOf<
  T extends abstract new (...args: never[]) => unknown,
>(
  actual: unknown,
  expectedType: T,
  msg?: string,
): asserts actual is InstanceType<T>;

/** Asserts that a value is not an instance of a class. */
export declare function assertNotInstanceOf<A, T>(
  actual: A,
  unexpectedType: abstract new (...args: never[]) => T,
  msg?: string,
): asserts actual is Exclude<A, T>;

/** Asserts that a value is an error, of a class and with a message if given. */
export declare function assertIsError<E extends Error = Error>(
  error: unknown,
  ErrorClass?: abstract new (...args: never[]) => E,
  msgMatches?: string | RegExp,
  msg?: string,
): asserts error is E;

/** Asserts that `fn` throws, and returns what it throws. */
export declare function assertThrows(fn: () => unknown, msg?: string): unknown;
/** Asserts that `fn` throws an error of a class, and returns the error. */
export declare function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  ErrorClass: abstract new (...args: never[]) => E,
  msgIncludes?: string,
  msg?: string,
): E;

/** Asserts that the promise of `fn` rejects, and resolves to the reason. */
export declare function assertRejects(
  fn: () => PromiseLike<unknown>,
  msg?: string,
): Promise<unknown>;
/** Asserts that the promise of `fn` rejects with an error of a class. */
export declare function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  ErrorClass: abstract new (...args: never[]) => E,
  msgIncludes?: string,
  msg?: string,
): Promise<E>;

/** Fails. */
export declare function fail(msg?: string): never;

/** Fails where code is not written yet. */
export declare function unimplemented(msg?: string): never;

/** Fails: marks code that must be unreachable. */
export declare function unreachable(msg?: string): never;
