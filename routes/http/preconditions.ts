/** Conditions of requests: which version of a document a client asks for or has (RFC 9110, section 13). */
import { Fault } from "../../services/platform/fault.ts";

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
