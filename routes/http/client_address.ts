/** The address of a client, from its connection or from trusted proxies. */
import type { Context } from "hono";
import type { PlatformDeps } from "../../services/platform/open/deps.ts";
import {
  forwardedFor,
  networkOf,
} from "../../services/platform/rate_limit/networks.ts";

/** What identifies a client. */
export type ClientDeps = Pick<PlatformDeps, "proxies">;

/**
 * Returns the network address that a request came from; null if unknown, as for
 * requests that came over no network. `info` is what the runtime knows of the
 * connection. Forwarding headers count only as far as trusted proxies wrote
 * them, and only on connections of the networks of `TRUSTED_PROXIES`.
 */
export function addressOf(
  { proxies: { hops, isTrusted } }: ClientDeps,
  request: Request,
  info: unknown,
): string | null {
  const { remoteAddr } = (info ?? {}) as Partial<Deno.ServeHandlerInfo>;
  const peer = remoteAddr !== undefined && "hostname" in remoteAddr
    ? remoteAddr.hostname
    : null;
  if (hops > 0 && (isTrusted === null || isTrusted(peer))) {
    const forwarded = request.headers.get("X-Forwarded-For");
    const address = forwarded && forwardedFor(forwarded, hops);
    if (address) return address;
  }
  return peer;
}

/** Returns the network address of a client. */
export function clientOf(deps: ClientDeps, c: Context): string {
  return addressOf(deps, c.req.raw, c.env) ?? "unknown";
}

/** Returns the network that a request is rate limited by; undefined if unknown. */
export function networkOfClient(
  deps: ClientDeps,
  c: Context,
): string | undefined {
  const address = addressOf(deps, c.req.raw, c.env);
  return address === null ? undefined : networkOf(address);
}

/** The cookie of a session. */
export const SESSION_COOKIE = "firn_session";

/** Returns whether a request may have a session, without reading it. */
export function mayHaveSession(headers: Headers): boolean {
  return headers.get("Cookie")?.includes(SESSION_COOKIE) ?? false;
}
