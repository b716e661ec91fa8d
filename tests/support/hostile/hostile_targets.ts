/** Requests outside the documented operations: unusual paths, methods and headers. */
import type { HostileRequest } from "./hostile_requests.ts";
import { SENDERS } from "./hostile_requests.ts";
import { encode, hostileText } from "./hostile_values.ts";
import { fc } from "../properties.ts";

/** A route of an app. */
interface Route {
  readonly method: string;
  readonly path: string;
}

const METHODS = [
  "HEAD",
  "OPTIONS",
  "POST",
  "PUT",
  "DELETE",
  "PATCH",
  "PROPFIND",
  "PURGE",
  "MERGE",
  "get",
  "patch",
  "G",
  "__proto__",
  "constructor",
  "A".repeat(500),
];

/** Path segments that are sent without encoding or resolution. */
const RAW = [
  "",
  "/",
  "//",
  "//evil.test/",
  "/\\evil.test/",
  "/%2f%2fevil.test/",
  ";x=1",
  "%",
  "%zz",
  "%00",
  "%0d%0aX-Injected:%201",
  "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
  "..%2f..%2fmain.ts",
  "%252e%252e%252f",
  "%c0%ae%c0%ae%c0%af",
  "%ff%fe",
  "%ed%a0%80",
  "%5c..%5c",
  ".ts",
  ".env",
  ".svg",
  "~",
  "*",
  ":address",
  "{address}",
  "/".repeat(500),
  "a/".repeat(500),
  "a".repeat(9_000),
];

const QUERIES = [
  "",
  "?",
  "??",
  "?&",
  "?=",
  "?&&=&=%&%zz=%",
  "?metric=txCount&metric=gasUsed",
  "?metric=%ff",
  "?metric",
  "?metric=txCount;format=csv",
  "?%6d%65tric=txCount",
  "?metric=txCount%00",
  "?__proto__[metric]=txCount",
  "?__proto__=x&constructor=y",
  "?toString=1",
  `?${"a=1&".repeat(2_000)}`,
  `?a=${"%41".repeat(3_000)}`,
];

const HEADERS = [
  "Accept",
  "Accept-Encoding",
  "Accept-Language",
  "Authorization",
  "Cache-Control",
  "Content-Length",
  "Content-Type",
  "Cookie",
  "If-Match",
  "If-Modified-Since",
  "If-None-Match",
  "Origin",
  "Range",
  "Sec-Fetch-Site",
  "Transfer-Encoding",
  "X-Api-Key",
  "X-Forwarded-For",
  "X-Forwarded-Host",
  "X-HTTP-Method-Override",
  "X-Original-URL",
  "X-Request-Id",
  "__proto__",
];

const HEADER_VALUES = [
  "*",
  "*/*",
  "text/html",
  "text/html;q=nope",
  "application/json;q=0, text/html;q=1e999",
  ",".repeat(2_000),
  "gzip;q=0, identity;q=0, *;q=0",
  "gzip, ".repeat(500),
  "br;q=1.0000000000001",
  'W/"',
  '"'.repeat(1_000),
  "bytes=0-0,".repeat(300),
  "bytes=-9223372036854775809",
  "max-stale=99999999999999999999",
  'max-stale="',
  "max-stale=-1",
  "Thu, 99 Foo 99999 99:99:99 GMT",
  "Thu, 01 Jan 1970 00:00:00 GMT",
  "null",
  "http://evil.test",
  "Bearer x",
  "firn_session=",
  "firn_session=%zz",
  `firn_session="${"a".repeat(4_000)}"`,
  "; ; =; a=b=c; __proto__=x",
  "application/json; charset",
  "-1",
  "9".repeat(40),
  "chunked, chunked",
  "\u00ff\u00fe",
  "\t\u0080",
  "DELETE",
  "/api/account",
  "x".repeat(16_000),
];

const headerValue = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HEADER_VALUES) },
  {
    weight: 1,
    // RFC 9110, 5.5: the bytes that a runtime accepts in a header.
    arbitrary: hostileText.map((text) => text.replace(/[^\t\x20-\xff]/g, "")),
  },
);

/** Generates requests for an app's routes by any method, with raw texts as parameters. */
export function oddRequestsFor(
  routes: readonly Route[],
): fc.Arbitrary<HostileRequest> {
  const known = routes.filter(({ method }) => method !== "ALL");
  const raw = fc.oneof(
    fc.constantFrom(...RAW),
    hostileText.map((text) => encode(text)),
  );
  return fc.record({
    route: fc.constantFrom(...known),
    method: fc.option(fc.constantFrom(...METHODS), { freq: 3 }),
    host: fc.option(
      fc.constantFrom("http://evil.test", "https://[::1]:9", "http://a_b..c"),
      { freq: 2 },
    ),
    inside: raw,
    after: fc.option(raw, { freq: 3, nil: "" }),
    query: fc.constantFrom(...QUERIES),
    sender: fc.constantFrom(...SENDERS),
    headers: fc.array(
      fc.tuple(fc.constantFrom(...HEADERS), headerValue),
      { maxLength: 4 },
    ),
  }).map(({ route, method, inside, after, query, headers, ...rest }) => ({
    ...rest,
    method: method ?? route.method,
    target: fill(route.path, inside) + after + query,
    headers: Object.fromEntries(headers),
    body: null,
    operation: null,
  }));
}

/** Replaces every parameter of a route's path by a text. */
function fill(path: string, text: string): string {
  return path.replaceAll(/:\w+(\{[^/]*?\})?(?=\/|$)/g, () => text);
}
