/** Store of the queue of series that a request could not read; a job reads them first. */
import type { MetricsSeriesId } from "../catalogue/series_id.ts";
import * as keys from "../keys.ts";

/** The queue in a store. A series is in it once, so it is bounded by the number of series. */
export function readQueueStore(kv: Deno.Kv) {
  const { expireMs: expireIn } = keys.COLLECTIONS.read_queue;
  return {
    /** Adds a series. */
    async add(id: MetricsSeriesId): Promise<void> {
      await kv.set(keys.queuedRead(id), true, { expireIn });
    },

    /** Finds a series to read next. Returns null if none is queued. */
    async find(): Promise<MetricsSeriesId | null> {
      const entries = kv.list({ prefix: keys.queuedReads() }, { limit: 1 });
      for await (const { key: [, subject, metric] } of entries) {
        return { subject, metric } as MetricsSeriesId;
      }
      return null;
    },

    /** Removes a series. */
    async remove(id: MetricsSeriesId): Promise<void> {
      await kv.delete(keys.queuedRead(id));
    },
  };
}
