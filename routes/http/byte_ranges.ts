/** Byte ranges of a file that does not change under its entity tag (RFC 9110, sections 13 and 14). */
import { Fault } from "../../services/platform/fault.ts";
import { shortened } from "../../services/platform/quoted_text.ts";
import { isUnmodified, refusalOfVersion } from "./preconditions.ts";

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
