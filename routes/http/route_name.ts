/** Route patterns of requests, which contain no address, slug or secret, the methods of paths, and the surface of a request. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { routePath } from "hono/route";
import {
  ACCOUNT,
  CHAIN_DATA,
  LINKING,
  MCP,
  PROFILES,
  SCORING,
  TOOLS,
} from "./paths.ts";
import type { Surface } from "../../services/platform/observability/process_metrics_schema.ts";

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

/**
 * Returns a request with a safe method name. The router looks methods up in
 * plain objects, where names such as `constructor` resolve to inherited
 * members. Methods are case-sensitive, so the upper-case form of an unknown
 * method is unknown too.
 */
export function normalizeMethod(request: Request): Request {
  const { method } = request;
  return method in Object.prototype
    ? new Request(request, { method: method.toUpperCase() })
    : request;
}

/** Surfaces by path prefix. First match wins; every other path is a page. */
const PREFIXES: readonly (readonly [prefix: string, surface: Surface])[] = [
  [CHAIN_DATA, "chainData"],
  [SCORING, "scoring"],
  [ACCOUNT, "account"],
  [LINKING, "account"],
  [PROFILES, "profiles"],
  [TOOLS, "badges"],
  [MCP, "mcp"],
  ["/static", "static"],
];

/** Returns the surface of a request. */
export function surfaceOf({ url }: Request): Surface {
  const start = url.indexOf("/", "https://".length);
  const found = PREFIXES.find(([prefix]) => url.startsWith(prefix, start));
  return found?.[1] ?? "pages";
}
