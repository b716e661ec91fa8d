/** Store of recheck cursors, one per explorer series. */
import type { ExplorerMetric } from "../catalogue/series_id.ts";
import * as keys from "../keys.ts";

/** Recheck cursors in a store. */
export function recheckStore(kv: Deno.Kv) {
  return {
    /** Finds the first day to recheck next. Returns null before the first round. */
    async find(metric: ExplorerMetric): Promise<number | null> {
      return (await kv.get<number>(keys.recheck(metric))).value;
    },

    /** Puts the first day to recheck next. */
    async put(metric: ExplorerMetric, day: number): Promise<void> {
      await kv.set(keys.recheck(metric), day);
    },
  };
}
