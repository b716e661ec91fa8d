/** An answer as bytes: serialised, compressed and tagged once, then sent many times. */
import { gzipSync } from "node:zlib";
import { parseAccept } from "hono/utils/accept";
import { DAY_MS } from "../../services/platform/days.ts";
import {
  ageMs,
  isFresh,
  UPSTREAM_FRESH_MS,
} from "../../services/platform/cache/freshness.ts";

/** What an answer holds; instants in epoch ms. */
export interface Content {
  readonly text: string;
  readonly type: string;
  readonly fetchedAt: number;
  /** Null where nothing tells. */
  readonly changedAt: number | null;
  /** Beside those of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where it is not kept as chain data are: for an hour from when they were read. */
  readonly keep?: Keep;
}

/** How an answer of its own kind is kept. */
export interface Keep {
  /** How long it is held here, from when it was read. */
  readonly forMs: number;
  /** `Cache-Control` among them. */
  readonly headers: Readonly<Record<string, string>>;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** An answer in one encoding. */
interface Encoded {
  readonly body: string | Bytes;
  readonly byteLength: number;
  /** Returns its headers at an age in whole seconds. */
  readonly headersAt: (ageS: number) => Record<string, string>;
}

/** One answer in every encoding it is sent in. */
export interface Representation {
  readonly fetchedAt: number;
  readonly madeAt: number;
  readonly lastModified: number | null;
  readonly keep: Keep | null;
  readonly encodings: Record<Encoding, Encoded>;
  readonly etags: readonly string[];
}

type Encoding = "identity" | "gzip";
const GZIP = /^\s*gzip\s*$/i;

/** Headers that a script of another origin may read, where they matter: on what is stale or wrong. */
export const EXPOSED_HEADERS = ["Age", "Allow", "ETag", "Retry-After"];

/** Bytes that fit into the first packet after the headers: compressed they would arrive no sooner. */
const ONE_PACKET = 1_400;

/** Serves errors of upstream for a day, where a cache chooses to. */
const STALE_IF_ERROR_S = 86_400;

/** Makes the bytes of an answer. */
export async function represent(
  content: Content,
  now: number,
): Promise<Representation> {
  const { keep = null } = content;
  const body = new TextEncoder().encode(content.text);
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
    ...content.headers,
    ...keep?.headers,
  };
  const at = keep ? always : oncePerSecond;
  // RFC 9110, 8.8.3: a strong validator differs between encodings.
  const etags = { identity: `"${tag}"`, gzip: `"${tag}-gzip"` };
  const identity = {
    // As text: of bytes the runtime makes a copy for every answer, and the
    // collector's work on these doubles the time that an answer takes. Text
    // that was decoded lies outside of the heap and costs least.
    body: new TextDecoder().decode(body),
    byteLength: body.byteLength,
    headersAt: at({ ...shared, ETag: etags.identity }),
  };
  function compress() {
    const bytes = new Uint8Array(gzipSync(body));
    const headers = {
      ...shared,
      ETag: etags.gzip,
      "Content-Encoding": "gzip",
    };
    return {
      body: bytes,
      byteLength: bytes.byteLength,
      headersAt: at(headers),
    };
  }
  return {
    fetchedAt: content.fetchedAt,
    madeAt: now,
    lastModified,
    keep,
    encodings: {
      identity,
      gzip: body.byteLength > ONE_PACKET ? compress() : identity,
    },
    etags: Object.values(etags),
  };
}

/** Returns whether the bytes still say what the service would say now. */
export function isCurrent(held: Representation, now: number): boolean {
  const sameDay = Math.floor(held.madeAt / DAY_MS) === Math.floor(now / DAY_MS);
  return sameDay &&
    (held.keep ? ageMs(held, now) < held.keep.forMs : isFresh(held, now));
}

/** Answers a GET or HEAD: 304 where the client has it, else the encoding it accepts. */
export function respond(
  request: Request,
  held: Representation,
  now: number,
): Response {
  const { body, byteLength, headersAt } = held.encodings[encodingFor(request)];
  const headers = headersAt(Math.floor(ageMs(held, now) / 1000));
  if (isUnmodified(request, held)) {
    return new Response(null, { status: 304, headers });
  }
  // The runtime writes the length of a body that is there.
  return request.method === "HEAD"
    ? new Response(null, {
      headers: { ...headers, "Content-Length": String(byteLength) },
    })
    : new Response(body, { headers });
}

/** Leaves headers as they are at any age. */
function always(headers: Record<string, string>) {
  return () => headers;
}

/** Adds to headers what changes with the age, anew only when a second has passed. */
function oncePerSecond(headers: Readonly<Record<string, string>>) {
  let madeAtS = -1;
  let made: Record<string, string> = {};
  return (ageS: number) => {
    if (ageS !== madeAtS) {
      made = { ...headers, ...ageHeaders(ageS) };
      madeAtS = ageS;
    }
    return made;
  };
}

/** Returns what is left of the hour, or how long an answer has been there. */
function ageHeaders(ageS: number): Record<string, string> {
  const left = UPSTREAM_FRESH_MS / 1000 - ageS;
  return left > 0
    ? {
      "Cache-Control":
        `public, max-age=${left}, stale-if-error=${STALE_IF_ERROR_S}`,
    }
    : {
      "Cache-Control": "public, max-age=0",
      "Age": String(ageS),
      "Access-Control-Expose-Headers": EXPOSED_HEADERS.join(","),
    };
}

/**
 * Returns how stale an answer the request accepts when upstream is down, in ms:
 * `max-stale` of RFC 9111, section 5.2.1.2.
 */
export function maxStaleMs({ headers }: Request): number {
  const directive = headers.get("Cache-Control")
    ?.match(/(?:^|,)\s*max-stale(?:\s*=\s*"?(\d+)"?)?\s*(?:,|$)/i);
  if (!directive) return 0;
  return directive[1] === undefined ? Infinity : Number(directive[1]) * 1000;
}

function encodingFor({ headers }: Request): Encoding {
  const accepted = headers.get("Accept-Encoding");
  if (accepted === null) return "identity";
  // Without a weight there is nothing to parse, and hardly anybody sends one.
  const takesGzip = accepted.includes(";")
    ? parseAccept(accepted).some(({ type, q }) => GZIP.test(type) && q > 0)
    : accepted.split(",").some((type) => GZIP.test(type));
  return takesGzip ? "gzip" : "identity";
}

function isUnmodified({ headers }: Request, held: Representation): boolean {
  const noneMatch = headers.get("If-None-Match");
  if (noneMatch !== null) {
    return noneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""))
      .some((tag) => tag === "*" || held.etags.includes(tag));
  }
  const since = headers.get("If-Modified-Since");
  return since !== null && held.lastModified !== null &&
    held.lastModified <= Date.parse(since);
}

async function digest(body: Bytes): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", body);
  return new Uint8Array(hash).toBase64({ alphabet: "base64url" }).slice(0, 22);
}
