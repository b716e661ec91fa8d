/** Manifests of releases: `SHA256SUMS` files, signed in minisign's format with Ed25519 keys that are published. */
import { parseDay } from "../platform/days.ts";
import { sha256Hex, unzip, zip } from "../platform/bytes.ts";
import type {
  Release,
  StoredManifest,
  StoredTable,
} from "./downloads_store.ts";
import { createHash } from "node:crypto";
import type { ManifestKeys } from "./downloads_schema.ts";

/** Returns the path of a manifest, which had another format before. */
export function manifestPath(
  { date, format }: Pick<Release, "date" | "format">,
): string {
  return `/downloads/manifests/${date}.${format ?? "json"}`;
}

/** Returns the path of a manifest's signature. */
export function signaturePath(
  release: Pick<Release, "date" | "format">,
): string {
  return manifestPath(release) + (release.format ? ".minisig" : ".sig");
}

/**
 * Makes the manifest of a release and signs it. The trusted comment has the day and the
 * SHA-256 of the manifest before, so that no older one can stand in its place.
 */
export async function makeManifest(
  signing: ManifestSigning,
  { release, tables, previous }: {
    readonly release: Pick<Release, "date" | "builtAt" | "newestDay">;
    readonly tables: readonly StoredTable[];
    readonly previous: Pick<StoredManifest, "date" | "sha256"> | null;
  },
): Promise<StoredManifest & { readonly format: "sha256" }> {
  const lines = tables.flatMap(({ files }) => files)
    .map(({ name, sha256 }) => `${sha256}  ${name}\n`)
    .sort((a, b) => a.slice(64) < b.slice(64) ? -1 : 1);
  const bytes = new TextEncoder().encode(lines.join(""));
  const before = previous === null
    ? "none"
    : `${previous.date} ${previous.sha256}`;
  const comment = `day ${release.date}, previous ${before}`;
  return {
    ...release,
    format: "sha256",
    previous: previous && { date: previous.date, sha256: previous.sha256 },
    sha256: sha256Hex(bytes),
    zipped: await zip(bytes),
    signature: await signFile(signing, bytes, comment),
    signedBy: (await keyOf(signing))?.kid ?? null,
  };
}

/** A manifest of the format before. */
interface JsonManifest {
  readonly builtAt: string;
  readonly dataThrough: string;
  readonly signedBy: string | null;
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
}

async function readJson(stored: StoredManifest): Promise<JsonManifest> {
  return JSON.parse(new TextDecoder().decode(await unzip(stored.zipped)));
}

/** Returns the hash of every file that a manifest names. */
export async function hashesOf(
  stored: StoredManifest,
): Promise<ReadonlyMap<string, string>> {
  if (stored.format === undefined) {
    const { files } = await readJson(stored);
    return new Map(files.map(({ name, sha256 }) => [name, sha256]));
  }
  const text = new TextDecoder().decode(await unzip(stored.zipped));
  return new Map(
    text.trimEnd().split("\n").map((
      line,
    ) => [line.slice(66), line.slice(0, 64)]),
  );
}

/** Returns what a manifest says of its release: instant of the build, newest day, and key. */
export async function factsOf(
  stored: StoredManifest,
): Promise<Pick<Release, "builtAt" | "newestDay" | "signedBy">> {
  const { builtAt, newestDay, signedBy = null } = stored;
  if (builtAt !== undefined && newestDay !== undefined) {
    return { builtAt, newestDay, signedBy };
  }
  const json = await readJson(stored);
  return {
    builtAt: Date.parse(json.builtAt),
    newestDay: parseDay(json.dataThrough),
    signedBy: json.signedBy,
  };
}

/** The keys of a deployment. */
export interface ManifestSigning {
  /** PKCS #8 in base64; null if manifests are not signed. */
  readonly privateKey: string | null;
  /** Public keys that signed before, base64url. */
  readonly formerKeys: readonly string[];
}

type PublicKey = Omit<ManifestKeys["keys"][number], "status">;

/** Returns whether a text has the form of a public key. */
export function isPublicKey(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

const URL_SAFE = { alphabet: "base64url", omitPadding: true } as const;

/** Returns the published keys: the current one first. */
export async function describeManifestKeys(
  signing: ManifestSigning,
): Promise<ManifestKeys> {
  const active = await keyOf(signing);
  const former = signing.formerKeys.filter((x) => x !== active?.x);
  return {
    enabled: active !== null,
    keys: [
      ...active === null ? [] : [{ ...active, status: "active" as const }],
      ...former.map((x) => ({ ...publicKeyOf(x), status: "former" as const })),
    ],
  };
}

/** Returns the public part of the current key; null if manifests are not signed. */
async function keyOf(
  { privateKey }: ManifestSigning,
): Promise<PublicKey | null> {
  if (privateKey === null) return null;
  const { x } = await crypto.subtle
    .exportKey("jwk", await importPrivate(privateKey));
  return publicKeyOf(x!);
}

/**
 * Signs a file: the text of its `.minisig`, with a comment that is signed too; null if
 * manifests are not signed. https://jedisct1.github.io/minisign/#signature-format
 */
async function signFile(
  { privateKey }: ManifestSigning,
  bytes: Uint8Array,
  comment: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (privateKey === null) return null;
  const key = await importPrivate(privateKey);
  const sign = async (...parts: Uint8Array[]) =>
    new Uint8Array(await crypto.subtle.sign("Ed25519", key, joined(parts)));
  const { x } = await crypto.subtle.exportKey("jwk", key);
  const hash = createHash("blake2b512").update(bytes).digest();
  const signature = await sign(hash);
  const text = new TextEncoder();
  const ofBoth = await sign(signature, text.encode(comment));
  const id = minisignId(Uint8Array.fromBase64(x!, URL_SAFE));
  const lines = [
    "untrusted comment: verify with minisign",
    joined([text.encode("ED"), id, signature]).toBase64(),
    `trusted comment: ${comment}`,
    ofBoth.toBase64(),
  ];
  return text.encode(`${lines.join("\n")}\n`);
}

/** Returns a public key, of 32 bytes in base64url, with its id and as minisign has it. */
function publicKeyOf(x: string): PublicKey {
  const members = { crv: "Ed25519", kty: "OKP", x } as const;
  // RFC 7638: the members in this order, without spaces.
  const thumbprint = Uint8Array.fromHex(sha256Hex(JSON.stringify(members)));
  const raw = Uint8Array.fromBase64(x, URL_SAFE);
  const head = new TextEncoder().encode("Ed");
  return {
    ...members,
    kid: thumbprint.toBase64(URL_SAFE),
    minisign: joined([head, minisignId(raw), raw]).toBase64(),
  };
}

/** Returns eight bytes that name a key; minisign takes any. */
function minisignId(raw: Uint8Array): Uint8Array {
  return Uint8Array.fromHex(sha256Hex(raw).slice(0, 16));
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function importPrivate(privateKey: string): Promise<CryptoKey> {
  const pkcs8 = Uint8Array.fromBase64(privateKey);
  return crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", true, ["sign"]);
}
