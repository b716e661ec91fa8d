/** Validation of the Host header. */
import type { Context, MiddlewareHandler } from "hono";
import { Fault } from "../../services/platform/fault.ts";
import { onError } from "../pages/on_error.ts";

/**
 * Refuses an invalid Host (RFC 9112, 3.2): parts of it would be parsed as the path.
 * It sets the answer and does not throw: an error would skip the log in `chained`.
 */
export function requireHost(): MiddlewareHandler {
  /** The last valid one. Parsing each URL takes a microsecond. */
  let valid: string | null = null;

  /** Returns whether the host is valid, and is the one of the URL. */
  function isValid(c: Context): boolean {
    const host = c.req.header("Host") ?? "";
    const { url } = c.req;
    const isOfUrl = url.startsWith(`http://${host}/`) && host !== "";
    if (isOfUrl && host === valid) return true;
    if (/[\s/?#\\@]/.test(host) || !URL.canParse(url)) return false;
    if (isOfUrl) valid = host;
    return true;
  }

  return (c, next) => isValid(c) ? next() : refuse(c);
}

async function refuse(c: Context): Promise<void> {
  const fault = new Fault(
    "Invalid Host: expected a name and an optional port",
    { kind: "badInput", parameter: "Host" },
  );
  c.error = fault;
  c.res = await onError(fault, c);
}
