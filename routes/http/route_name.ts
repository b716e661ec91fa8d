/** The route pattern of a request. It contains no address, slug or secret. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { routePath } from "hono/route";

/** Known methods (RFC 9110, 9.3). All others are named `_OTHER`. */
const METHODS: readonly string[] = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
];

/** Returns the method for logs and traces: a known one, or `_OTHER`. */
export function methodName({ method }: Request): string {
  return METHODS.includes(method) ? method : "_OTHER";
}

/** Returns the route pattern of a context; undefined if none matched. */
export function routeOf(c: Context): string | undefined {
  return patternOf(routePath(c, -1));
}

/** Finds the route pattern of a request; undefined if there is none. */
export function findRoute(
  app: OpenAPIHono,
  request: Request,
): string | undefined {
  const method = methodName(request);
  const [routes] = app.router.match(
    method === "HEAD" ? "GET" : method,
    app.getPath(request),
  );
  return patternOf(routes.at(-1)?.[0][1].path);
}

/** Middleware patterns are no routes. */
function patternOf(path: string | undefined): string | undefined {
  return path === undefined || path.endsWith("*") ? undefined : path;
}
