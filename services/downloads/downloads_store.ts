/**
 * Store of the downloadable files: their chunks, the tables that they belong to, the
 * release, and manifests. Manifests are kept for ever: each names the one before.
 */
import { commitOnce } from "../platform/kv/commit.ts";
import { CHUNK_BYTES, countChunks } from "./downloads_schema.ts";
import { sha256Hex, unzip } from "../platform/bytes.ts";
import {
  ANY,
  type Rule,
  type StoredRecords,
} from "../platform/kv/store_rule.ts";

/** Keys. */
const keys = {
  /** The newest release of the downloadable files. */
  downloadRelease: () => ["download_release"],
  /** The right to build the next release. */
  downloadBuild: () => ["download_build"],
  /** A released table. */
  downloadTable: (name: string) => ["download_tables", name],
  /** All released tables. */
  downloadTables: () => ["download_tables"],
  /** A table that was built for the release of a date. */
  downloadStaged: (
    date: string,
    name: string,
    fingerprint: string,
  ) => ["download_staged", date, name, fingerprint],
  /** All tables that are not released yet. */
  downloadsStaged: () => ["download_staged"],
  /** A table that a release replaced, whose files are deleted later. */
  downloadGarbage: (date: string, name: string) => [
    "download_garbage",
    date,
    name,
  ],
  /** All tables whose files are deleted later. */
  downloadsGarbage: () => ["download_garbage"],
  /** A chunk of a version of a file. */
  downloadChunk: (version: string, nth: number) => [
    "download_chunks",
    version,
    nth,
  ],
  /** The chunks of a version of a file. */
  downloadChunks: (version: string) => ["download_chunks", version],
  /** The manifest of a date, YYYY-MM-DD. */
  downloadManifest: (date: string) => ["download_manifests", date],
  /** All manifests, by date. */
  downloadManifests: () => ["download_manifests"],
};

/** Chunks of a transaction, far below its 800 KiB, and deletions, below its 1,000 changes. */
const CHUNKS_PER_WRITE = 4;
const DELETIONS_PER_WRITE = 500;

/** A stored file. */
export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Names the chunks. Two different contents never have the same version. */
  readonly version: string;
}

/** A table with its files, or the documents. */
export interface StoredTable {
  readonly name: string;
  /** The hash of the data that the files were built from. */
  readonly fingerprint: string;
  /** Rows of the table; null for documents. */
  readonly rows: number | null;
  /** The date of the release that it was built for. */
  readonly builtOn: string;
  /** When it was built, epoch ms. */
  readonly builtAt: number;
  readonly files: readonly StoredFile[];
}

/** The released state. Instants in epoch ms. */
export interface Release {
  readonly date: string;
  readonly builtAt: number;
  /** When the sweep ended whose data it has. */
  readonly sweptAt: number;
  /** Newest day that the source had published. */
  readonly newestDay: number;
  /** Base URL of the upstream of the metrics. */
  readonly origin: string;
  readonly manifestSha256: string;
  readonly signedBy: string | null;
  /** Format of the manifest; absent for a JSON document. */
  readonly format?: "sha256";
}

/** A table that is not released yet. */
interface StagedTable {
  readonly table: StoredTable;
  /** Whether all of its chunks are written. */
  readonly isWhole: boolean;
}

/** The right to build a release. A later token replaces it. */
type BuildToken = Deno.KvEntryMaybe<unknown>;

/** What a release changes. */
export interface ReleaseChange {
  readonly release: Release;
  readonly manifest: StoredManifest;
  /** Tables that were built for it. */
  readonly changed: readonly StoredTable[];
  /** Names of tables that it does not have any more. */
  readonly removed: readonly string[];
}

