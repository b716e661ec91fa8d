/** The Ed25519 keys of manifests: signs, verifies and publishes them. */
import { sha256Hex } from "../platform/sha256.ts";
import type { ManifestKeys } from "./manifests_schema.ts";

/** The keys of a deployment. */
export interface ManifestSigning {
  /** PKCS #8 in base64; null if manifests are not signed. */
  readonly privateKey: string | null;
  /** Public keys that signed before, base64url. */
  readonly formerKeys: readonly string[];
}

type PublicKey = ManifestKeys["keys"][number];

/** Returns whether a text has the form of a public key. */
export function isPublicKey(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

const URL_SAFE = { alphabet: "base64url", omitPadding: true } as const;

/** Returns the published keys: the current one first. */
export async function describeManifestKeys(
  { privateKey, formerKeys }: ManifestSigning,
): Promise<ManifestKeys> {
  const active = privateKey === null ? null : await publicPartOf(privateKey);
  const former = formerKeys.filter((x) => x !== active);
  return {
    enabled: active !== null,
    keys: [
      ...active === null
        ? []
        : [{ ...publicKeyOf(active), status: "active" as const }],
      ...former.map((x) => ({ ...publicKeyOf(x), status: "former" as const })),
    ],
  };
}

/** Returns the id of the current key; null if manifests are not signed. */
export async function currentKeyId(
  signing: ManifestSigning,
): Promise<string | null> {
  const { enabled, keys } = await describeManifestKeys(signing);
  return enabled ? keys[0]!.kid : null;
}

/** Signs bytes: 64 bytes; null if manifests are not signed. */
export async function signBytes(
  { privateKey }: ManifestSigning,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (privateKey === null) return null;
  const key = await importPrivate(privateKey);
  return new Uint8Array(await crypto.subtle.sign("Ed25519", key, bytes));
}

/** Returns whether a key has signed bytes. */
export async function isSignedBy(
  { kty, crv, x }: Pick<PublicKey, "kty" | "crv" | "x">,
  bytes: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const jwk = { kty, crv, x };
  const key = await crypto.subtle
    .importKey("jwk", jwk, "Ed25519", false, ["verify"]);
  return await crypto.subtle.verify("Ed25519", key, signature, bytes);
}

/** Returns a public key, of 32 bytes in base64url, with its id. */
export function publicKeyOf(x: string): Omit<PublicKey, "status"> {
  const members = { crv: "Ed25519", kty: "OKP", x } as const;
  // RFC 7638: the members in this order, without spaces.
  const thumbprint = Uint8Array.fromHex(sha256Hex(JSON.stringify(members)));
  return { ...members, kid: thumbprint.toBase64(URL_SAFE) };
}

function importPrivate(privateKey: string): Promise<CryptoKey> {
  const pkcs8 = Uint8Array.fromBase64(privateKey);
  return crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", true, ["sign"]);
}

async function publicPartOf(privateKey: string): Promise<string> {
  const key = await importPrivate(privateKey);
  const { x } = await crypto.subtle.exportKey("jwk", key);
  return x!;
}
