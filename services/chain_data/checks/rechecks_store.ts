/** How far the rolling re-check of each second source has come. */
import type { ExplorerMetric } from "../series/series_id.ts";
import * as keys from "../keys.ts";

/** Re-check cursors in a store. */
export function recheckStore(kv: Deno.Kv) {
  return {
    /** Reads the first day that is to be checked again next, or null before the first round. */
    async find(metric: ExplorerMetric): Promise<number | null> {
      return (await kv.get<number>(keys.recheck(metric))).value;
    },

    /** Moves the cursor. */
    async put(metric: ExplorerMetric, day: number): Promise<void> {
      await kv.set(keys.recheck(metric), day);
    },
  };
}
