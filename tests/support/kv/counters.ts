/** Counters that are written in batches. */
import { batchedWrites } from "../../../services/platform/kv/batched_writes.ts";
import {
  sharedReads,
  trackedReads,
  type Version,
} from "../../../services/platform/kv/shared_reads.ts";

/** A counter as it is stored. */
export type Counted = [count: number, mark: string];

/** Opens a database of counters; `count` adds one to a counter if all preconditions hold. */
export async function openCounters(
  { isHosted = false, size = Infinity } = {},
) {
  const kv = await Deno.openKv(":memory:");
  const read = sharedReads(kv);
  const change = batchedWrites<Counted, number>(kv, read, {
    isHosted,
    expireIn: 1_000_000,
    decode: (stored) => stored?.[0] ?? 0,
    encode: (value) => [value, crypto.randomUUID()],
    sizeOf: () => size,
    markOf: ([, mark]) => mark,
  });
  const count = (name: string, ...preconditions: Version[]) =>
    change({ key: [name], preconditions, decide: (held) => held + 1 });
  const valueOf = async (name: string) =>
    (await kv.get<Counted>([name])).value?.[0] ?? null;
  return { kv, change, count, valueOf, [Symbol.dispose]: () => kv.close() };
}

/** Returns the current version of a record. */
export async function versionOf(kv: Deno.Kv, name: string): Promise<Version> {
  const { read, versions } = trackedReads(sharedReads(kv));
  await read([name]);
  return versions[0]!;
}
