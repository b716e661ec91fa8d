/** Requests that take work: timed, and in the log where they fail or take long. */
import type { MiddlewareHandler } from "hono";
import type { RequestIdVariables } from "hono/request-id";
import type { EventName } from "../../services/platform/observability/log_events_schema.ts";
import type { PlatformDeps } from "../../services/platform/deps.ts";
import { Fault } from "../../services/platform/fault.ts";
import { methodName, routeOf } from "../http/route_name.ts";
import { surfaceOf } from "../http/surface.ts";

/** From here on a request is in the log for its duration alone. */
const SLOW_MS = 2_000;

/** What this service is not set up for fails nobody. */
const NOT_ENABLED = 501;

/** What watching takes; `elapsed` are milliseconds on a clock that is never set. */
type WatchDeps =
  & Pick<PlatformDeps, "log" | "telemetry" | "processMetrics">
  & { readonly elapsed?: () => number };

/**
 * Watches what the router answers. Refusals are the client's doing and told to
 * it: they are counted, not logged, else anybody could fill the log.
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
    const { status, headers } = c.res;
    const family = surfaceOf(c.req.raw);
    // What caches keep answers many requests; the scoring API has promised an id.
    const isKept = headers.get("Cache-Control")?.startsWith("public");
    if (isKept && family !== "scoring") headers.delete("X-Request-Id");
    const failed = status >= 500;
    processMetrics.requests.add(family, ms, { failed });
    const { error } = c;
    if (failed && error) telemetry.fail(error);
    const event = eventOf(status, error, ms);
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

/** Returns what there is to be said of an answer; null where there is nothing. */
function eventOf(
  status: number,
  error: Error | undefined,
  ms: number,
): EventName | null {
  if (status >= 500 && status !== NOT_ENABLED) {
    return error instanceof Fault ? "request.unavailable" : "request.failed";
  }
  return ms >= SLOW_MS ? "request.slow" : null;
}
