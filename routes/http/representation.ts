/**
 * An answer as bytes: serialised as JSON, CSV (RFC 4180) or Atom and tagged once,
 * compressed once per encoding, then sent many times.
 */
import { type ColumnDetails, stringify } from "@std/csv";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { parseAccept } from "hono/utils/accept";
import {
  ageMs,
  type CacheableAnswer,
  isFresh,
  UPSTREAM_FRESH_MS,
} from "../../services/platform/cache.ts";
import { DAY_MS, dayAt } from "../../services/platform/days.ts";
import { csvCell } from "../../services/platform/text.ts";
import { plainNumber } from "../../services/platform/numbers.ts";
import {
  isUnmodified,
  opaqueTag,
  tagOf,
  type Version,
} from "./preconditions.ts";

/** The content of an answer; instants in epoch ms. */
export interface Content {
  readonly text: string;
  /** The part of the text that the ETag covers. The tag is weak then. Default: all, strong. */
  readonly tagged?: string;
  readonly type: string;
  readonly fetchedAt: number;
  /** Null if unknown. */
  readonly changedAt: number | null;
  /** Headers of this answer besides those of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it is a page: for its own origin, and compressed with gzip alone. */
  readonly isPage?: boolean;
  /** Cache policy, if it differs from chain data's: one hour from the read. */
  readonly keep?: Keep;
}

