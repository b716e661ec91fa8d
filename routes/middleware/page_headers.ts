/** Security headers and compression of pages. */
import type { MiddlewareHandler } from "hono";
import { every } from "hono/combine";
import { compress } from "hono/compress";
import { secureHeaders } from "hono/secure-headers";

const NOTHING = ["'none'"];
const OWN = ["'self'"];

const IS_API = /^\/(?:api|mcp|a2a)(?:\/|$)/;

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
  // `except` would match the path with a router of its own on each request.
  return (c, next) => IS_API.test(c.req.path) ? next() : apply(c, next);
}

/** Sets the security headers of pages. */
export function pageSecurity(): MiddlewareHandler {
  return secureHeaders({
    overwrite: false,
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
    // For browsers that do not know frame-ancestors.
    xFrameOptions: "DENY",
    xXssProtection: false,
  });
}
