/** Which encoding a client prefers, by `Accept-Encoding`. */
import { parseAccept } from "hono/utils/accept";

const BR = /^\s*br\s*$/i;
const GZIP = /^\s*gzip\s*$/i;

/** Returns the encoding that a client prefers; brotli, if there is one, before an equal gzip. */
export function preferredEncoding(
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
