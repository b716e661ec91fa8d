/** What runs before the router: the IP rate limit, the response caches, the request counters. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { PlatformDeps } from "../../services/platform/open/deps.ts";
import type {
  TrafficCounter,
  TrafficHistory,
} from "../../services/platform/observability/traffic.ts";
import type { Surface } from "../../services/platform/observability/traffic_schema.ts";
import { type AnswerFault, rateLimiting } from "./rate_limiting.ts";
import {
  findRoute,
  methodName,
  normalizeMethod,
  surfaceOf,
} from "./route_name.ts";
import type { ResponseCache } from "./response_cache.ts";
import { isFailure } from "./error_statuses.ts";
import { workWithoutTurn } from "../../services/platform/turn.ts";
import type { Telemetry } from "../../services/platform/observability/telemetry.ts";

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
