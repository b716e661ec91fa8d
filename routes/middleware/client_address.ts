/** Whom a request came from, by its connection or by the proxies that we trust. */
import type { Context } from "hono";
import type { PlatformDeps } from "../../services/platform/deps.ts";
import {
  forwardedFor,
  networkOf,
} from "../../services/platform/rate_limit/networks.ts";

/** What tells clients from each other. */
export type ClientDeps = Pick<PlatformDeps, "trustedProxyHops">;

/**
 * Returns the network address that a request came from; null where nothing tells,
 * as of a request that came over no network. `info` is what the runtime says of
 * the connection. Headers are the client's own words, but for what a trusted
 * proxy has put there.
 */
export function addressOf(
  { trustedProxyHops }: ClientDeps,
  request: Request,
  info: unknown,
): string | null {
  if (trustedProxyHops > 0) {
    const forwarded = request.headers.get("X-Forwarded-For");
    const address = forwarded && forwardedFor(forwarded, trustedProxyHops);
    if (address) return address;
  }
  const { remoteAddr } = (info ?? {}) as Partial<Deno.ServeHandlerInfo>;
  return remoteAddr !== undefined && "hostname" in remoteAddr
    ? remoteAddr.hostname
    : null;
}

/** Returns the network address of a client. */
export function clientOf(deps: ClientDeps, c: Context): string {
  return addressOf(deps, c.req.raw, c.env) ?? "unknown";
}

/** Returns the network whose share of a budget a request draws on; undefined where nothing tells. */
export function networkOfClient(
  deps: ClientDeps,
  c: Context,
): string | undefined {
  const address = addressOf(deps, c.req.raw, c.env);
  return address === null ? undefined : networkOf(address);
}
