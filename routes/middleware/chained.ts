/** Joins middleware that every request passes. */
import type { Env, MiddlewareHandler } from "hono";

/**
 * Makes one middleware of several, the first one outermost. Hono awaits each
 * middleware of its own in turn, which every request would pay for.
 * None of them may return a response or throw before it calls `next`.
 */
export function chained<E extends Env>(
  ...middleware: readonly MiddlewareHandler<E>[]
): MiddlewareHandler<E> {
  return middleware.reduceRight((inner, outer) => (c, next) =>
    outer(c, () => inner(c, next) as Promise<void>)
  );
}
