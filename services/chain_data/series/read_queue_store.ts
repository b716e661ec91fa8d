/** Store of the queue of series that a request could not read; a job reads them first. */
import type { MetricsSeriesId, SeriesId } from "../catalogue/series_id.ts";
import { DAY_MS } from "../../platform/days.ts";
import { checkAndSet } from "../../platform/kv/commit.ts";
import type { StoredRecords } from "../../platform/kv/store_rule.ts";

/** Keys. */
const keys = {
  /** Until when a queued series is to be read, epoch ms. */
  queuedRead: ({ subject, metric }: SeriesId) => [
    "read_queue",
    "of",
    subject,
    metric,
  ],
  /** The same series in the order of that time. */
  dueRead: (at: number, { subject, metric }: SeriesId) => [
    ...keys.dueReads(),
    at,
    subject,
    metric,
  ],
  dueReads: (): Deno.KvKey => ["read_queue", "at"],
  /** The last time that was given to a series at a distance from others of its host. */
  lastRead: (of: string) => ["read_queue", "last", of],
};

/** Returns whether a series is read from a host. */
type OfHost = (id: MetricsSeriesId) => boolean;

/** The queue in a store. A series is in it once, so it is bounded by the number of series. */
export function readQueueStore(kv: Deno.Kv) {
  const prefix = keys.dueReads();

  /** Finds until when a series is to be read; null if it is not queued. */
  async function find(id: MetricsSeriesId): Promise<number | null> {
    return (await kv.get<number>(keys.queuedRead(id))).value;
  }

  /** Finds the last time at which a series is to be read; null if none is queued. */
  async function findLast(): Promise<number | null> {
    const entries = kv.list({ prefix }, { limit: 1, reverse: true });
    for await (const { key } of entries) return Number(key[prefix.length]);
    return null;
  }

  function seriesAt(key: Deno.KvKey): MetricsSeriesId {
    const [subject, metric] = key.slice(prefix.length + 1);
    return { subject, metric } as MetricsSeriesId;
  }

  return {
    find,

    /**
     * Adds a series that is to be read until `at`, epoch ms. With `apart` it is to be
     * read that much later than others that were added so with the same name. Returns
     * until when it is to be read: of a series that is queued, the earlier time, and with
     * `apart` the one that it has.
     */
    async add(
      id: MetricsSeriesId,
      { at, apart }: {
        readonly at: number;
        readonly apart?: { readonly ms: number; readonly of: string };
      },
    ): Promise<number> {
      const expiry = { expireIn: DAY_MS };
      return await checkAndSet<number, number>(
        kv,
        keys.queuedRead(id),
        async ({ key, value }, [last]) => {
          const isKept = apart !== undefined || value !== null && value <= at;
          if (value !== null && isKept) return { value };
          const put = (atomic: Deno.AtomicOperation, until: number) => {
            if (value !== null) atomic.delete(keys.dueRead(value, id));
            return atomic.set(key, until, expiry)
              .set(keys.dueRead(until, id), true, expiry);
          };
          if (apart === undefined) {
            return { value: at, write: (atomic) => put(atomic, at) };
          }
          // Series that were read early leave their times free.
          const before = Math.min(
            Number(last!.value ?? -Infinity),
            await findLast() ?? -Infinity,
          );
          const until = Math.max(at, before + apart.ms);
          return {
            value: until,
            write: (atomic) =>
              put(atomic, until).check(last!).set(last!.key, until, expiry),
          };
        },
        { also: apart === undefined ? [] : [keys.lastRead(apart.of)] },
      );
    },

    /** Finds the series of a host to read next, or of any host. Returns null if none is queued. */
    async findNext(
      isOfHost: OfHost = () => true,
    ): Promise<MetricsSeriesId | null> {
      for await (const { key } of kv.list({ prefix })) {
        const id = seriesAt(key);
        if (isOfHost(id)) return id;
      }
      return null;
    },

    /** Counts the series of a host that are to be read before a time, epoch ms; at most `most`. */
    async countBefore(
      at: number,
      { most, isOfHost }: {
        readonly most: number;
        readonly isOfHost: OfHost;
      },
    ): Promise<number> {
      let count = 0;
      for await (const { key } of kv.list({ prefix, end: [...prefix, at] })) {
        if (isOfHost(seriesAt(key)) && ++count === most) break;
      }
      return count;
    },

    /** Removes a series. */
    async remove(id: MetricsSeriesId): Promise<void> {
      const at = await find(id);
      if (at === null) return;
      await kv.atomic().delete(keys.queuedRead(id))
        .delete(keys.dueRead(at, id)).commit();
    },
  };
}

/** The collections and the rules. */
export const READ_QUEUE_RECORDS: StoredRecords = {
  collections: {
    read_queue: { expireMs: DAY_MS, isUnchecked: true, isLeftOut: true },
  },
  rules: [],
};