/** The downloadable files in a store. */
export function downloadStore(kv: Deno.Kv) {
  /** Finds a released table by name. */
  async function findTable(name: string): Promise<StoredTable | null> {
    return (await kv.get<StoredTable>(keys.downloadTable(name))).value;
  }

  /** Deletes the chunks of files, some at a time. */
  async function deleteChunks(files: readonly StoredFile[]): Promise<void> {
    const chunks = files.flatMap(({ version, bytes }) =>
      Array.from(
        { length: countChunks(bytes) },
        (_, nth) => keys.downloadChunk(version, nth),
      )
    );
    for (let from = 0; from < chunks.length; from += DELETIONS_PER_WRITE) {
      const atomic = kv.atomic();
      for (const key of chunks.slice(from, from + DELETIONS_PER_WRITE)) {
        atomic.delete(key);
      }
      await atomic.commit();
    }
  }

  /** Lists the tables that were replaced before an instant. */
  async function* listReplaced(
    before: number,
  ): AsyncGenerator<Deno.KvEntry<Garbage>> {
    const prefix = keys.downloadsGarbage();
    for await (const entry of kv.list<Garbage>({ prefix })) {
      if (entry.value.replacedAt <= before) yield entry;
    }
  }

  return {
    /** Finds the newest release. Returns null before the first one. */
    async findRelease(): Promise<Release | null> {
      return (await kv.get<Release>(keys.downloadRelease())).value;
    },

    findTable,

    /** Lists the released tables by name. */
    async listTables(): Promise<StoredTable[]> {
      const prefix = keys.downloadTables();
      const entries = kv.list<StoredTable>({ prefix }, { batchSize: 500 });
      return await Array.fromAsync(entries, ({ value }) => value);
    },

    /** Finds a chunk of a file. Returns null if the file is gone. */
    async findChunk(
      { version }: Pick<StoredFile, "version">,
      nth: number,
    ): Promise<Uint8Array<ArrayBuffer> | null> {
      const key = keys.downloadChunk(version, nth);
      return (await kv.get<Uint8Array<ArrayBuffer>>(key)).value;
    },

    /** Takes the right to build away from every other process. */
    async beginBuild(date: string): Promise<BuildToken> {
      const key = keys.downloadBuild();
      await kv.set(key, { date });
      return await kv.get(key);
    },

    /** Finds a table that was built but is not released. */
    async findStaged(
      { name, fingerprint, builtOn }: Pick<
        StoredTable,
        "name" | "fingerprint" | "builtOn"
      >,
    ): Promise<StagedTable | null> {
      const key = keys.downloadStaged(builtOn, name, fingerprint);
      return (await kv.get<StagedTable>(key)).value;
    },

    /**
     * Stores the files of a table for the next release. The record comes first, so
     * that the chunks of a killed process are found and deleted.
     */
    async stage(
      table: StoredTable,
      contents: readonly Uint8Array[],
    ): Promise<void> {
      const { name, fingerprint, builtOn } = table;
      const key = keys.downloadStaged(builtOn, name, fingerprint);
      await kv.set(key, { table, isWhole: false } satisfies StagedTable);
      const pool = Array.from(
        { length: CHUNKS_PER_WRITE },
        () => new Uint8Array(CHUNK_BYTES),
      );
      for (const [nth, { version, bytes }] of table.files.entries()) {
        const content = contents[nth]!;
        const count = countChunks(bytes);
        for (let from = 0; from < count; from += CHUNKS_PER_WRITE) {
          const atomic = kv.atomic();
          const end = Math.min(from + CHUNKS_PER_WRITE, count);
          for (let chunk = from; chunk < end; chunk++) {
            const start = chunk * CHUNK_BYTES;
            atomic.set(
              keys.downloadChunk(version, chunk),
              chunkOf(content, start, pool[chunk - from]!),
            );
          }
          await atomic.commit();
        }
      }
      await kv.set(key, { table, isWhole: true } satisfies StagedTable);
    },

    /**
     * Releases staged tables and their manifest in one transaction. The files that
     * they replace are deleted later. Returns false if another process has the right
     * to build, or has released.
     */
    async publish(
      token: BuildToken,
      { release, manifest, changed, removed }: ReleaseChange,
    ): Promise<boolean> {
      const atomic = kv.atomic().check(token);
      const tables = await Promise.all(
        [...changed.map(({ name }) => name), ...removed]
          .map((name) => kv.get<StoredTable>(keys.downloadTable(name))),
      );
      for (const { key, value } of tables) {
        if (value === null) continue;
        const replaced = keys.downloadGarbage(release.date, value.name);
        atomic.set(replaced, { table: value, replacedAt: release.builtAt });
        if (removed.includes(value.name)) atomic.delete(key);
      }
      for (const table of changed) {
        const { name, fingerprint, builtOn } = table;
        atomic.set(keys.downloadTable(name), table);
        atomic.delete(keys.downloadStaged(builtOn, name, fingerprint));
      }
      atomic.set(keys.downloadRelease(), release);
      atomic.set(keys.downloadManifest(release.date), manifest);
      atomic.delete(keys.downloadBuild());
      return await commitOnce(kv, atomic) !== null;
    },

    /** Returns whether files were replaced before an instant, and are not deleted. */
    async isReplaced(before: number): Promise<boolean> {
      for await (const _ of listReplaced(before)) return true;
      return false;
    },

    /**
     * Deletes files that were replaced before an instant, so that readers of them
     * could finish. Returns the number of tables.
     */
    async deleteReplaced(before: number): Promise<number> {
      let count = 0;
      for await (const { key, value } of listReplaced(before)) {
        await deleteChunks(value.table.files);
        await kv.delete(key);
        count++;
      }
      return count;
    },

    /**
     * Deletes staged tables. A process that built the same release stages the files
     * that were released, under the same versions: their chunks stay.
     */
    async deleteStaged(): Promise<void> {
      const prefix = keys.downloadsStaged();
      for await (const { key, value } of kv.list<StagedTable>({ prefix })) {
        const { name, files } = value.table;
        const released = (await findTable(name))?.files ?? [];
        const versions = new Set(released.map(({ version }) => version));
        await deleteChunks(
          files.filter(({ version }) => !versions.has(version)),
        );
        await kv.delete(key);
      }
    },
  };
}

