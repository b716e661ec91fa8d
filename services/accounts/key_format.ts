/** The format of API keys: prefix, random characters, checksum. */
import { sha256Hex } from "../platform/bytes.ts";
import basex from "base-x";
import { customAlphabet } from "nanoid";
import { crc32 } from "node:zlib";
import type { KeyKind } from "./account_schema.ts";

/** The alphabet of keys, and of the nonces of EIP-4361. */
export const BASE62 =
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARS = 32;
const CHECKSUM_CHARS = 6;

/** The prefix of a key, by its kind. */
const PREFIXES = {
  live: "firn_live_",
  test: "firn_test_",
} as const satisfies Record<KeyKind, string>;

const PREFIX = `(?:${Object.values(PREFIXES).join("|")})`;

const BEGINNING = new RegExp(PREFIX);

const SHAPE = new RegExp(
  `^(${PREFIX}[${BASE62}]{${RANDOM_CHARS}})([${BASE62}]{${CHECKSUM_CHARS}})$`,
);

const randomChars = customAlphabet(BASE62, RANDOM_CHARS);

/** Creates a key: 190 random bits, and a checksum that detects typing errors. */
export function createKey(kind: KeyKind = "live"): string {
  const body = PREFIXES[kind] + randomChars();
  return body + checksumOf(body);
}

/** Returns whether a text is a well-formed key with a valid checksum. */
export function isKey(text: string): boolean {
  const [, body, checksum] = SHAPE.exec(text) ?? [];
  return body !== undefined && checksumOf(body) === checksum;
}

/** Returns whether a text contains a key's prefix. Such a text must not be logged or shown. */
export function looksLikeKey(text: string): boolean {
  return BEGINNING.test(text);
}

/** Returns the kind of a key by its prefix. */
export function kindOf(key: string): KeyKind {
  return key.startsWith(PREFIXES.test) ? "test" : "live";
}

/** Returns the SHA-256 of a key in hex, under which it is stored. */
export function hashKey(key: string): string {
  return sha256Hex(key);
}

/** Returns the first characters of a key, which may be shown. */
export function prefixOf(key: string): string {
  return key.slice(0, PREFIXES.live.length + 4);
}

/** Returns the CRC-32 of a text, in base62. */
function checksumOf(body: string): string {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, crc32(body));
  return basex(BASE62).encode(bytes).padStart(CHECKSUM_CHARS, BASE62[0]);
}
