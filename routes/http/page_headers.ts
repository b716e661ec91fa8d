/** Security headers and compression of pages, and of embeds. */
import type { Context, MiddlewareHandler } from "hono";
import { every } from "hono/combine";
import { compress } from "hono/compress";
import { secureHeaders } from "hono/secure-headers";
import { EMBEDS } from "./paths.ts";

const NOTHING = ["'none'"];
const OWN = ["'self'"];

/** Headers of pages and of embeds. */
const COMMON = {
  overwrite: false,
  referrerPolicy: "strict-origin-when-cross-origin",
  permissionsPolicy: {
    camera: [],
    geolocation: [],
    microphone: [],
    payment: [],
    usb: [],
  },
  // The proxy that terminates TLS sets Strict-Transport-Security.
  strictTransportSecurity: false,
  xXssProtection: false,
} satisfies Parameters<typeof secureHeaders>[0];

const IS_API = /^\/(?:api|mcp)(?:\/|$)/;

/**
 * Sets a strict Content-Security-Policy on everything outside the API, and
 * compresses it: scripts, styles and connections of our own origin only,
 * nothing inline, no framing. Headers that a route sets are kept.
 */
export function pageHeaders(): MiddlewareHandler {
  const apply = every(
    compress(),
    pageSecurity(),
  );
  const applyToEmbed = every(compress(), embedSecurity());
  // `except` would match the path with a router of its own on each request.
  return (c, next) => {
    const { path } = c.req;
    if (IS_API.test(path)) return withoutSniffing(c, next);
    return path.startsWith(`${EMBEDS}/`)
      ? applyToEmbed(c, next)
      : apply(c, next);
  };
}

/** Sets the header that answers of the API need, too: a browser takes their type as it is named. */
async function withoutSniffing(
  c: Context,
  next: () => Promise<void>,
): Promise<void> {
  await next();
  c.res.headers.set("X-Content-Type-Options", "nosniff");
}

/** Sets the security headers of pages. */
export function pageSecurity(): MiddlewareHandler {
  return secureHeaders({
    ...COMMON,
    contentSecurityPolicy: {
      defaultSrc: NOTHING,
      scriptSrc: OWN,
      styleSrc: OWN,
      imgSrc: ["'self'", "data:"],
      connectSrc: OWN,
      fontSrc: OWN,
      formAction: OWN,
      baseUri: NOTHING,
      frameAncestors: NOTHING,
    },
    // For browsers that do not know frame-ancestors.
    xFrameOptions: "DENY",
  });
}

/**
 * Sets the security headers of embeds: any site may frame them. They run no
 * script, load nothing and send no form.
 */
export function embedSecurity(): MiddlewareHandler {
  return secureHeaders({
    ...COMMON,
    contentSecurityPolicy: {
      defaultSrc: NOTHING,
      styleSrc: ["'unsafe-inline'"],
      formAction: NOTHING,
      baseUri: NOTHING,
      frameAncestors: ["*"],
    },
    xFrameOptions: false,
    // A site with Cross-Origin-Embedder-Policy frames only what allows it.
    crossOriginResourcePolicy: "cross-origin",
    crossOriginOpenerPolicy: false,
  });
}
