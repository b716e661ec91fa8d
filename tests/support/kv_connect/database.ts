/**
 * One database of the KV Connect server, in a Deno KV in memory. The keys of its
 * clients are bytes here: each is the only part of a key, so they sort the same.
 */
import {
  type AtomicWrite,
  ENCODING,
  type KvEntry,
  MUTATION,
  type ReadRange,
} from "./messages.ts";

/** Entries of one snapshot: the maximum of Deno KV. */
const MAX_ENTRIES = 1_000;

/** A request that this server does not support or that breaks a limit of Deno KV. */
export class BadRequest extends Error {}

/** Opens a database. */
export async function openDatabase() {
  const kv = await Deno.openKv(":memory:");

  /** Reads one range in one snapshot. */
  async function readRange(range: ReadRange): Promise<KvEntry[]> {
    const selector = { start: [range.start], end: [range.end] };
    const limit = Math.min(range.limit, MAX_ENTRIES);
    const { reverse } = range;
    const options = { limit, batchSize: limit, reverse };
    return await Array.fromAsync(kv.list(selector, options), toEntry);
  }

  return {
    /** Reads ranges in one snapshot: up to ten keys, or one range of several keys. */
    async read(ranges: readonly ReadRange[]): Promise<KvEntry[][]> {
      if (ranges.every(isOneKey)) {
        const found = await kv.getMany(ranges.map(({ start }) => [start]));
        return found.map((entry) =>
          entry.versionstamp === null ? [] : [toEntry(entry)]
        );
      }
      if (ranges.length > 1) {
        throw new BadRequest("several ranges of more than one key");
      }
      return await Promise.all(ranges.map(readRange));
    },

    /** Writes a transaction. Returns its versionstamp, or null if a check failed. */
    async write(
      { checks, mutations, enqueues }: AtomicWrite,
    ): Promise<Uint8Array | null> {
      if (enqueues.length > 0) throw new BadRequest("queues");
      const atomic = kv.atomic();
      for (const { key, versionstamp } of checks) {
        const stamp = versionstamp.length === 0 ? null : versionstamp.toHex();
        atomic.check({ key: [key], versionstamp: stamp });
      }
      for (const mutation of mutations) mutate(atomic, mutation);
      const result = await atomic.commit();
      return result.ok ? Uint8Array.fromHex(result.versionstamp) : null;
    },

    /** Yields the entries of keys, at once and after each change; null for no entry. */
    async *watch(
      watched: readonly Uint8Array[],
      signal: AbortSignal,
    ): AsyncGenerator<(KvEntry | null)[]> {
      const stream = kv.watch<unknown[]>(watched.map((key) => [key]));
      const reader = stream.getReader();
      signal.addEventListener("abort", () => reader.cancel());
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value.map((entry) =>
          entry.versionstamp === null ? null : toEntry(entry)
        );
      }
    },

    /** Copies all entries, for a replica that lags behind. */
    copy: () =>
      Array.fromAsync(
        kv.list({ prefix: [] }, { batchSize: MAX_ENTRIES }),
        toEntry,
      ),

    close: () => kv.close(),
  };
}

/** A database of the server. */
export type Database = Awaited<ReturnType<typeof openDatabase>>;

/** Returns whether a range ends right after its start. */
function isOneKey({ start, end }: ReadRange): boolean {
  return end.length === start.length + 1 && end.at(-1) === 0 &&
    start.every((byte, nth) => byte === end[nth]);
}

function mutate(
  atomic: Deno.AtomicOperation,
  { key, value, mutationType, expireAtMs }: AtomicWrite["mutations"][number],
): void {
  const storedAt = [key];
  switch (mutationType) {
    case MUTATION.set: {
      const at = expireAtMs.toNumber();
      const options = at === 0
        ? {}
        : { expireIn: Math.max(1, at - Date.now()) };
      atomic.set(storedAt, toStored(value), options);
      return;
    }
    case MUTATION.delete:
      atomic.delete(storedAt);
      return;
    case MUTATION.sum:
    case MUTATION.max:
    case MUTATION.min: {
      const operand = toStored(value);
      if (!(operand instanceof Deno.KvU64)) {
        throw new BadRequest("arithmetic on other numbers than 64-bit ones");
      }
      const names = { 3: "sum", 4: "max", 5: "min" } as const;
      atomic.mutate({
        type: names[mutationType],
        key: storedAt,
        value: operand,
      });
      return;
    }
    default:
      throw new BadRequest(`mutation type ${mutationType}`);
  }
}

/** What is stored of a value: a number of 64 bits as one, for arithmetic; other values as their bytes. */
function toStored(
  value: AtomicWrite["mutations"][number]["value"],
): unknown {
  // A copy: a structured clone would store the whole message that this is a part of.
  const data = value?.data.slice();
  if (value?.encoding === ENCODING.v8) return data;
  if (value?.encoding === ENCODING.bytes) return { bytes: data };
  if (value?.encoding === ENCODING.le64 && value.data.length === 8) {
    const { buffer, byteOffset } = value.data;
    return new Deno.KvU64(
      new DataView(buffer, byteOffset).getBigUint64(0, true),
    );
  }
  throw new BadRequest(`value of encoding ${value?.encoding}`);
}

function toEntry(
  { key, value: stored, versionstamp }: Deno.KvEntry<unknown>,
): KvEntry {
  const entry = {
    key: key[0] as Uint8Array,
    versionstamp: Uint8Array.fromHex(versionstamp),
  };
  if (stored instanceof Uint8Array) {
    return { ...entry, value: stored, encoding: ENCODING.v8 };
  }
  if (stored instanceof Deno.KvU64) {
    const value = new Uint8Array(8);
    new DataView(value.buffer).setBigUint64(0, stored.value, true);
    return { ...entry, value, encoding: ENCODING.le64 };
  }
  const { bytes } = stored as { bytes: Uint8Array };
  return { ...entry, value: bytes, encoding: ENCODING.bytes };
}