/** A cache policy of its own. */
export interface Keep {
  /** Time in the response cache, in ms from the read. */
  readonly forMs: number;
  /** Contains `Cache-Control`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether it shows a person, who may have hidden it since: it is never sent later. */
  readonly isPersonal?: boolean;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** An answer in one encoding. */
interface Encoded {
  /** To be cloned: a clone shares the body, and its headers are not checked again. */
  readonly answer: Response;
  readonly byteLength: number;
}

/** Returns the answer in one encoding, at an age in whole seconds. */
type Encoding = (ageS: number) => Encoded;

/** An answer in all its encodings. */
export interface Representation extends Version {
  readonly fetchedAt: number;
  readonly madeAt: number;
  readonly keep: Keep | null;
  readonly encodings: Readonly<
    Record<"identity" | "gzip", Encoding> & {
      /** Null for a small answer. */
      br: Encoding | null;
    }
  >;
  /** Length of the identity encoding. */
  readonly byteLength: number;
}

/** Headers that scripts of other origins may read. */
export const EXPOSED_HEADERS = ["Age", "Allow", "ETag", "Retry-After"];

/**
 * Bodies of at most this many bytes are not compressed: they fit into the first
 * packet anyway.
 */
const ONE_PACKET = 1_400;

/** Bodies of more bytes are also compressed with brotli, a tenth to a quarter smaller than with gzip. */
const BROTLI_BYTES = 16_384;

/** Takes at most twice the time of gzip, and of half a megabyte as long. Quality 5 takes twice as long. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** The service and caches may send an answer for this time while the service fails. */
export const STALE_IF_ERROR_MS = DAY_MS;
const STALE_IF_ERROR = `stale-if-error=${STALE_IF_ERROR_MS / 1000}`;

/** Serialises and tags an answer. Each compressed body is made when a client first accepts it. */
export async function represent(
  content: Content,
  now: number,
): Promise<Representation> {
  const { keep = null } = content;
  const body = new TextEncoder().encode(content.text);
  const { tagged = content.text } = content;
  const tag = await tagOf(new TextEncoder().encode(tagged));
  // RFC 9110, 8.8.1: a weak validator may be the same for different bytes.
  const weak = tagged === content.text ? "" : "W/";
  const lastModified = content.changedAt === null
    ? null
    : Math.floor(content.changedAt / 1000) * 1000;
  const shared = {
    "Content-Type": content.type,
    ...(lastModified === null
      ? {}
      : { "Last-Modified": new Date(lastModified).toUTCString() }),
    "Vary": "Accept-Encoding",
    "X-Content-Type-Options": "nosniff",
    ...content.isPage ? {} : {
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Expose-Headers": EXPOSED_HEADERS.join(","),
    },
    ...content.headers,
    ...keep?.headers,
  };
  // RFC 9110, 8.8.3: a strong validator differs between encodings.
  const etags = {
    identity: `${weak}"${tag}"`,
    gzip: `${weak}"${tag}-gzip"`,
    br: `${weak}"${tag}-br"`,
  };
  const hasAge = keep === null;
  const identity = encodeOnce(() => body, {
    ...shared,
    ETag: etags.identity,
  }, hasAge);
  const compressed = (encoding: "gzip" | "br", compress: () => Uint8Array) =>
    encodeOnce(() => new Uint8Array(compress()), {
      ...shared,
      ETag: etags[encoding],
      "Content-Encoding": encoding,
    }, hasAge);
  return {
    fetchedAt: content.fetchedAt,
    madeAt: now,
    lastModified,
    keep,
    encodings: {
      identity,
      gzip: body.byteLength > ONE_PACKET
        ? compressed("gzip", () => gzipSync(body))
        : identity,
      br: body.byteLength > BROTLI_BYTES && !content.isPage
        ? compressed("br", () => brotliCompressSync(body, BROTLI))
        : null,
    },
    byteLength: body.byteLength,
    etags: Object.values(etags).map(opaqueTag),
    isStrong: weak === "",
  };
}

/** Returns whether an answer is still current. */
export function isCurrent(
  held: Pick<Representation, "fetchedAt" | "keep" | "madeAt">,
  now: number,
): boolean {
  return dayAt(held.madeAt) === dayAt(now) &&
    (held.keep ? ageMs(held, now) < held.keep.forMs : isFresh(held, now));
}

/**
 * Answers a GET or HEAD request: 304 if the client has the current version,
 * else the body in an accepted encoding.
 */
export function respond(
  request: Request,
  held: Representation,
  now: number,
): Response {
  const encoding = choose(request, held.encodings);
  const { answer, byteLength } = encoding(Math.floor(ageMs(held, now) / 1000));
  if (isUnmodified(request, held)) {
    return new Response(null, { status: 304, headers: answer.headers });
  }
  // The runtime sets Content-Length for responses with a body.
  if (request.method !== "HEAD") return answer.clone();
  const headers = new Headers(answer.headers);
  headers.set("Content-Length", String(byteLength));
  return new Response(null, { headers });
}

function choose(
  { headers }: Request,
  encodings: Representation["encodings"],
): Encoding {
  const accepted = headers.get("Accept-Encoding");
  return accepted === null
    ? encodings.identity
    : encodings[preferredEncoding(accepted, encodings.br !== null)]!;
}

/** Encodes an answer as the request accepts it, so that `respond` takes no time for it. */
export function encode(request: Request, held: Representation): void {
  choose(request, held.encodings)(0);
}

/** Types that are compressed. */
const TEXT_TYPE = /^text\/|json|xml|javascript/;

/** Compresses an answer that no cache keeps. A stream would do so later, outside of the turn. */
export async function compress(
  request: Request,
  answer: Response,
): Promise<Response> {
  const { status, headers } = answer;
  const accepted = request.headers.get("Accept-Encoding");
  const isText = TEXT_TYPE.test(headers.get("Content-Type") ?? "") &&
    !headers.has("Content-Encoding") && !headers.has("ETag");
  if (
    !isText || answer.body === null || accepted === null ||
    preferredEncoding(accepted, false) !== "gzip"
  ) return answer;
  const bytes = new Uint8Array(gzipSync(await answer.bytes()));
  const compressed = new Response(bytes, { status, headers });
  compressed.headers.set("Content-Encoding", "gzip");
  compressed.headers.append("Vary", "Accept-Encoding");
  return compressed;
}

/** Encodes an answer when a client first accepts the encoding. */
function encodeOnce(
  encode: () => Bytes,
  headers: Readonly<Record<string, string>>,
  hasAge: boolean,
): Encoding {
  let encoded: Encoded | undefined;
  let setAtS: number | null = null;
  return (ageS) => {
    if (encoded === undefined) {
      const bytes = encode();
      // Headers are set afterwards: a response that is given several of them compares
      // each with all others, keeps a copy of its body outside the heap, and registers
      // the copy for collection.
      const answer = new Response(bytes);
      for (const name in headers) answer.headers.set(name, headers[name]!);
      encoded = { answer, byteLength: bytes.byteLength };
    }
    if (hasAge && ageS !== setAtS) {
      const sent = encoded.answer.headers;
      const left = UPSTREAM_FRESH_MS / 1000 - ageS;
      // The remaining max-age, or the Age of a stale answer.
      if (left > 0) {
        const policy = `public, max-age=${left}, ${STALE_IF_ERROR}`;
        sent.set("Cache-Control", policy);
      } else {
        sent.set("Age", String(ageS));
        sent.set("Cache-Control", "public, max-age=0");
      }
      setAtS = ageS;
    }
    return encoded;
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

const BR = /^\s*br\s*$/i;
const GZIP = /^\s*gzip\s*$/i;

/** Returns the encoding that a client prefers; brotli, if there is one, before an equal gzip. */
function preferredEncoding(
  accepted: string,
  hasBrotli: boolean,
): "br" | "gzip" | "identity" {
  const gzipWeight = weightOf(accepted, GZIP);
  if (hasBrotli) {
    const weight = weightOf(accepted, BR);
    if (weight > 0 && weight >= gzipWeight) return "br";
  }
  return gzipWeight > 0 ? "gzip" : "identity";
}

/** Returns the weight of an encoding in Accept-Encoding, 0 if it is not accepted. */
function weightOf(accepted: string, encoding: RegExp): number {
  // Most clients send no weights, so the full parser is rarely needed.
  if (!accepted.includes(";")) {
    return accepted.split(",").some((type) => encoding.test(type)) ? 1 : 0;
  }
  return parseAccept(accepted).find(({ type }) => encoding.test(type))?.q ?? 0;
}

/** Rows of a CSV answer and the order of their columns. */
export interface Table {
  /** Name of the downloaded file, without `firn-` and `.csv`. */
  readonly name: string;
  readonly columns: readonly (string | ColumnDetails)[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Names the first day of a bucket `period`, as every CSV of the API does. */
export function byPeriod<Item extends { readonly day: string }>(
  { day, ...item }: Item,
) {
  return { period: day, ...item };
}

/** The instants of an answer. */
type Dates = Omit<CacheableAnswer<unknown>, "answer">;

/**
 * An answer that never changes needs no revalidation (RFC 8246). It is kept for an
 * hour like every answer, and then made again from the same records.
 */
const FINAL: Keep = {
  forMs: UPSTREAM_FRESH_MS,
  headers: {
    "Cache-Control": `public, max-age=${
      UPSTREAM_FRESH_MS / 1000
    }, ${STALE_IF_ERROR}, immutable`,
  },
};

/** Returns the part of a content that says how it is cached. */
function cachingOf(
  { fetchedAt, changedAt, isFinal = false }: Dates,
): Pick<Content, "fetchedAt" | "changedAt" | "keep"> {
  return { fetchedAt, changedAt, ...isFinal && { keep: FINAL } };
}

/** Fields that say how old data are. They change although the data do not. */
const AGES =
  /"(?:fetchedAt|confirmedAt|checkedAt|lastSuccessAt|lagHours)":(?:"[^"]*"|[^,}]*)/g;

/** Serialises an answer as JSON. Its ETag ignores how old the data are. */
export function jsonContent(
  { answer, ...dates }: CacheableAnswer<unknown>,
): Content {
  const text = JSON.stringify(answer);
  const tagged = text.replaceAll(AGES, "");
  return { text, tagged, type: "application/json", ...cachingOf(dates) };
}

/** Serialises an answer as an Atom feed. */
export function atomContent(
  dates: Dates,
  text: string,
): Content {
  const type = "application/atom+xml; charset=utf-8";
  return { text, type, ...cachingOf(dates) };
}

/** Returns the content of a cell. Numbers have no exponent, and lists are separated by spaces. */
function cellOf(value: unknown): unknown {
  if (typeof value === "number") return plainNumber(value);
  return csvCell(Array.isArray(value) ? value.join(" ") : value);
}

function cellsOf(
  row: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const cells = Object.entries(row)
    .map(([name, value]) => [name, cellOf(value)] as const);
  return Object.fromEntries(cells);
}

/** Serialises the rows of an answer as CSV with a header row. */
export function csvContent(
  dates: Dates,
  { name, columns, rows }: Table,
): Content {
  const text = stringify(rows.map(cellsOf), { columns: [...columns] });
  const type = "text/csv; charset=utf-8; header=present";
  const headers = {
    "Content-Disposition": `attachment; filename="firn-${name}.csv"`,
  };
  return { text, type, headers, ...cachingOf(dates) };
}
