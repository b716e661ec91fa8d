/** Whom a request came from, by its connection. */
import type { Context } from "hono";

/** Returns the network address of a client: the connection's, since headers are the client's own words. */
export function clientOf(c: Context): string {
  const { remoteAddr } = (c.env ?? {}) as Partial<Deno.ServeHandlerInfo>;
  return remoteAddr !== undefined && "hostname" in remoteAddr
    ? remoteAddr.hostname
    : "unknown";
}
