/** The address of a service: what `baseUrl` accepts, and no redirect with a key. */
import { FirnError } from "./errors.ts";
import type { AnswerMeta } from "./facts.ts";

/** An address with its scheme, and without credentials, query and fragment. */
const BASE_URL = /^https?:\/\/[^\s/?#@\\]+(\/[^\s?#]*)?$/i;

/** Returns the address of the service without its last slash. */
export function baseOf(given: unknown): string {
  const text = String(given).trim();
  try {
    if (BASE_URL.test(text)) {
      return new URL(text).href.replace(/(\/api\/v1)?\/*$/, "");
    }
  } catch {
    // The error below says what is accepted.
  }
  const shown = text.replace(/\/\/.*@/, "//…@"); // a password belongs in no message
  throw new TypeError(
    `Invalid baseUrl "${shown}": expected http:// or https:// and a host, such as https://firn.example`,
  );
}

/** Returns whether `fetch` knows the option `redirect`. React Native's follows every redirect, with all headers. */
export function knowsRedirects(): boolean {
  return "redirect" in Request.prototype;
}

/** Throws for an answer that is a redirect, or the answer of another host after one. */
export function refuseRedirect(
  { status, headers, url, redirected }: Response,
  base: string,
  meta: AnswerMeta,
): void {
  const isElsewhere = redirected ||
    !knowsRedirects() && !!url && originOf(url) !== originOf(base);
  // The status is 0 in a browser, which shows a script no redirect.
  if (!isElsewhere && status >= 200 && (status < 300 || status >= 400)) return;
  const target = isElsewhere ? originOf(url) : headers.get("Location");
  throw new FirnError(
    `${base} redirects to ${
      target ?? "another address"
    }, and a key is not sent there: set baseUrl to the address that answers`,
    { code: "BAD_ANSWER", status, meta },
  );
}

/** RegExp, because `origin` of React Native's URL throws an error. */
function originOf(url: string): string {
  const [, origin = ""] = /^(\w+:\/\/[^/?#]*)/.exec(url) ?? [];
  return origin.toLowerCase().replace(
    /^(http:.*):80$|^(https:.*):443$/,
    "$1$2",
  );
}
