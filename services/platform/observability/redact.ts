/** Removes secrets from logs and traces. */

/**
 * Returns a text without secrets, truncated if it is long. `field` names the
 * field that holds it: some fields hold public hashes.
 */
export type Redact = (text: string, field?: string) => string;

const GONE = "[redacted]";

/** Truncation length, in characters. */
const MAX_TEXT_CHARACTERS = 4_000;

/** Fields whose 32-byte hex values are public, although private keys look the same. */
const PUBLIC_HASHES: readonly string[] = ["txHash"];
const HASH = /^0x[0-9a-f]{64}$/i;

/** Patterns of secrets and their replacements. */
const PATTERNS: readonly (readonly [pattern: RegExp, left: string])[] = [
  [/-----BEGIN [^-]*PRIVATE KEY-----[^]*?(?:-----END[^-]*-----|$)/g, GONE],
  // The whole header line: a cookie has no fixed format.
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
  // Paths may contain a provider's key. Module URLs in stacks keep their host.
  [/\b((?:http|ws)s?:\/\/[^\s/"'<>)]+\/)[^\s"'<>)]+/gi, "$1…"],
  // Query values are client input and may contain sign-in codes.
  [/\?[\w.~%+[\]-]+=[^\s"'<>)]*/g, "?…"],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, GONE],
  [/\bgh[a-z]_\w{16,}/g, GONE],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/gi, GONE],
  [/(?:0x)?[0-9a-f]{64,}/gi, GONE],
  // 256 bits in base64url, such as a session token.
  [/[\w-]{43,}/g, GONE],
  [/[A-Za-z0-9+/]{42,}={1,2}/g, GONE],
];

/** Creates the redaction of the given secrets and of everything that looks like one. */
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

/** Truncates a text between words, since half a secret matches no pattern. */
function shorten(text: string): string {
  if (text.length <= MAX_TEXT_CHARACTERS) return text;
  const start = text.slice(0, MAX_TEXT_CHARACTERS);
  return `${start.slice(0, start.search(/\s\S*$/) + 1)}…`;
}

/** Maximum depth of repeated percent-encoding. */
const MAX_ENCODINGS = 4;

/**
 * Decodes percent-encoded ASCII, in which secrets could hide, even if it is encoded
 * several times. Malformed sequences stay.
 */
export function decodePercent(text: string): string {
  let decoded = text;
  for (let times = 0; times < MAX_ENCODINGS; times++) {
    if (!decoded.includes("%")) break;
    decoded = decoded.replaceAll(
      /%([0-7][0-9a-f])/gi,
      (_, hex) => String.fromCharCode(parseInt(hex, 16)),
    );
  }
  return decoded;
}
