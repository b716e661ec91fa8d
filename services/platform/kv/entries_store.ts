/** All entries of a database, for backups. */
import { checkAndSet } from "./commit.ts";
import {
  collectionOf,
  type Collections,
  type Rule,
  type StoredRecords,
} from "./store_rule.ts";
import { FORMAT_KEY, type StoreFormat } from "./store_format.ts";

/** The key of the backup that is being imported. */
const IMPORT_KEY = ["import"];

/** The key of the instant of the last export, epoch ms. */
const EXPORT_KEY = ["last_export"];

/** A key and its value. */
interface Entry {
  readonly key: Deno.KvKey;
  readonly value: unknown;
}

/** An entry and the versionstamp of its commit. */
interface VersionedEntry extends Entry {
  readonly versionstamp: string;
  /** It refers to no other record, and none refers to it. */
  readonly isIndependent: boolean;
}

/** Entries of a batch: the maximum of Deno KV. */
const ENTRIES_A_BATCH = 500;

/** The backup that is being imported, until the import is complete. */
interface ImportMark {
  readonly sha256: string;
  /** Whether the backup is current, so that nothing in it has to wait. */
  readonly isCurrent: boolean;
}

/** All entries of a database. */
export function entryStore(kv: Deno.Kv, collections: Collections) {
  return {
    /** Yields the entries that a backup keeps, in key order. Batches are read one after the other. */
    async *list(): AsyncGenerator<VersionedEntry> {
      const options = { batchSize: ENTRIES_A_BATCH };
      for await (
        const { key, value, versionstamp } of kv.list({ prefix: [] }, options)
      ) {
        const collection = collectionOf(collections, key);
        if (collection?.isLeftOut) continue;
        const isIndependent = collection?.isIndependent ?? false;
        yield { key, value, versionstamp, isIndependent };
      }
    },

    /** Returns whether the database is empty, except for the number of its format. */
    async isEmpty(): Promise<boolean> {
      const [format] = FORMAT_KEY;
      for await (const { key } of kv.list({ prefix: [] }, { limit: 2 })) {
        if (key[0] !== format) return false;
      }
      return true;
    },

    /**
     * Writes entries in one transaction: at most 1,000 entries and 800 kB. Unless
     * the backup is current, records that may be outdated are changed. Returns
     * what the collection says of each changed record.
     */
    async put(
      entries: readonly Entry[],
      { isCurrent }: Pick<ImportMark, "isCurrent">,
    ): Promise<string[]> {
      const atomic = kv.atomic();
      const changes: string[] = [];
      for (const { key, value } of entries) {
        const collection = collectionOf(collections, key) ?? {};
        const { isLeftOut, whenOutdated } = collection;
        if (isLeftOut) continue;
        const kept = isCurrent || whenOutdated === undefined
          ? value
          : whenOutdated.change(value as never);
        if (kept !== value) changes.push(whenOutdated!.says);
        if (kept === undefined && value !== undefined) continue;
        const expireIn = collection.expireMsOf?.(key, kept as never) ??
          collection.expireMs;
        atomic.set(key, kept, expireIn === undefined ? {} : { expireIn });
      }
      await atomic.commit();
      return changes;
    },

    /** Finds the backup that is being imported; null if there is none. */
    async findImport(): Promise<ImportMark | null> {
      return (await kv.get<ImportMark>(IMPORT_KEY)).value;
    },

    /** Marks the start of an import of records of a format. The next start migrates an older one. */
    async startImport(mark: ImportMark, format: number): Promise<void> {
      const held: StoreFormat = { format, cursor: null };
      await kv.atomic().set(IMPORT_KEY, mark)
        .set(FORMAT_KEY, held).commit();
    },

    /** Records when the last complete export began, epoch ms. */
    putExport(at: number): Promise<void> {
      // A service that writes may lock a database file.
      return checkAndSet(kv, EXPORT_KEY, () => ({
        value: undefined,
        write: (atomic) => atomic.set(EXPORT_KEY, at),
      }));
    },

    /** Finds when the last complete export began, epoch ms. Returns null if there was none. */
    async findExport(): Promise<number | null> {
      return (await kv.get<number>(EXPORT_KEY)).value;
    },

    /** Marks the end of an import. */
    async endImport(): Promise<void> {
      await kv.delete(IMPORT_KEY);
    },
  };
}

const whole: Rule<ImportMark> = {
  name: "whole-copy",
  of: IMPORT_KEY,
  invariant: "no import of a backup is unfinished",
  holds: () => false,
};

/** The collections and the rules. */
export const IMPORT_RECORDS: StoredRecords = {
  collections: {
    import: { isLeftOut: true },
    last_export: { isLeftOut: true, isUnchecked: true },
  },
  rules: [whole],
};
