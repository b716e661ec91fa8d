/** An answer as bytes: serialised, compressed and tagged once, then sent many times. */
import { accepts } from "hono/accepts";
import type { Context } from "hono";
import { DAY_MS } from "../services/domain/days.ts";
import { ageMs, FRESH_MS, isGood } from "../services/domain/freshness.ts";

/** What an answer holds; instants in epoch ms. */
export interface Content {
  readonly text: string;
  readonly type: string;
  readonly fetchedAt: number;
  /** Null where nothing tells. */
  readonly changedAt: number | null;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** An answer in one encoding. */
interface Encoded {
  readonly body: string | Bytes;
  readonly byteLength: number;
  readonly headers: HeadersInit;
}

/** One answer in every encoding it is sent in. */
export interface Representation {
  readonly fetchedAt: number;
  readonly madeAt: number;
  readonly lastModified: number | null;
  readonly encodings: Record<Encoding, Encoded>;
  readonly etags: readonly string[];
}

const ENCODINGS = ["identity", "gzip"] as const;
type Encoding = typeof ENCODINGS[number];

/** Headers that a script of another origin may read. */
export const EXPOSED_HEADERS = ["Age", "Allow", "ETag", "Retry-After"];

/** Serves errors of upstream for a day, where a cache chooses to. */
const STALE_IF_ERROR_S = 86_400;

/** Makes the bytes of an answer. */
export async function represent(
  content: Content,
  now: number,
): Promise<Representation> {
  const body = new TextEncoder().encode(content.text);
  const gzip = await compress(body);
  const tag = await digest(body);
  const lastModified = content.changedAt === null
    ? null
    : Math.floor(content.changedAt / 1000) * 1000;
  const shared = {
    "Content-Type": content.type,
    ...(lastModified === null
      ? {}
      : { "Last-Modified": new Date(lastModified).toUTCString() }),
    "Vary": "Accept-Encoding",
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": EXPOSED_HEADERS.join(","),
    "X-Content-Type-Options": "nosniff",
  };
  // RFC 9110, 8.8.3: a strong validator differs between encodings.
  const etags = { identity: `"${tag}"`, gzip: `"${tag}-gzip"` };
  return {
    fetchedAt: content.fetchedAt,
    madeAt: now,
    lastModified,
    encodings: {
      // As text: of bytes the runtime makes a copy for every answer, and the
      // collector's work on these doubles the time that an answer takes.
      identity: encoded(content.text, body.byteLength, {
        ...shared,
        ETag: etags.identity,
      }),
      gzip: encoded(gzip, gzip.byteLength, {
        ...shared,
        ETag: etags.gzip,
        "Content-Encoding": "gzip",
      }),
    },
    etags: Object.values(etags),
  };
}

function encoded(
  body: Encoded["body"],
  byteLength: number,
  headers: Record<string, string>,
): Encoded {
  const length = { "Content-Length": String(byteLength) };
  return { body, byteLength, headers: { ...headers, ...length } };
}

/** Returns whether the bytes still say what the service would say now. */
export function isCurrent(held: Representation, now: number): boolean {
  const sameDay = Math.floor(held.madeAt / DAY_MS) === Math.floor(now / DAY_MS);
  return sameDay && isGood(held, now);
}

/** Answers a GET or HEAD: 304 where the client has it, else the bytes it accepts. */
export function respond(
  c: Context,
  held: Representation,
  now: number,
): Response {
  const { body, headers } = held.encodings[encodingFor(c)];
  const response = isUnmodified(c, held)
    ? new Response(null, { status: 304, headers })
    : new Response(body, { headers });
  const age = ageMs(held, now);
  const left = Math.max(0, Math.floor((FRESH_MS - age) / 1000));
  response.headers.set(
    "Cache-Control",
    left > 0
      ? `public, max-age=${left}, stale-if-error=${STALE_IF_ERROR_S}`
      : "public, max-age=0",
  );
  if (left === 0) response.headers.set("Age", String(Math.floor(age / 1000)));
  return response;
}

/**
 * Returns how stale an answer the request accepts when upstream is down, in ms:
 * `max-stale` of RFC 9111, section 5.2.1.2.
 */
export function maxStaleMs(c: Context): number {
  const directive = c.req.header("Cache-Control")
    ?.match(/(?:^|,)\s*max-stale(?:\s*=\s*"?(\d+)"?)?\s*(?:,|$)/i);
  if (!directive) return 0;
  return directive[1] === undefined ? Infinity : Number(directive[1]) * 1000;
}

function encodingFor(c: Context): Encoding {
  return accepts(c, {
    header: "Accept-Encoding",
    supports: [...ENCODINGS],
    default: "identity",
  }) as Encoding;
}

function isUnmodified(c: Context, held: Representation): boolean {
  const noneMatch = c.req.header("If-None-Match");
  if (noneMatch !== undefined) {
    return noneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""))
      .some((tag) => tag === "*" || held.etags.includes(tag));
  }
  if (held.lastModified === null) return false;
  const since = Date.parse(c.req.header("If-Modified-Since") ?? "");
  return held.lastModified <= since;
}

async function compress(body: Bytes): Promise<Bytes> {
  const stream = new Blob([body]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function digest(body: Bytes): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", body);
  return new Uint8Array(hash).toBase64({ alphabet: "base64url" }).slice(0, 22);
}
