/** All entries of a database, for backups. */
import { collectionOf, type Collections } from "../kv/collection.ts";
import * as keys from "../kv/keys.ts";

/** A key and its value. */
export interface Entry {
  readonly key: Deno.KvKey;
  readonly value: unknown;
}

/** An entry and the versionstamp of its commit. */
export interface VersionedEntry extends Entry {
  readonly versionstamp: string;
  /** It refers to no other record, and none refers to it. */
  readonly isIndependent: boolean;
}

/** Entries of a batch: the maximum of Deno KV. */
const ENTRIES_A_BATCH = 500;

/** The backup that is being imported, until the import is complete. */
export interface ImportMark {
  readonly sha256: string;
}

/** All entries of a database. */
export function entryStore(kv: Deno.Kv, collections: Collections) {
  return {
    /** Yields all entries in key order. Batches are read one after the other. */
    async *list(): AsyncGenerator<VersionedEntry> {
      const options = { batchSize: ENTRIES_A_BATCH };
      for await (
        const { key, value, versionstamp } of kv.list({ prefix: [] }, options)
      ) {
        const isIndependent = collectionOf(collections, key)?.isIndependent ??
          false;
        yield { key, value, versionstamp, isIndependent };
      }
    },

    /** Returns whether the database is empty. */
    async isEmpty(): Promise<boolean> {
      const { done } = await kv.list({ prefix: [] }, { limit: 1 }).next();
      return done === true;
    },

    /** Writes entries in one transaction: at most 1,000 entries and 800 kB. */
    async put(entries: readonly Entry[]): Promise<void> {
      const atomic = kv.atomic();
      for (const { key, value } of entries) {
        const expireIn = collectionOf(collections, key)?.expireMs;
        atomic.set(key, value, expireIn === undefined ? {} : { expireIn });
      }
      await atomic.commit();
    },

    /** Finds the backup that is being imported; null if there is none. */
    async findImport(): Promise<ImportMark | null> {
      return (await kv.get<ImportMark>(keys.importMark())).value;
    },

    /** Marks the start of an import. */
    async startImport(mark: ImportMark): Promise<void> {
      await kv.set(keys.importMark(), mark);
    },

    /** Marks the end of an import. */
    async endImport(): Promise<void> {
      await kv.delete(keys.importMark());
    },
  };
}
