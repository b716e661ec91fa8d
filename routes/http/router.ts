/**
 * Routers whose validation errors become faults, the methods that a path accepts, which
 * scripts of other origins may read answers, and common parts of route descriptions.
 */
import { OpenAPIHono, type RouteConfig, type z } from "@hono/zod-openapi";
import type {
  Context,
  Env,
  Handler,
  HonoRequest,
  MiddlewareHandler,
} from "hono";
import { Fault } from "../../services/platform/fault.ts";
import { ErrorBody, NoQuery } from "../../services/platform/wire_schema.ts";
import {
  givenQuery,
  invalidInput,
  type RejectedInput,
} from "./validation_errors.ts";
import {
  decodePercent,
  redactKeys,
} from "../../services/platform/observability/redact.ts";
import { shortened } from "../../services/platform/text.ts";
import { SCORING } from "./paths.ts";
import { listMethods } from "./route_name.ts";
import { cors } from "hono/cors";
import { DAY_MS } from "../../services/platform/days.ts";
import { EXPOSED_HEADERS } from "./representation.ts";

/** Builds the fault of a request that a router's schema refused. */
export function invalidRequest(
  c: Context,
  { target, data, error }:
    & Pick<RejectedInput, "target" | "error">
    & Partial<Pick<RejectedInput, "data">>,
): Fault {
  const queries = (name: string) => c.req.queries(name) ?? [];
  return invalidInput({ target, data, error, queries });
}

/**
 * Creates a router that validates input. Paths and empty queries are checked here
 * unless the route has a query: the library adds a middleware for each of them, and
 * Hono awaits each in turn.
 */
export function newRouter<E extends Env = Env>(): OpenAPIHono<E> {
  const router = new OpenAPIHono<E>({
    defaultHook: (result, c) => {
      if (result.success) return;
      refuseNamedPath(c.req);
      throw invalidRequest(c, result);
    },
  });
  const { openapi, openAPIRegistry } = router;
  function register(route: RouteConfig, handler: Handler, hook?: never) {
    const { query, params, ...others } = route.request ?? {};
    if (hook !== undefined || query !== undefined && query !== NoQuery) {
      return openapi(route, handler as never, hook);
    }
    const { middleware = [], hide, ...described } = route;
    if (!hide) openAPIRegistry.registerPath(described);
    // Throws the fault of a query that is not declared, or of an invalid path.
    const check = (c: Context) => {
      if (query !== undefined && c.req.url.includes("?")) {
        refuseNamedPath(c.req);
        // Only the API refuses what sites add to links.
        const isApi = c.req.path.startsWith("/api/");
        const data = isApi ? c.req.query() : givenQuery(c);
        const { error } = NoQuery.safeParse(data);
        if (error) throw invalidRequest(c, { target: "query", error, data });
      }
      if (params === undefined) return;
      const data = c.req.param();
      const { error, data: valid } = (params as z.ZodType<object>)
        .safeParse(data);
      if (error) {
        refuseNamedPath(c.req);
        throw invalidRequest(c, { target: "param", error, data });
      }
      c.req.addValidatedData("param", valid);
    };
    const checked = { ...route, middleware, request: others, hide: true };
    if (Object.keys(others).length === 0) {
      const checkAndHandle: Handler = (c, next) => {
        check(c);
        return handler(c, next);
      };
      return openapi(checked, checkAndHandle as never);
    }
    const checkFirst: MiddlewareHandler = (c, next) => {
      check(c);
      return next();
    };
    const all = [middleware, checkFirst].flat();
    return openapi({ ...checked, middleware: all }, handler as never);
  }
  router.openapi = register as typeof openapi;
  return router;
}

/** Describes a JSON answer. */
export function json<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
) {
  return { description, content: { "application/json": { schema } } };
}

/** Describes a required JSON body. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { "application/json": { schema } } };
}

/** Describes the refusal of invalid input. */
export const BAD_QUERY = {
  400: json(ErrorBody, "Invalid request; the message says what is expected"),
};

const TEXT = { type: "string" } as const;

/** Formats besides JSON, as the media types of OpenAPI. */
const OTHER_FORMATS = {
  csv: { "text/csv": { schema: TEXT } },
  atom: { "application/atom+xml": { schema: TEXT } },
};

