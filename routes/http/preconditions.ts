/**
 * Which version of a document a client asks for or has, and which bytes of it (RFC 9110,
 * sections 13 and 14).
 */
import { Fault } from "../../services/platform/fault.ts";
import { shortened } from "../../services/platform/text.ts";

/** The validators of a version (RFC 9110, 8.8). */
export interface Version {
  /** Epoch ms, in whole seconds. Null if unknown. */
  readonly lastModified: number | null;
  /** Its entity tags without `W/`. */
  readonly etags: readonly string[];
  /** Whether equal tags mean equal bytes. */
  readonly isStrong: boolean;
}

/**
 * Returns the fault of a request that asks for another version than the current one:
 * RFC 9110, 13.1.1 and 13.1.4. Null if it does not. `If-Match` compares strongly, so a
 * weak tag never matches.
 */
export function refusalOfVersion(
  { headers }: Pick<Request, "headers">,
  held: Version,
): Fault | null {
  let reason = "the current version is another one";
  // `has` reads all headers of a request at once. Each `get` before it would read one,
  // which takes longer for all that are read here.
  if (headers.has("If-Match")) {
    const tags = headers.get("If-Match")!.split(",").map((tag) => tag.trim());
    const isMatch = (tag: string) =>
      tag === "*" || held.isStrong && held.etags.includes(tag);
    if (tags.some(isMatch)) return null;
    if (tags.some((tag) => tag.includes("W/"))) {
      reason = "If-Match never matches a weak ETag (RFC 9110, 8.8.3.2)";
    }
  } else {
    const since = headers.get("If-Unmodified-Since");
    const isLater = since !== null && held.lastModified !== null &&
      held.lastModified > Date.parse(since);
    if (!isLater) return null;
  }
  const failure = { kind: "preconditionFailed" } as const;
  return new Fault(`Precondition failed: ${reason}`, failure);
}

/** Returns whether a client has the current version: RFC 9110, 13.1.2 and 13.1.3. */
export function isUnmodified(
  { headers }: Pick<Request, "headers">,
  held: Version,
): boolean {
  const noneMatch = headers.get("If-None-Match");
  if (noneMatch !== null) {
    // If-None-Match compares weakly.
    return noneMatch.split(",").map((tag) => opaqueTag(tag.trim()))
      .some((tag) => tag === "*" || held.etags.includes(tag));
  }
  const since = headers.get("If-Modified-Since");
  return since !== null && held.lastModified !== null &&
    held.lastModified <= Date.parse(since);
}

/** Returns 132 bits of the SHA-256 of a body, as the text of an entity tag without quotes. */
export async function tagOf(body: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", body);
  return new Uint8Array(hash).toBase64({ alphabet: "base64url" }).slice(0, 22);
}

/** Returns an entity tag without `W/`. */
export function opaqueTag(tag: string): string {
  return tag.replace(/^W\//, "");
}

/** Bytes of a file, both included. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A version of a file. */
interface FileVersion {
  readonly bytes: number;
  /** A strong entity tag, with its quotes. */
  readonly etag: string;
  /** Epoch ms. */
  readonly changedAt: number;
}

/** How a request is answered: which status, and which bytes if it has a body. */
type Selection =
  | { readonly status: 200 | 206; readonly range: ByteRange }
  | { readonly status: 304 };

/**
 * Selects the bytes of a file that a GET request gets. Throws a fault if the request
 * asks for another version, or for bytes that the file does not have.
 */
export function selectBytes(
  request: Pick<Request, "headers">,
  { bytes, etag, changedAt }: FileVersion,
): Selection {
  const lastModified = Math.floor(changedAt / 1000) * 1000;
  const version = { etags: [etag], isStrong: true, lastModified };
  const refusal = refusalOfVersion(request, version);
  if (refusal !== null) throw refusal;
  if (isUnmodified(request, version)) return { status: 304 };
  const whole = { status: 200, range: { start: 0, end: bytes - 1 } } as const;
  const asked = request.headers.get("Range");
  const expected = request.headers.get("If-Range");
  // A part is of no use to a client with another version.
  const isPart = expected === null ||
    (expected.includes('"')
      ? expected.trim() === etag
      : Date.parse(expected) === lastModified);
  if (asked === null || !isPart) return whole;
  const range = parseRange(asked, bytes);
  if (range === undefined) return whole;
  if (range !== null) return { status: 206, range };
  throw new Fault(
    `Invalid Range "${
      shortened(asked)
    }": expected a part of the ${bytes} bytes of the file`,
    { kind: "rangeNotSatisfiable", bytes },
  );
}

/**
 * Parses the one range of a `Range` header. Returns null if the file has no such
 * bytes, and undefined if the header is to be ignored: another unit, several ranges,
 * or no range at all.
 */
function parseRange(text: string, bytes: number): ByteRange | null | undefined {
  const [, first, last] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(text) ?? [];
  if (first === undefined || last === undefined || first + last === "") {
    return undefined;
  }
  if (first === "") {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? null : { start: bytes - length, end: bytes - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return undefined;
  if (start >= bytes) return null;
  return {
    start,
    end: last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1),
  };
}
