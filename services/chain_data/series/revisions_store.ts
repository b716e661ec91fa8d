/** Store of revisions: the values that days of a series had before, one record a year. */
import { yearOf } from "../../platform/days.ts";
import type { Revision } from "./withdrawals.ts";
import type { SeriesId } from "./series_id.ts";
import * as keys from "../keys.ts";

/** Numbers of a revision in a record: day, value, instant. */
const FIELDS = 3;

/** Maximum number of revisions of a year, below the 64 KiB of a value. The oldest go first. */
const MAX_REVISIONS = 2_500;

/** Revisions in a store. */
export function revisionStore(kv: Deno.Kv) {
  return {
    /** Lists the revisions of a series, by year and then in the order they were seen. */
    async list(id: SeriesId): Promise<Revision[]> {
      const entries = kv.list<Float64Array>({ prefix: keys.revisions(id) });
      const years = await Array.fromAsync(entries, ({ value }) => value);
      return years.flatMap(unpack);
    },
  };
}

/** Returns the write that adds revisions to their years, unless these change before. */
export async function appenderOf(
  kv: Deno.Kv,
  id: SeriesId,
  revisions: readonly Revision[],
): Promise<(atomic: Deno.AtomicOperation) => Deno.AtomicOperation> {
  const added = Map.groupBy(revisions, ({ day }) => yearOf(day));
  const years = await Promise.all(
    [...added].map(async ([year, revisions]) => ({
      held: await kv.get<Float64Array>(keys.revisionYear(id, year)),
      revisions,
    })),
  );
  return (atomic) => {
    for (const { held, revisions } of years) {
      const all = [...held.value ? unpack(held.value) : [], ...revisions];
      atomic.check(held).set(held.key, pack(all.slice(-MAX_REVISIONS)));
    }
    return atomic;
  };
}

function pack(revisions: readonly Revision[]): Float64Array {
  return Float64Array.from(
    revisions.flatMap(({ day, value, seenAt }) => [day, value, seenAt]),
  );
}

function unpack(packed: Float64Array): Revision[] {
  return Array.from({ length: packed.length / FIELDS }, (_, nth) => {
    const [day, value, seenAt] = packed.subarray(nth * FIELDS);
    return { day: day!, value: value!, seenAt: seenAt! };
  });
}
