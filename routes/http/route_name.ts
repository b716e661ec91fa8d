/** Route patterns of requests, which contain no address, slug or secret, and the methods of paths. */
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
  return findPattern(app, {
    method: method === "HEAD" ? "GET" : method,
    path: app.getPath(request),
  });
}

/** Lists the methods that a path accepts; none if no route has the path. */
export function listMethods(
  app: Pick<OpenAPIHono, "router">,
  path: string,
): string[] {
  return METHODS.filter((method) =>
    findPattern(app, { method: method === "HEAD" ? "GET" : method, path }) !==
      undefined
  );
}

/** Finds the route pattern of a path, by any method; undefined if there is none. */
export function findRouteOfPath(
  app: Pick<OpenAPIHono, "router">,
  path: string,
): string | undefined {
  const patterns = METHODS.map((method) => findPattern(app, { method, path }));
  // A path without parameters is its own pattern.
  return patterns.find((pattern) => pattern === path) ??
    patterns.find((pattern) => pattern !== undefined);
}

function findPattern(
  app: Pick<OpenAPIHono, "router">,
  { method, path }: { readonly method: string; readonly path: string },
): string | undefined {
  const [routes] = app.router.match(method, path);
  // Middleware is registered for all methods, some of it with the path of a route.
  const found = routes.findLast(([[, route]]) => route.method !== "ALL");
  return found?.[0][1].path;
}

/** Middleware patterns are not routes. */
function patternOf(path: string | undefined): string | undefined {
  return path === undefined || path.endsWith("*") ? undefined : path;
}
