/** The values that settings accept, with the words of their error messages. */
import { z } from "zod";
import type { FormerSigner } from "./attestations/signers.ts";
import { ADDRESS } from "./platform/address_schema.ts";

/** An http or https URL without credentials. */
export const HttpUrl = z.url({
  protocol: /^https?$/,
  error: "an http or https URL",
}).refine((url) => !URL.parse(url)?.username, "a URL without credentials");

/** One or more of them, separated by commas. */
export const HttpUrlList = z.string()
  .transform((list) => list.split(",").map((url) => url.trim()))
  .refine(
    (urls) => urls.every((url) => HttpUrl.safeParse(url).success),
    "one or more http or https URLs, separated by commas",
  );

/** A contract, lower-case once parsed. */
export const ContractAddress = z.string().regex(
  ADDRESS,
  "0x and 40 hexadecimal digits",
).transform((address) => address.toLowerCase());

/** The order of secp256k1 (SEC 2, 2.4.1). Private keys are smaller. */
const CURVE_ORDER =
  0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** A private key of secp256k1. */
export const PrivateKey = z.string().refine(isPrivateKey, {
  error: "0x and 64 hexadecimal digits, a private key of the curve secp256k1",
}).transform((key) => key as `0x${string}`);

/** Former signers of attestations, each once. */
export const FormerSigners = z.string()
  .transform((list) =>
    list.toLowerCase().split(",").map((entry) => entry.trim().split(":"))
  )
  .refine(
    (entries) =>
      entries.every((entry) => FORMER_SIGNER.test(entry.join(":"))) &&
      new Set(entries.map(([address]) => address)).size === entries.length,
    "<address>:retiring or <address>:revoked, separated by commas, each address once",
  )
  .transform((entries) =>
    entries.map(([address, status]) => ({ address, status }) as FormerSigner)
  );

const FORMER_SIGNER = /^0x[0-9a-f]{40}:(retiring|revoked)$/;

/** PKCS #8 of a private Ed25519 key (RFC 8410), in base64: the same bytes, then the key. */
export const ManifestKey = z.string().regex(
  /^MC4CAQAwBQYDK2VwBCIEI[A-P][A-Za-z0-9+/]{42}$/,
  "an Ed25519 key as 64 characters of base64, PKCS #8 in DER",
);

/** Public Ed25519 keys, each once. */
export const FormerManifestKeys = z.string()
  .transform((list) => list.split(",").map((key) => key.trim()))
  .refine(
    (keys) =>
      keys.every((key) => /^[\w-]{43}$/.test(key)) &&
      new Set(keys).size === keys.length,
    "public keys as 43 characters of base64url, separated by commas, each once",
  );

/** A number of calls in a period. */
export const CallCount = z.string()
  .regex(/^[1-9]\d{0,8}$/, "a whole number from 1 to 999999999")
  .transform(Number);

function isPrivateKey(text: string): boolean {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) return false;
  const number = BigInt(text);
  return number > 0n && number < CURVE_ORDER;
}
