/** The pattern of the route that answers a request: it names no address, no slug and no secret. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { routePath } from "hono/route";

/** Methods that answers and traces know by name (RFC 9110, 9.3); all others are `_OTHER`. */
const METHODS: readonly string[] = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
];

/** Returns the method by which a request is named: a client may send any word. */
export function methodName({ method }: Request): string {
  return METHODS.includes(method) ? method : "_OTHER";
}

/** Returns the pattern of the route that a context is in; undefined where there is none. */
export function routeOf(c: Context): string | undefined {
  return patternOf(routePath(c, -1));
}

/** Finds the pattern that an app has for a request; undefined where it has none. */
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

/** What stands before many routes is not one. */
function patternOf(path: string | undefined): string | undefined {
  return path === undefined || path.endsWith("*") ? undefined : path;
}
