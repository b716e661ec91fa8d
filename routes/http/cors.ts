/** Which scripts of other origins may read answers. */
import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { DAY_MS } from "../../services/platform/days.ts";
import { EXPOSED_HEADERS } from "./representation.ts";

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
