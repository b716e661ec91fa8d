/** Every entry of a database, whatever it is: for a copy of the whole. */
import { EXPIRE_MS } from "../kv/expiry.ts";
import * as keys from "../kv/keys.ts";

/** A key with its value. */
export interface Entry {
  readonly key: Deno.KvKey;
  readonly value: unknown;
}

/** An entry, and which commit wrote it. */
export interface VersionedEntry extends Entry {
  readonly versionstamp: string;
}

/** Entries that one batch of a list reads: as many as Deno KV takes. */
const ENTRIES_A_BATCH = 500;

/** Which copy is being put into a database, until all of it is there. */
export interface ImportMark {
  readonly sha256: string;
}

/** All entries of a database. */
export function entryStore(kv: Deno.Kv) {
  return {
    /** Goes through all entries in the order of their keys; batches are read one after the other. */
    async *list(): AsyncGenerator<VersionedEntry> {
      const options = { batchSize: ENTRIES_A_BATCH };
      for await (
        const { key, value, versionstamp } of kv.list({ prefix: [] }, options)
      ) {
        yield { key, value, versionstamp };
      }
    },

    /** Returns whether nothing is stored. */
    async isEmpty(): Promise<boolean> {
      const { done } = await kv.list({ prefix: [] }, { limit: 1 }).next();
      return done === true;
    },

    /** Puts entries in one transaction, so at most 1,000 of 800 kB. */
    async put(entries: readonly Entry[]): Promise<void> {
      const atomic = kv.atomic();
      for (const { key, value } of entries) {
        const collection = String(key[0]);
        // A key of another store may be named like what every object has.
        const isKnown = Object.hasOwn(EXPIRE_MS, collection);
        const expireIn = isKnown ? EXPIRE_MS[collection] : undefined;
        atomic.set(key, value, expireIn === undefined ? {} : { expireIn });
      }
      await atomic.commit();
    },

    /** Finds which copy is being put in; null where none is. */
    async findImport(): Promise<ImportMark | null> {
      return (await kv.get<ImportMark>(keys.importMark())).value;
    },

    /** Marks the start of putting a copy in. */
    async startImport(mark: ImportMark): Promise<void> {
      await kv.set(keys.importMark(), mark);
    },

    /** Says that all of a copy is there. */
    async endImport(): Promise<void> {
      await kv.delete(keys.importMark());
    },
  };
}
