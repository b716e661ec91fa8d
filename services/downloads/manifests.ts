/** Manifests of releases: `SHA256SUMS` files, signed in minisign's format. */
import { parseDay } from "../platform/days.ts";
import { unzip, zip } from "../platform/gzip.ts";
import { sha256Hex } from "../platform/sha256.ts";
import type {
  Release,
  StoredManifest,
  StoredTable,
} from "./downloads_store.ts";
import { keyOf, type ManifestSigning, signFile } from "./manifest_keys.ts";

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
