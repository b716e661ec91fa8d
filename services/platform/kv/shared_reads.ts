/** Reads that requests ask for in the same turn go together: ten keys cost little more than one. */

/** Keys that one `getMany` takes. */
const KEYS_A_CALL = 10;

/** A record as it was read, for a commit to check that it still is so. */
export interface Version extends Deno.AtomicCheck {
  /** Another one for each version of each record. */
  readonly id: string;
}

/** Returns which version of its record an entry is. */
function versionOf(
  { key, versionstamp }: Deno.KvEntryMaybe<unknown>,
): Version {
  return { id: `${JSON.stringify(key)}@${versionstamp}`, key, versionstamp };
}

/** Reads one key, together with all that is asked for in the same turn. */
export type ReadKey = <T>(key: Deno.KvKey) => Promise<Deno.KvEntryMaybe<T>>;

/** A key that waits for its round, and everybody who asked for it. */
interface Asked {
  readonly key: Deno.KvKey;
  readonly entry: PromiseWithResolvers<Deno.KvEntryMaybe<unknown>>;
}

/**
 * Makes a reader of one database. Reads are strong: each goes in a round that
 * starts after it was asked for. A key that several ask for is read once, and
 * they share its value, which nobody may change.
 */
export function sharedReads(kv: Deno.Kv): ReadKey {
  let waiting = new Map<string, Asked>();

  function readAll(): void {
    const round = [...waiting.values()];
    waiting = new Map();
    while (round.length > 0) readSome(kv, round.splice(0, KEYS_A_CALL));
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

/** Makes a reader that notes the version of every record it reads. */
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

/** Reads some keys in one call and tells each to who waits for it. */
async function readSome(kv: Deno.Kv, some: readonly Asked[]): Promise<void> {
  try {
    const entries = await kv.getMany<unknown[]>(some.map(({ key }) => key));
    some.forEach(({ entry }, index) => entry.resolve(entries[index]!));
  } catch (error) {
    for (const { entry } of some) entry.reject(error);
  }
}

/** Stores that can be opened once more in a form that notes the version of every record read. */
export interface Tracked<Stores> {
  /** Returns the stores, and the versions of all records that are read through them. */
  tracked(): { readonly store: Stores; readonly versions: readonly Version[] };
}
