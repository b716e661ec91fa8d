/** Times requests and logs those that fail or are slow. */
import type { MiddlewareHandler } from "hono";
import type { RequestIdVariables } from "hono/request-id";
import type { EventName } from "../../services/platform/observability/log_events_schema.ts";
import type { PlatformDeps } from "../../services/platform/open/deps.ts";
import { Fault } from "../../services/platform/fault.ts";
import { isFailure } from "./error_statuses.ts";
import { methodName, routeOf, surfaceOf } from "./route_name.ts";

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
