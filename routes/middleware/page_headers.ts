/** The headers of everything that browsers show: what a page may load, and who may hold it. */
import { except } from "hono/combine";
import { compress } from "hono/compress";
import { secureHeaders } from "hono/secure-headers";

const NOTHING = ["'none'"];
const OWN = ["'self'"];

/**
 * Puts a strict policy on all that is no API, and compresses it: scripts, styles
 * and connections of our own origin alone, nothing inline, no frame around it.
 * What a route sets itself stays.
 */
export function pageHeaders() {
  return except(
    "/api/*",
    compress(),
    secureHeaders({
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
      // Whoever ends the TLS connection decides on it.
      strictTransportSecurity: false,
      // Says the same as frame-ancestors to browsers that do not know that.
      xFrameOptions: "DENY",
      xXssProtection: false,
    }),
  );
}
