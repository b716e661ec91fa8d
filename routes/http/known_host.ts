/** Protection against DNS rebinding: the Host and Origin of a request must be this service's own. */
import type { Context, MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { every } from "hono/combine";
import type { PlatformDeps } from "../../services/platform/open/deps.ts";
import { crossSite, Fault } from "../../services/platform/fault.ts";
import { PREFLIGHT_S } from "./router.ts";
import { ALLOWANCE_HEADERS } from "./rate_limit_headers.ts";

/** Headers that pages may send, and those that they may read. */
const REQUEST_HEADERS = [
  "Accept",
  "Cache-Control",
  "Content-Type",
  "Mcp-Method",
  "Mcp-Name",
  "Mcp-Protocol-Version",
  "X-Api-Key",
];
const RESPONSE_HEADERS = [
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  ...ALLOWANCE_HEADERS,
  "X-Request-Id",
];

/** Names that always mean the reader's own machine. */
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Refuses requests whose Host is neither that of the public URL nor loopback, and
 * requests from pages of any other origin. Pages of these origins may read answers.
 */
export function knownHost(
  { publicUrl }: { readonly publicUrl: PlatformDeps["publicUrl"] },
): MiddlewareHandler {
  const hostnames = [new URL(publicUrl).hostname, ...LOOPBACK];
  const expected = `one of ${[...new Set(hostnames)].join(", ")}`;
  const isKnown = (url: string) =>
    URL.canParse(url) && hostnames.includes(new URL(url).hostname);

  const check: MiddlewareHandler = (c, next) => {
    const host = c.req.header("Host") ?? new URL(c.req.url).host;
    if (!isKnown(`http://${host}`)) {
      throw crossSite("Host", host, expected);
    }
    const origin = c.req.header("Origin");
    if (origin !== undefined && !isKnown(origin)) {
      throw crossSite("Origin", origin, expected);
    }
    return next();
  };
  return every(
    check,
    cors({
      origin: (origin) => isKnown(origin) ? origin : null,
      allowMethods: ["POST"],
      allowHeaders: REQUEST_HEADERS,
      exposeHeaders: RESPONSE_HEADERS,
      maxAge: PREFLIGHT_S,
    }),
  );
}

/**
 * Refuses an invalid Host (RFC 9112, 3.2): parts of it would be parsed as the path.
 * It sets the answer and does not throw: an error would skip the log in `chained`.
 */
export function requireHost(
  onError: (error: Error, c: Context) => Response | Promise<Response>,
): MiddlewareHandler {
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

  async function refuse(c: Context): Promise<void> {
    const fault = new Fault(
      "Invalid Host: expected a name and an optional port",
      { kind: "badInput", parameter: "Host" },
    );
    c.error = fault;
    c.res = await onError(fault, c);
  }

  return (c, next) => isValid(c) ? next() : refuse(c);
}