/** A table whose files are to be deleted; epoch ms. */
interface Garbage {
  readonly table: StoredTable;
  readonly replacedAt: number;
}

/**
 * Returns a chunk that starts at a byte, in a buffer that is used again. It must be a
 * copy: for a view, the database would write the whole buffer.
 */
function chunkOf(
  content: Uint8Array,
  start: number,
  buffer: Uint8Array,
): Uint8Array {
  const part = content.subarray(start, start + CHUNK_BYTES);
  if (part.byteLength < CHUNK_BYTES) return part.slice();
  buffer.set(part);
  return buffer;
}

/** A manifest as stored. */
export interface StoredManifest {
  readonly date: string;
  /** Absent for a JSON document, which has the other facts in itself. */
  readonly format?: "sha256";
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
  /** Its bytes, compressed with gzip. */
  readonly zipped: Uint8Array<ArrayBuffer>;
  /** Its signature: in minisign's format, of a JSON document 64 bytes; null if it is not signed. */
  readonly signature: Uint8Array<ArrayBuffer> | null;
  readonly signedBy?: string | null;
  /** The manifest before; null for the first one. */
  readonly previous?: { readonly date: string; readonly sha256: string } | null;
  /** When its release was built, epoch ms. */
  readonly builtAt?: number;
  /** Newest day that the source had published. */
  readonly newestDay?: number;
}

/** Manifests in a store. */
export function manifestStore(kv: Deno.Kv) {
  return {
    /** Finds the manifest of a date, YYYY-MM-DD. */
    async find(date: string): Promise<StoredManifest | null> {
      return (await kv.get<StoredManifest>(keys.downloadManifest(date))).value;
    },

    /** Finds the newest manifest. */
    async findNewest(): Promise<StoredManifest | null> {
      const prefix = keys.downloadManifests();
      const newest = kv.list<StoredManifest>({ prefix }, {
        reverse: true,
        limit: 1,
      });
      for await (const { value } of newest) return value;
      return null;
    },
  };
}

const releasedTable: Rule<StoredTable> = {
  name: "download-table",
  of: keys.downloadTable(ANY),
  invariant: "the files of a released table have all of their bytes",
  async holds({ key, value: { name, files } }, { list }) {
    for (const { version, bytes } of files) {
      let stored = 0;
      const chunks = list<Uint8Array>(keys.downloadChunks(version));
      for await (const { value } of chunks) stored += value.byteLength;
      if (stored !== bytes) return false;
    }
    return key[1] === name;
  },
};

const manifest: Rule<StoredManifest> = {
  name: "download-manifest",
  of: keys.downloadManifest(ANY),
  invariant:
    "a manifest has its hash, and names the hash of the previous stored one",
  async holds({ key, value }, { find }) {
    const bytes = await unzip(value.zipped);
    if (sha256Hex(bytes) !== value.sha256) return false;
    const { date, previous = null } = value.format
      ? value
      : JSON.parse(new TextDecoder().decode(bytes)) as StoredManifest;
    if (date !== key[1]) return false;
    if (previous === null) return true;
    const before = await find<StoredManifest>(
      keys.downloadManifest(previous.date),
    );
    return before?.sha256 === previous.sha256;
  },
};

/** The collections and the rules. */
export const DOWNLOAD_RECORDS: StoredRecords = {
  collections: {
    // Files are built again from the series. Manifests cannot be.
    download_build: { isLeftOut: true, isUnchecked: true },
    download_chunks: { isLeftOut: true, isUnchecked: true },
    download_garbage: { isLeftOut: true, isUnchecked: true },
    download_manifests: {},
    download_release: { isLeftOut: true, isUnchecked: true },
    download_staged: { isLeftOut: true, isUnchecked: true },
    download_tables: { isLeftOut: true },
  },
  rules: [releasedTable, manifest],
};
