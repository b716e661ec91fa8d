/** Store of daily series: a head, and one `Float64Array` per year with `NaN` for absent days. */
import { startOfYear, yearOf } from "../../platform/days.ts";
import {
  type DailySeries,
  EMPTY_SERIES,
  isEmpty,
  newestDay,
  valueOn,
} from "./series.ts";
import { nameSeries, type SeriesId } from "./series_id.ts";
import { checkAndSet } from "../../platform/kv/commit.ts";
import { appenderOf } from "./revisions_store.ts";
import type { Revision, Withdrawal } from "./withdrawals.ts";
import * as keys from "../keys.ts";

/** The head of a stored series; instants in epoch ms. */
export interface SeriesHead {
  /** First and newest day; null if the series is empty. */
  readonly days: { readonly first: number; readonly newest: number } | null;
  readonly fetchedAt: number;
  /** When a fetch first showed the newest day; null if the first fetch did. */
  readonly newestAt: number | null;
  /** When the whole history was last fetched. Other fetches read only the newest days. */
  readonly wholeAt: number;
  readonly changedAt: number;
  /** Base URL of the upstream that it was fetched from. */
  readonly origin: string;
  readonly source: string;
  /** Days that the source withdraws; absent if there are none. */
  readonly withdrawals?: readonly Withdrawal[];
}

/** A series as stored. */
export interface StoredSeries extends Omit<SeriesHead, "days"> {
  readonly series: DailySeries;
  /** Version of the stored head; null if the series is not stored. */
  readonly versionstamp: string | null;
}

/** A series to store. The store itself finds out when the newest day came. */
type NextSeries = Omit<StoredSeries, "versionstamp" | "newestAt">;

/** What is known of a series without its values. */
export type SeriesState =
  & Pick<
    SeriesHead,
    "fetchedAt" | "newestAt" | "wholeAt"
  >
  & {
    /** Null if the series is empty. */
    readonly newestDay: number | null;
  };

/** Limit of `getMany`. */
const MAX_KEYS = 10;

/** Series in a store. */
export function seriesStore(kv: Deno.Kv) {
  /**
   * Finds a series in one round trip, from one snapshot. It uses `list` because
   * `getMany` is limited to ten keys, and a series passes ten years in 2029.
   */
  async function find(id: SeriesId): Promise<StoredSeries | null> {
    const entries = await Array.fromAsync(kv.list<SeriesHead | Float64Array>(
      { prefix: keys.series(id) },
      { batchSize: 500 },
    ));
    const [head, ...years] = entries;
    if (head === undefined) return null;
    const { days, ...rest } = head.value as SeriesHead;
    const series = days === null ? EMPTY_SERIES : joinYears(
      days,
      years.map(({ key, value }) => ({
        year: key.at(-1) as number,
        values: value as Float64Array,
      })),
    );
    return { ...rest, series, versionstamp: head.versionstamp };
  }

  /** Lists the head of each series; null if it is not stored. */
  async function listHeads(
    ids: readonly SeriesId[],
  ): Promise<(SeriesHead | null)[]> {
    const heads: (SeriesHead | null)[] = [];
    for (let from = 0; from < ids.length; from += MAX_KEYS) {
      const some = ids.slice(from, from + MAX_KEYS);
      const entries = await kv.getMany<SeriesHead[]>(
        some.map((id) => keys.seriesHead(id)),
      );
      heads.push(...entries.map(({ value }) => value));
    }
    return heads;
  }

  return {
    find,

    /**
     * Lists the states of series. A series that is not stored, or that came from
     * another upstream, is null.
     */
    async listStates(
      ids: readonly SeriesId[],
      origin: string,
    ): Promise<(SeriesState | null)[]> {
      return (await listHeads(ids)).map((head) =>
        head?.origin === origin ? stateOf(head) : null
      );
    },

    /**
     * Lists when reads of series last failed, or showed days lacking or withdrawn, in
     * epoch ms, by the names of the series.
     */
    async listFailures(): Promise<ReadonlyMap<string, number>> {
      const prefix = keys.seriesFailures();
      const failures = new Map<string, number>();
      for await (const { key, value } of kv.list<number>({ prefix })) {
        const [, subject, metric] = key;
        failures.set(nameSeries({ subject, metric } as SeriesId), value);
      }
      return failures;
    },

    /** Lists the withdrawn days of each series. */
    async listWithdrawals(
      ids: readonly SeriesId[],
    ): Promise<(readonly Withdrawal[])[]> {
      return (await listHeads(ids)).map((head) => head?.withdrawals ?? []);
    },

    /** Records a failed fetch of a series, or one that lacks a day. The next success removes it. */
    async putFailure(id: SeriesId, at: number) {
      await kv.set(keys.seriesFailure(id), at);
    },

    /**
     * Replaces a series. Returns false, without writing, if the stored head is
     * no longer the version that `next` was made from. Revisions are stored in the
     * same transaction.
     */
    async replace(
      id: SeriesId,
      next: NextSeries & Pick<StoredSeries, "versionstamp">,
      revisions: readonly Revision[] = [],
    ): Promise<boolean> {
      const append = await appenderOf(kv, id, revisions);
      const write =
        (head: SeriesHead | null) => (atomic: Deno.AtomicOperation) =>
          append(writerOf(id, head, next)(atomic));
      return await checkAndSet<SeriesHead, boolean>(
        kv,
        keys.seriesHead(id),
        ({ value, versionstamp }) =>
          versionstamp === next.versionstamp
            ? { value: true, write: write(value) }
            : { value: false },
      );
    },

    /** Replaces a series by what `change` returns for the stored one. Retries after a conflict. */
    update(
      id: SeriesId,
      change: (stored: StoredSeries | null) => {
        readonly next: NextSeries;
        readonly revisions: readonly Revision[];
      },
    ): Promise<void> {
      return checkAndSet<SeriesHead, void>(
        kv,
        keys.seriesHead(id),
        async ({ value }) => {
          const { next, revisions } = change(await find(id));
          const append = await appenderOf(kv, id, revisions);
          const write = writerOf(id, value, next);
          return { value: undefined, write: (atomic) => append(write(atomic)) };
        },
      );
    },

    /** Removes a series. Returns false if there is none. */
    remove(id: SeriesId): Promise<boolean> {
      const key = keys.seriesHead(id);
      return checkAndSet<SeriesHead, boolean>(
        kv,
        key,
        ({ value: head }) =>
          head === null ? { value: false } : {
            value: true,
            write: (atomic) => {
              for (const year of yearsOf(head.days)) {
                atomic.delete(keys.seriesYear(id, year));
              }
              return atomic.delete(key);
            },
          },
      );
    },
  };
}

