/**
 * Reads: those of one turn in one batch, since ten keys cost little more than one; with
 * the versions that a commit checks; and as this process remembers records.
 */
import { MAX_KEYS_READ } from "./commit.ts";
import { boundedCache } from "../cache.ts";

/**
 * Keys of one `getMany`. On a hosted database, Deno's client sends a request of
 * 1 kB or more in two parts, of which the second waits up to 40 ms for the
 * acknowledgement of the first.
 */
const KEYS_A_CALL = { local: MAX_KEYS_READ, hosted: 6 };

/** The version of a record that a commit checks. */
export interface Version extends Deno.AtomicCheck {
  /** Unique to each version of each record. */
  readonly id: string;
  /** Bytes of its check in a hosted transaction, about. */
  readonly bytes: number;
}

/** Bytes of a check besides its key and versionstamp, and of a part of a key besides its text. */
const CHECK_BYTES = 4;
const PART_BYTES = 2;
const VERSIONSTAMP_BYTES = 12;

/** Returns the version of an entry. */
function versionOf(
  { key, versionstamp }: Deno.KvEntryMaybe<unknown>,
): Version {
  const id = `${JSON.stringify(key)}@${versionstamp}`;
  const bytes = key.reduce<number>(
    (sum, part) => sum + PART_BYTES + String(part).length,
    CHECK_BYTES + (versionstamp === null ? 0 : VERSIONSTAMP_BYTES),
  );
  return { id, bytes, key, versionstamp };
}

/** Reads one key, batched with the other reads of the same turn. */
export type ReadKey = <T>(key: Deno.KvKey) => Promise<Deno.KvEntryMaybe<T>>;

/** A key that waits to be read, and the promise that its callers share. */
interface PendingRead {
  readonly key: Deno.KvKey;
  readonly entry: PromiseWithResolvers<Deno.KvEntryMaybe<unknown>>;
}

/**
 * Makes a reader of one database. Reads are strongly consistent: a batch starts
 * after its reads were requested. Callers of the same key share one value, and
 * must not mutate it.
 */
export function sharedReads(
  kv: Deno.Kv,
  { isHosted } = { isHosted: false },
): ReadKey {
  const keysACall = KEYS_A_CALL[isHosted ? "hosted" : "local"];
  let waiting = new Map<string, PendingRead>();

  function readAll(): void {
    const round = [...waiting.values()];
    waiting = new Map();
    while (round.length > 0) readSome(kv, round.splice(0, keysACall));
  }

  return <T>(key: Deno.KvKey) => {
    if (waiting.size === 0) queueMicrotask(readAll);
    const id = JSON.stringify(key);
    let asked = waiting.get(id);
    if (asked === undefined) {
      asked = { key, entry: Promise.withResolvers() };
      waiting.set(id, asked);
    }
    return asked.entry.promise as Promise<Deno.KvEntryMaybe<T>>;
  };
}

/** Makes a reader that records the version of everything it reads. */
export function trackedReads(
  read: ReadKey,
): { readonly read: ReadKey; readonly versions: readonly Version[] } {
  const versions: Version[] = [];
  return {
    versions,
    async read<T>(key: Deno.KvKey) {
      const entry = await read<T>(key);
      versions.push(versionOf(entry));
      return entry;
    },
  };
}

/** Reads keys in one call and settles their promises. */
async function readSome(
  kv: Deno.Kv,
  some: readonly PendingRead[],
): Promise<void> {
  try {
    const entries = await kv.getMany<unknown[]>(some.map(({ key }) => key));
    some.forEach(({ entry }, index) => entry.resolve(entries[index]!));
  } catch (error) {
    // An invalid key fails the whole call, before anything is read.
    if (error instanceof TypeError && some.length > 1) {
      for (const one of some) readSome(kv, [one]);
      return;
    }
    for (const { entry } of some) entry.reject(error);
  }
}

/** Stores that can track the version of every record that is read. */
export interface Tracked<Stores> {
  /** Returns the same stores, and the versions of all records that are read through them. */
  tracked(): { readonly store: Stores; readonly versions: readonly Version[] };
}

/** A record, and whether another process wrote it since this one did. */
interface Remembered {
  readonly entry: Deno.KvEntryMaybe<unknown>;
  readonly isShared: boolean;
}

/**
 * Remembers a limited number of records. A failed transaction costs one round
 * trip more than a read. So after another process changed a record, the record
 * is read until a read finds it unchanged. A transaction that relies on remembered
 * records checks that they are unchanged.
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
