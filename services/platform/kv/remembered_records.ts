/**
 * Cache of records as this process last wrote or read them. A transaction that
 * relies on them checks that they are unchanged.
 */
import { boundedCache } from "../cache.ts";

/** A record, and whether another process wrote it since this one did. */
interface Remembered {
  readonly entry: Deno.KvEntryMaybe<unknown>;
  readonly isShared: boolean;
}

/**
 * Remembers a limited number of records. A failed transaction costs one round
 * trip more than a read. So after another process changed a record, the record
 * is read until a read finds it unchanged.
 */
export function rememberedRecords(most: number) {
  const records = boundedCache<Remembered>(most);
  const idOf = (key: Deno.KvKey) => JSON.stringify(key);

  return {
    /**
     * Returns the records of keys, in the order of the keys; undefined if one has to be
     * read.
     */
    find(
      keys: readonly Deno.KvKey[],
    ): readonly Deno.KvEntryMaybe<unknown>[] | undefined {
      const found = keys.map((key) => records.get(idOf(key)))
        .filter((record) => record !== undefined && !record.isShared);
      return found.length === keys.length
        ? found.map((record) => record!.entry)
        : undefined;
    },

    /** Notes whether a record is as this process left it. */
    compare({ key, versionstamp }: Deno.KvEntryMaybe<unknown>): void {
      const held = records.get(idOf(key));
      if (held === undefined) return;
      const isShared = held.entry.versionstamp !== versionstamp;
      if (held.isShared !== isShared) {
        records.set(idOf(key), { ...held, isShared });
      }
    },

    /** Remembers records as they are now. */
    put(entries: readonly Deno.KvEntryMaybe<unknown>[]): void {
      for (const entry of entries) {
        records.set(idOf(entry.key), { entry, isShared: false });
      }
    },

    /** Remembers records that were written in one transaction. */
    putWritten(
      written: readonly (readonly [key: Deno.KvKey, value: unknown])[],
      versionstamp: string,
    ): void {
      for (const [key, value] of written) {
        const id = idOf(key);
        const isShared = records.get(id)?.isShared ?? false;
        records.set(id, { entry: { key, value, versionstamp }, isShared });
      }
    },
  };
}
