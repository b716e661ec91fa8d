/** Counters that are written in batches. */
import { batchedWrites } from "../../../services/platform/kv/batched_writes.ts";
import {
  sharedReads,
  trackedReads,
  type Version,
} from "../../../services/platform/kv/reads.ts";

/** A counter as it is stored. */
export interface Counted {
  readonly count: number;
  readonly marks: readonly number[];
}

/** Opens a database of counters. */
export async function openCounters(options: CounterOptions = {}) {
  const kv = await Deno.openKv(":memory:");
  const counters = openCountersOf(kv, options);
  return { kv, ...counters, [Symbol.dispose]: () => kv.close() };
}

/** Options of counters. `size` is about what a stored one takes, in bytes. */
interface CounterOptions {
  readonly isHosted?: boolean;
  readonly size?: number;
}

/** Opens the counters of a process; `count` adds one to a counter if all preconditions hold. */
export function openCountersOf(
  kv: Deno.Kv,
  { isHosted = false, size = Infinity }: CounterOptions = {},
) {
  const read = sharedReads(kv);
  const change = batchedWrites<Counted, number>(kv, read, {
    isHosted,
    expireIn: 1_000_000,
    decode: (stored) => stored?.count ?? 0,
    encode: (count, marks) => ({ count, marks }),
    sizeOf: () => size,
  });
  const count = (name: string, ...preconditions: Version[]) =>
    change({ key: [name], preconditions, decide: (held) => held + 1 });
  const valueOf = async (name: string) =>
    (await kv.get<Counted>([name])).value?.count ?? null;
  return { change, count, valueOf };
}

/** Returns the current version of a record. */
export async function versionOf(kv: Deno.Kv, name: string): Promise<Version> {
  const { read, versions } = trackedReads(sharedReads(kv));
  await read([name]);
  return versions[0]!;
}
