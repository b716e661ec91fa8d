/** Traces requests as spans, cached answers too. Used only if traces are exported. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Telemetry } from "../../services/platform/observability/telemetry.ts";
import { findRoute, methodName } from "./route_name.ts";

/**
 * Wraps a fetch handler in a span. The span has the route pattern and the
 * request id, but no header, query or path: client input may contain secrets.
 */
export function tracing(
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