/** Describes the answers of an open chain data route. */
export function successOf<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  formats: readonly (keyof typeof OTHER_FORMATS)[] = [],
) {
  const { content } = json(schema, description);
  for (const format of formats) Object.assign(content, OTHER_FORMATS[format]);
  return {
    200: {
      description,
      content,
    },
    304: { description: "Not modified" },
    ...BAD_QUERY,
    412: json(ErrorBody, "If-Match names another version"),
  };
}

/** Describes the answer of a route that needs an upstream. */
export const UPSTREAM_DOWN = {
  503: json(
    ErrorBody,
    "An upstream is unreachable (UPSTREAM_UNAVAILABLE), or the series waits in the queue of this service (NOT_READ_YET); never a partial series. dataThrough and settledThrough say through which day the stored one is complete and settled",
  ),
};

/** Describes the errors of a keyed route that costs no units. */
export const KEY_ERRORS = {
  ...BAD_QUERY,
  401: json(ErrorBody, "Missing, invalid or expired API key"),
  403: json(
    ErrorBody,
    "The key has no scope for this endpoint, or may not be used from this network; nothing is charged",
  ),
};

/** Describes the errors of a keyed route that costs units. */
export const KEYED_ERRORS = {
  ...KEY_ERRORS,
  402: json(
    ErrorBody,
    "The plan does not include this endpoint; nothing is charged",
  ),
  429: json(
    ErrorBody,
    "Rate limit, cap of the key or quota exceeded; wait as long as Retry-After says",
  ),
  500: json(
    ErrorBody,
    "Scoring failed; safe to retry. Nothing is charged, unless the message says that it may have been",
  ),
};

/** Describes the answer for an unknown chain. */
export const UNKNOWN_CHAIN = {
  404: json(ErrorBody, "No tracked mainnet chain has this chainId"),
};

/** Builds the fault of a method that a path does not accept. Its methods become the `Allow` header (RFC 9110, 10.2.1). */
export function methodNotAllowed(
  method: string,
  allowed: readonly string[],
): Fault {
  const expected = `${allowed.length > 1 ? "one of " : ""}${
    allowed.join(", ")
  }`;
  // A client chooses the name of its method.
  const named = shortened(redactKeys(decodePercent(method)));
  return new Fault(`Invalid method "${named}": expected ${expected}`, {
    kind: "methodNotAllowed",
    allowed,
  });
}

/**
 * Paths with a fixed name that a pattern with a parameter also matches, and the
 * methods that they accept. For other methods the parameter rejects the name,
 * and `refuseNamedPath` refuses the request. A route of the fixed name could not do
 * so: two patterns that match one method and path would send every request
 * through the slow router.
 */
const NAMED_PATHS: Readonly<Record<string, readonly string[]>> = {
  [`${SCORING}/score/batch`]: ["POST"],
};

/** Lists the methods that a path accepts; none if no route has the path. */
export function methodsOf(
  app: Pick<OpenAPIHono, "router">,
  path: string,
): readonly string[] {
  return NAMED_PATHS[path] ?? listMethods(app, path);
}

/** Refuses other methods of a path with a fixed name. */
function refuseNamedPath(
  { method, path }: Pick<HonoRequest, "method" | "path">,
): void {
  const allowed = NAMED_PATHS[path];
  if (allowed?.includes(method) === false) {
    throw methodNotAllowed(method, allowed);
  }
}

/** Seconds for which a browser may remember what scripts of other origins may send. */
export const PREFLIGHT_S = DAY_MS / 1000;

/**
 * Lets scripts of any origin read what is public: no cookie or key counts there, so a
 * request may have any header, such as `Content-Type` or those of tracing libraries.
 */
export function anyOrigin(
  exposeHeaders: readonly string[] = EXPOSED_HEADERS,
): MiddlewareHandler {
  return cors({
    origin: "*",
    allowMethods: ["GET", "HEAD"],
    // Without a list, the requested headers are allowed.
    allowHeaders: [],
    exposeHeaders: [...exposeHeaders],
    maxAge: PREFLIGHT_S,
  });
}
