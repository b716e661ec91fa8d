/** The host that a client says it asks. */
import type { MiddlewareHandler } from "hono";
import { Fault } from "../../services/platform/fault.ts";

/** Refuses a Host that is none (RFC 9112, 3.2): part of it would be read as the path. */
export const requireHost: MiddlewareHandler = async (c, next) => {
  const host = c.req.header("Host") ?? "";
  if (/[\s/?#\\@]/.test(host) || !URL.canParse(c.req.url)) {
    throw new Fault(
      "Cannot accept the Host: accepted are a name and, where there is one, a port",
      { kind: "badInput", parameter: "Host" },
    );
  }
  await next();
};