/** Returns the write that replaces the stored head and years of a series. */
function writerOf(
  id: SeriesId,
  stored: SeriesHead | null,
  { series, ...next }: NextSeries,
): (atomic: Deno.AtomicOperation) => Deno.AtomicOperation {
  const days = isEmpty(series)
    ? null
    : { first: series.firstDay, newest: newestDay(series)! };
  const { withdrawals = [], fetchedAt, wholeAt, changedAt, origin, source } =
    next;
  return (atomic) => {
    for (const year of yearsOf(stored?.days ?? null)) {
      atomic.delete(keys.seriesYear(id, year));
    }
    for (const year of yearsOf(days)) {
      atomic.set(keys.seriesYear(id, year), valuesOfYear(series, year));
    }
    const head: SeriesHead = {
      ...{ days, fetchedAt, newestAt: newestAtOf(stored, days, next) },
      ...{ wholeAt, changedAt, origin, source },
      ...withdrawals.length > 0 && { withdrawals },
    };
    const failure = keys.seriesFailure(id);
    atomic.set(keys.seriesHead(id), head);
    // Withdrawn days have to be read again, like a series that could not be read.
    return withdrawals.length > 0
      ? atomic.set(failure, fetchedAt)
      : atomic.delete(failure);
  };
}

/** Returns when the newest day came; null if the first fetch already had it. */
function newestAtOf(
  stored: SeriesHead | null,
  days: SeriesHead["days"],
  { fetchedAt, origin }: Pick<SeriesHead, "fetchedAt" | "origin">,
): number | null {
  if (stored?.origin !== origin) return null;
  const isNewer = days !== null &&
    days.newest > (stored.days?.newest ?? -Infinity);
  return isNewer ? fetchedAt : stored.newestAt;
}

/** Returns the state of a stored series. */
function stateOf(
  { days, fetchedAt, newestAt, wholeAt }: SeriesHead,
): SeriesState {
  return { newestDay: days?.newest ?? null, fetchedAt, newestAt, wholeAt };
}

/** Lists the years from the first to the newest day of a series. */
export function yearsOf(days: SeriesHead["days"]): number[] {
  if (days === null) return [];
  const first = yearOf(days.first);
  return Array.from(
    { length: yearOf(days.newest) - first + 1 },
    (_, index) => first + index,
  );
}

function valuesOfYear(series: DailySeries, year: number): Float64Array {
  const start = startOfYear(year);
  const values = new Float64Array(startOfYear(year + 1) - start);
  return values.map((_, slot) => valueOn(series, start + slot));
}

function joinYears(
  days: { first: number; newest: number },
  years: readonly { year: number; values: Float64Array }[],
): DailySeries {
  const values = new Float64Array(days.newest - days.first + 1).fill(NaN);
  for (const { year, values: part } of years) {
    const offset = startOfYear(year) - days.first;
    const from = Math.max(0, -offset);
    const to = Math.min(part.length, values.length - offset);
    values.set(part.subarray(from, to), offset + from);
  }
  return { firstDay: days.first, values };
}
