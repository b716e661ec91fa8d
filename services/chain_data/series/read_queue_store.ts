/** Store of the queue of series that a request could not read; a job reads them first. */
import type { MetricsSeriesId } from "../catalogue/series_id.ts";
import type { SeriesId } from "../catalogue/series_id.ts";
import { DAY_MS } from "../../platform/days.ts";
import type { StoredRecords } from "../../platform/kv/store_rule.ts";

/** Keys. */
const keys = {
  /** A series that a job reads first. */
  queuedRead: ({ subject, metric }: SeriesId) => [
    "read_queue",
    subject,
    metric,
  ],
  /** All series that a job reads first. */
  queuedReads: () => ["read_queue"],
};

/** The queue in a store. A series is in it once, so it is bounded by the number of series. */
export function readQueueStore(kv: Deno.Kv) {
  return {
    /** Adds a series. */
    async add(id: MetricsSeriesId): Promise<void> {
      await kv.set(keys.queuedRead(id), true, { expireIn: DAY_MS });
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

/** The collections and the rules. */
export const READ_QUEUE_RECORDS: StoredRecords = {
  collections: {
    read_queue: { expireMs: DAY_MS, isIndependent: true, isUnchecked: true },
  },
  rules: [],
};
