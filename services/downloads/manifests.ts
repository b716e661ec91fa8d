/**
 * Makes the manifest of a release: the hash of every file and of the previous manifest.
 */
import { formatDay } from "../platform/days.ts";
import { sha256Hex } from "../platform/sha256.ts";
import type { Manifest } from "./manifests_schema.ts";
import type { Release, StoredTable } from "./downloads_store.ts";
import type { StoredManifest } from "./manifests_store.ts";
import {
  currentKeyId,
  type ManifestSigning,
  signBytes,
} from "./manifest_keys.ts";

/** What a manifest is made from. */
interface ManifestFacts {
  readonly release: Pick<Release, "date" | "builtAt" | "newestDay">;
  readonly tables: readonly StoredTable[];
  readonly revisionCount: number;
  readonly previous: StoredManifest | null;
  readonly publisher: string;
  readonly source: string;
}

/** Returns the path of a manifest. Its signature has `.sig` after it. */
export function manifestPath(date: string): string {
  return `/downloads/manifests/${date}.json`;
}

/** Makes a manifest and signs its bytes. */
export async function makeManifest(
  signing: ManifestSigning,
  { release, tables, revisionCount, previous, publisher, source }:
    ManifestFacts,
): Promise<StoredManifest & { readonly signedBy: string | null }> {
  const { date, builtAt, newestDay } = release;
  const signedBy = await currentKeyId(signing);
  const manifest: Manifest = {
    format: "firn-manifest-1",
    date,
    publisher,
    source,
    builtAt: new Date(builtAt).toISOString(),
    dataThrough: formatDay(newestDay),
    revisionCount,
    files: tables.flatMap(({ files }) => files)
      .map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }))
      .sort((a, b) => a.name < b.name ? -1 : 1),
    previous: previous && { date: previous.date, sha256: previous.sha256 },
    signedBy,
  };
  const bytes = new TextEncoder().encode(
    `${JSON.stringify(manifest, null, 1)}\n`,
  );
  return {
    date,
    sha256: sha256Hex(bytes),
    zipped: await pipe(bytes, new CompressionStream("gzip")),
    signature: await signBytes(signing, bytes),
    signedBy,
  };
}

/** Returns the exact bytes of a stored manifest. */
export function bytesOf(
  { zipped }: Pick<StoredManifest, "zipped">,
): Promise<Uint8Array<ArrayBuffer>> {
  return pipe(zipped, new DecompressionStream("gzip"));
}

function pipe(
  bytes: Uint8Array<ArrayBuffer>,
  through: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Response(new Blob([bytes]).stream().pipeThrough(through)).bytes();
}
