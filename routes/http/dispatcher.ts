/**
 * What every request passes. Before the router: the IP rate limit, the response caches,
 * the request counters. In it: its id, the log, headers and the check of Host.
 */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, Env, MiddlewareHandler } from "hono";
import { requestId, type RequestIdVariables } from "hono/request-id";
import type { PlatformDeps } from "../../services/platform/open/deps.ts";
import type {
  TrafficCounter,
  TrafficHistory,
} from "../../services/platform/observability/traffic.ts";
import type { Surface } from "../../services/platform/observability/process_metrics_schema.ts";
import { type AnswerFault, rateLimiting } from "./rate_limiting.ts";
import {
  findRoute,
  methodName,
  normalizeMethod,
  routeOf,
  surfaceOf,
} from "./route_name.ts";
import type { ResponseCache } from "./response_cache.ts";
import { isFailure } from "./error_statuses.ts";
import { workWithoutTurn } from "../../services/platform/cache.ts";
import type { Telemetry } from "../../services/platform/observability/telemetry.ts";
import type { AppDeps } from "./deps.ts";
import { requireHost } from "./known_host.ts";
import { pageHeaders } from "./page_headers.ts";
import { newRouter } from "./router.ts";
import type { EventName } from "../../services/platform/observability/log_events_schema.ts";
import { Fault } from "../../services/platform/fault.ts";

/**
 * Wraps a fetch handler in a span. The span has the route pattern and the
 * request id, but no header, query or path: client input may contain secrets.
 */
function tracing(
  { trace }: Telemetry,
  app: OpenAPIHono,
  answer: OpenAPIHono["fetch"],
): OpenAPIHono["fetch"] {
  return (request, ...rest) => {
    const method = methodName(request);
    const route = findRoute(app, request);
    // The semantic conventions of HTTP name an unknown method so.
    const called = method === "_OTHER" ? "HTTP" : method;
    return trace({
      name: route === undefined ? called : `${called} ${route}`,
      kind: "server",
      attributes: {
        "http.request.method": method,
        ...(route === undefined ? {} : { "http.route": route }),
      },
    }, async ({ set }) => {
      const response = await answer(request, ...rest);
      const requestId = response.headers.get("X-Request-Id");
      set({
        "http.response.status_code": response.status,
        ...(requestId === null ? {} : { "firn.request_id": requestId }),
      });
      return response;
    });
  };
}

/** Answers a request; `info` describes the connection. */
type Fetch = OpenAPIHono["fetch"];
type Info = Parameters<Fetch>[1];
type ExecutionContext = Parameters<Fetch>[2];

/**
 * Returns the answer to a HEAD request, made from the answer to GET. If that answer has
 * no `Content-Length`, its body is read to find the length.
 */
async function headOf(answer: Response | Promise<Response>): Promise<Response> {
  const { body, status, headers } = await answer;
  if (body === null) return new Response(null, { status, headers });
  if (headers.has("Content-Length")) {
    await body.cancel();
    return new Response(null, { status, headers });
  }
  const { byteLength } = await new Response(body).arrayBuffer();
  const head = new Headers(headers);
  head.set("Content-Length", String(byteLength));
  return new Response(null, { status, headers: head });
}

/** RFC 9110, 14.2: a range is for GET only. */
function withoutRange(headers: Headers): Headers {
  if (!headers.has("Range")) return headers;
  const others = new Headers(headers);
  others.delete("Range");
  return others;
}

/**
 * Wraps the app's fetch, in a span if traces are exported. The rate limit comes first: a flood of cached
 * answers starves other clients too. The caches come before the router: a cached
 * answer needs no routing, and a synchronous answer is fastest in this runtime.
 */
export function dispatcher(
  app: OpenAPIHono,
  deps: Pick<
    PlatformDeps,
    | "now"
    | "openRequestsPerMinute"
    | "runningJobs"
    | "sleep"
    | "telemetry"
    | "proxies"
  >,
  { answerFault, caches, traffic, history }: {
    readonly answerFault: AnswerFault;
    readonly caches: readonly Pick<ResponseCache, "recall">[];
    readonly traffic: TrafficCounter;
    readonly history: TrafficHistory;
  },
): Fetch {
  const routed = app.fetch;
  const route: Fetch = (...given) => workWithoutTurn(() => routed(...given));
  const { runningJobs, telemetry } = deps;
  const rateLimit = rateLimiting(deps, answerFault);

  function answer(
    surface: Surface,
    request: Request,
    info: Info,
    context: ExecutionContext,
  ) {
    // No route of the scoring API uses a response cache.
    if (surface !== "scoring") {
      for (const { recall } of caches) {
        const cached = recall(request);
        if (cached !== undefined) return cached;
      }
    }
    if (request.method !== "HEAD") {
      return route(normalizeMethod(request), info, context);
    }
    // Not a copy of the request: copying it makes the runtime watch its signal.
    const { url } = request;
    const headers = withoutRange(request.headers);
    return headOf(route(new Request(url, { headers }), info, context));
  }

  const dispatch: Fetch = (request, info, context) => {
    const surface = surfaceOf(request);
    function count(response: Response): Response | Promise<Response> {
      const failed = isFailure(response);
      traffic.count(surface, response.status, { failed });
      rateLimit.noteAnswer(request, surface, info, response);
      // A client that keeps the connection would send its next request to nobody.
      if (runningJobs.isStopping()) response.headers.set("Connection", "close");
      const recording = history.count({ failed });
      return recording === null ? response : recording.then(() => response);
    }
    const answered = rateLimit.refuse(request, surface, info) ??
      answer(surface, request, info, context);
    return answered instanceof Response
      ? count(answered)
      : answered.then(count);
  };
  return telemetry.isExported ? tracing(telemetry, app, dispatch) : dispatch;
}

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
