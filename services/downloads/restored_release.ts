/** A release that a backup restored without its files: they are built again under the manifest that the day has. */
import { parseDay } from "../platform/days.ts";
import type { ReleaseChange, StoredTable } from "./downloads_store.ts";
import { bytesOf } from "./manifests.ts";
import type { Manifest } from "./manifests_schema.ts";
import type { StoredManifest } from "./manifests_store.ts";

/** What the files were built from. */
interface Source {
  readonly tables: readonly StoredTable[];
  /** When the sweep of the data ended, epoch ms. */
  readonly sweptAt: number;
  /** Base URL of the upstream. */
  readonly origin: string;
}

/**
 * Releases the files that have the hash in a manifest. The manifest stays as it is,
 * because later ones and citations name its hash. Files with other data are left out
 * until the next release, which is then due without another sweep.
 */
export async function restoreRelease(
  stored: StoredManifest,
  { tables, sweptAt, origin }: Source,
): Promise<ReleaseChange & { readonly says: string }> {
  const manifest: Manifest = JSON.parse(
    new TextDecoder().decode(await bytesOf(stored)),
  );
  const hashes = new Map(
    manifest.files.map(({ name, sha256 }) => [name, sha256]),
  );
  const kept = tables.map((table) => withHashes(table, hashes))
    .filter(({ files }) => files.length > 0);
  const count = kept.reduce((sum, { files }) => sum + files.length, 0);
  const isWhole = count === hashes.size;
  const { date } = manifest;
  const says = `${count} of ${hashes.size} files restored for ${date}`;
  return {
    release: {
      date,
      builtAt: Date.parse(manifest.builtAt),
      sweptAt: isWhole ? sweptAt : 0,
      newestDay: parseDay(manifest.dataThrough),
      origin,
      manifestSha256: stored.sha256,
      signedBy: manifest.signedBy,
    },
    manifest: stored,
    changed: kept,
    removed: [],
    says: isWhole
      ? says
      : `${says}; the others differ from its manifest and follow with the next release`,
  };
}

/**
 * Returns a table with only those files whose hash the manifest has under their
 * name. If some are left out, the next release builds the table again.
 */
function withHashes(
  table: StoredTable,
  hashes: ReadonlyMap<string, string>,
): StoredTable {
  const files = table.files.filter(({ name, sha256 }) =>
    hashes.get(name) === sha256
  );
  return files.length === table.files.length
    ? table
    : { ...table, files, fingerprint: "" };
}
