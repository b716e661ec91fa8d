/** Validation of the Host header. */
import type { MiddlewareHandler } from "hono";
import { Fault } from "../../services/platform/fault.ts";

/** Refuses an invalid Host (RFC 9112, 3.2): parts of it would be parsed as the path. */
export const requireHost: MiddlewareHandler = (c, next) => {
  const host = c.req.header("Host") ?? "";
  if (/[\s/?#\\@]/.test(host) || !URL.canParse(c.req.url)) {
    throw new Fault(
      "Invalid Host: expected a name and an optional port",
      { kind: "badInput", parameter: "Host" },
    );
  }
  return next();
};
