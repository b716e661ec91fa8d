/** Counts what a hosted database would bill, by collection. */
import v8 from "node:v8";

/** What the platform bills as one read and as one write, in bytes. */
const READ_UNIT = 4_096;
const WRITE_UNIT = 1_024;

/** Billed units. Each key or list that is read, and each record that is written, is at least one. */
export interface Units {
  reads: number;
  writes: number;
}

/** The units of each collection: of the first part of its keys. */
type UnitsByCollection = ReadonlyMap<string, Readonly<Units>>;

/**
 * Counts the operations of a database from now on; the function returns what was counted
 * since its last call. The sizes are those of Node's `serialize`, within some bytes of
 * the stored ones.
 */
export function countUnits(kv: Deno.Kv): () => UnitsByCollection {
  let counted = new Map<string, Units>();
  const { get, getMany, list, set, delete: remove, atomic } = kv;

  function note(key: Deno.KvKey, kind: keyof Units, units: number): void {
    const name = String(key[0]);
    const of = counted.get(name) ?? { reads: 0, writes: 0 };
    of[kind] += units;
    counted.set(name, of);
  }
  const noteRead = (entry: Deno.KvEntryMaybe<unknown>) =>
    note(entry.key, "reads", unitsOf(sizeOf(entry), READ_UNIT));
  const noteWrite = (key: Deno.KvKey, value?: unknown) =>
    note(key, "writes", unitsOf(sizeOf({ key, value }), WRITE_UNIT));

  kv.get = async (...args: Parameters<typeof get>) => {
    const entry = await get.apply(kv, args);
    noteRead(entry);
    return entry as never;
  };
  kv.getMany = async (...args: unknown[]) => {
    const entries = await getMany.apply(kv, args as never) as Deno.KvEntry<
      unknown
    >[];
    for (const entry of entries) noteRead(entry);
    return entries as never;
  };
  kv.list = (...args: Parameters<typeof list>) => {
    const entries = list.apply(kv, args);
    const [selector] = args;
    const key = "prefix" in selector ? selector.prefix : selector.start;
    let bytes = 0;
    let units = 0;
    const next = entries.next.bind(entries);
    // An iteration may end early, so what it read so far is noted at once.
    entries.next = async () => {
      const result = await next();
      if (!result.done) bytes += sizeOf(result.value);
      const more = unitsOf(bytes, READ_UNIT) - units;
      if (more > 0) note(key, "reads", more);
      units += more;
      return result;
    };
    return entries as never;
  };
  kv.set = (...args: Parameters<typeof set>) => {
    noteWrite(args[0], args[1]);
    return set.apply(kv, args);
  };
  kv.delete = (key) => {
    noteWrite(key);
    return remove.call(kv, key);
  };
  kv.atomic = () => {
    const operation = atomic.call(kv);
    const writes = {
      set: operation.set.bind(operation),
      sum: operation.sum.bind(operation),
      delete: operation.delete.bind(operation),
    };
    return Object.assign(operation, {
      set(...args: Parameters<typeof operation.set>) {
        noteWrite(args[0], args[1]);
        return writes.set(...args);
      },
      sum(...args: Parameters<typeof operation.sum>) {
        noteWrite(args[0], args[1]);
        return writes.sum(...args);
      },
      delete(key: Deno.KvKey) {
        noteWrite(key);
        return writes.delete(key);
      },
    });
  };
  return () => {
    const taken = counted;
    counted = new Map();
    return taken;
  };
}

function unitsOf(bytes: number, unit: number): number {
  return Math.max(1, Math.ceil(bytes / unit));
}

/** Returns about how many bytes a record takes. */
function sizeOf(
  { key, value }: { readonly key: Deno.KvKey; readonly value: unknown },
): number {
  const name = key.reduce<number>(
    (sum, part) => sum + (typeof part === "string" ? part.length + 2 : 9),
    0,
  );
  return name +
    (value === undefined || value === null
      ? 0
      : v8.serialize(value instanceof Deno.KvU64 ? value.value : value).length);
}
