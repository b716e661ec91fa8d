/** Joins middleware that every request passes. */
import type { Env, MiddlewareHandler } from "hono";

/**
 * Makes one middleware of several, the first one outermost. Hono awaits each
 * middleware of its own in turn, which every request would pay for.
 * None of them may return a response or throw, before or after it calls `next`: the
 * outer ones, such as the log, would not finish. A middleware sets `c.res` instead.
 */
export function chained<E extends Env>(
  ...middleware: readonly MiddlewareHandler<E>[]
): MiddlewareHandler<E> {
  return middleware.reduceRight((inner, outer) => (c, next) =>
    outer(c, () => inner(c, next) as Promise<void>)
  );
}
