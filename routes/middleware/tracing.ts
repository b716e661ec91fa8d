/** Requests as spans of a trace, warm ones too; only where traces go anywhere. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Telemetry } from "../../services/platform/observability/telemetry.ts";
import { findRoute, methodName } from "../http/route_name.ts";

/**
 * Wraps what answers. No header, query or path of the request is traced, but
 * the pattern of its route and its id: whatever a client sends may be a secret.
 */
export function tracing(
  { trace }: Telemetry,
  app: OpenAPIHono,
  answer: OpenAPIHono["fetch"],
): OpenAPIHono["fetch"] {
  return (request, ...rest) => {
    const method = methodName(request);
    const route = findRoute(app, request);
    return trace({
      name: route === undefined ? method : `${method} ${route}`,
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
