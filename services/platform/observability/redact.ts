/** Takes secrets out of what is logged or traced: the one place that does. */

/** Returns a text, cut where it is long, without any secret in it; the name of its field may say that a hash is public. */
export type Redact = (text: string, field?: string) => string;

const GONE = "[redacted]";

/** Longest text that is looked through, in characters. */
const LONGEST_TEXT = 4_000;

/** Fields of 32 bytes in hex that everybody may know, though a private key looks the same. */
const PUBLIC_HASHES: readonly string[] = ["txHash"];
const HASH = /^0x[0-9a-f]{64}$/i;

/** What looks like a secret, and what is left of it. */
const PATTERNS: readonly (readonly [pattern: RegExp, left: string])[] = [
  [/-----BEGIN [^-]*PRIVATE KEY-----[^]*?(?:-----END[^-]*-----|$)/g, GONE],
  // Whole header lines: a cookie holds anything.
  [
    /\b((?:set-)?cookie|authorization|x-api-key)(["']?\s*[:=]).*/gi,
    `$1$2 ${GONE}`,
  ],
  [
    /\b(\w*(?:password|secret|signature|token|private_?key))(["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,;&]+)/gi,
    `$1$2${GONE}`,
  ],
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${GONE}`],
  [/\/\/[^\s/@]+@/g, `//${GONE}@`],
  // The key of a provider may stand in the path; where a module is from is told.
  [/\b((?:http|ws)s?:\/\/[^\s/"'<>)]+\/)[^\s"'<>)]+/gi, "$1…"],
  // What stands in a query came from outside, and may be a code that signs in.
  [/\?[\w.~%+[\]-]+=[^\s"'<>)]*/g, "?…"],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, GONE],
  [/\bgh[a-z]_\w{16,}/g, GONE],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/gi, GONE],
  [/(?:0x)?[0-9a-f]{64,}/gi, GONE],
  // 256 bits as base64, such as the token of a session.
  [/[\w-]{43,}/g, GONE],
  [/[A-Za-z0-9+/]{42,}={1,2}/g, GONE],
];

/** Returns what takes out secrets: these by their value, all others by how they look. */
export function redactor(own: readonly string[] = []): Redact {
  const known = own.map((secret) => secret.replace(/^0x/, ""))
    .filter((secret) => secret.length > 0)
    .map((secret) => new RegExp(`(?:0x)?${RegExp.escape(secret)}`, "gi"));
  return (text, field = "") => {
    let clean = redactKeys(decodePercent(shorten(text)));
    for (const secret of known) clean = clean.replaceAll(secret, GONE);
    if (PUBLIC_HASHES.includes(field) && HASH.test(clean)) return clean;
    for (const [pattern, left] of PATTERNS) {
      clean = clean.replaceAll(pattern, left);
    }
    return clean;
  };
}

/** Returns a text in which every API key is cut to its prefix. */
export function redactKeys(text: string): string {
  return text.replaceAll(/(firn_(?:live|test)_)\w+/g, "$1…");
}

/** Cuts a text where it is too long, between words: half a secret looks like nothing. */
function shorten(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  const start = text.slice(0, LONGEST_TEXT);
  return `${start.slice(0, start.search(/\s\S*$/) + 1)}…`;
}

/** Undoes percent-encoding in what a secret is made of; what is malformed stays as it is. */
export function decodePercent(text: string): string {
  if (!text.includes("%")) return text;
  return text.replaceAll(
    /%([0-7][0-9a-f])/gi,
    (_, hex) => String.fromCharCode(parseInt(hex, 16)),
  );
}
