/** A new app with what every request passes: its id, the log, headers and the check of Host. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, Env, MiddlewareHandler } from "hono";
import { requestId } from "hono/request-id";
import type { AppDeps } from "./deps.ts";
import { requireHost } from "./known_host.ts";
import { pageHeaders } from "./page_headers.ts";
import { requestLog } from "./request_log.ts";
import { newRouter } from "./router.ts";

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
