/** A new app with what every request passes: its id, the log, headers and the check of Host. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, Env, MiddlewareHandler } from "hono";
import { requestId, type RequestIdVariables } from "hono/request-id";
import type { AppDeps } from "./deps.ts";
import { requireHost } from "./known_host.ts";
import { pageHeaders } from "./page_headers.ts";
import { newRouter } from "./router.ts";
import type { EventName } from "../../services/platform/observability/log_events_schema.ts";
import { Fault } from "../../services/platform/fault.ts";
import { methodName, routeOf, surfaceOf } from "./route_name.ts";
import type { PlatformDeps } from "../../services/platform/open/deps.ts";
import { isFailure } from "./error_statuses.ts";

/** Creates the app, with the handler of its errors. */
export function newApp(
  deps: AppDeps,
  onError: (error: Error, c: Context) => Response | Promise<Response>,
): OpenAPIHono {
  const app = newRouter();
  app.onError(onError);
  app.use(
    chained(requestId(), requestLog(deps), pageHeaders(), requireHost(onError)),
  );
  return app;
}

/**
 * Makes one middleware of several, the first one outermost. Hono awaits each
 * middleware of its own in turn, which every request would pay for.
 * None of them may return a response or throw, before or after it calls `next`: the
 * outer ones, such as the log, would not finish. A middleware sets `c.res` instead.
 */
function chained<E extends Env>(
  ...middleware: readonly MiddlewareHandler<E>[]
): MiddlewareHandler<E> {
  return middleware.reduceRight((inner, outer) => (c, next) =>
    outer(c, () => inner(c, next) as Promise<void>)
  );
}

/** Slower requests are logged. */
const SLOW_MS = 2_000;

/** What the request log uses. `elapsed` returns milliseconds of a monotonic clock. */
type WatchDeps =
  & Pick<PlatformDeps, "log" | "telemetry" | "processMetrics">
  & { readonly elapsed?: () => number };

/**
 * Logs and times what the router answers. Client errors are counted but not
 * logged; otherwise any client could fill the log.
 */
export function requestLog(
  {
    log,
    telemetry,
    processMetrics,
    elapsed = () => performance.now(),
  }: WatchDeps,
): MiddlewareHandler<{ Variables: RequestIdVariables }> {
  return async (c, next) => {
    const startedAt = elapsed();
    await next();
    const ms = elapsed() - startedAt;
    const { status } = c.res;
    const surface = surfaceOf(c.req.raw);
    // A cached answer has no request id of its own; only the scoring API
    // promises one.
    if (surface !== "scoring") {
      const { headers } = c.res;
      const isKept = headers.get("Cache-Control")?.startsWith("public");
      if (isKept) headers.delete("X-Request-Id");
    }
    const failed = isFailure(c.res);
    processMetrics.requests.add(surface, ms, { failed });
    const { error } = c;
    if (failed) {
      if (error) telemetry.fail(error);
      else telemetry.failBy(status);
    }
    const event = eventOf(failed, error, ms);
    if (event === null) return;
    log(event, {
      requestId: c.get("requestId"),
      method: methodName(c.req.raw),
      route: routeOf(c),
      status,
      ms: Math.round(ms),
      ...(failed ? { error } : {}),
    });
  };
}

/** Returns the log event of an answer; null if there is none. */
function eventOf(
  failed: boolean,
  error: Error | undefined,
  ms: number,
): EventName | null {
  if (failed) {
    return error instanceof Fault ? "request.unavailable" : "request.failed";
  }
  return ms >= SLOW_MS ? "request.slow" : null;
}
