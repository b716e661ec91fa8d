/** Daily series: a head, and one `Float64Array` a year with `NaN` for absent days. */
import { startOfYear, yearOf } from "../../platform/days.ts";
import {
  type DailySeries,
  EMPTY_SERIES,
  isEmpty,
  newestDay,
  valueOn,
} from "./series.ts";
import type { SeriesId } from "./series_id.ts";
import { checkAndSet } from "../../platform/kv/commit.ts";
import * as keys from "../keys.ts";

/** What is known about a series as a whole; instants in epoch ms. */
export interface SeriesHead {
  /** First and newest day, null where upstream has no point. */
  readonly days: { readonly first: number; readonly newest: number } | null;
  readonly fetchedAt: number;
  /** When the whole history was last read, not its tail only. */
  readonly wholeAt: number;
  readonly changedAt: number;
  /** Base URL of the upstream that gave it. */
  readonly origin: string;
  readonly source: string;
}

/** A series as stored. */
export interface StoredSeries extends Omit<SeriesHead, "days"> {
  readonly series: DailySeries;
  /** Version of the head that was read. */
  readonly versionstamp: string | null;
}

/** Heads that one read takes: the limit of `getMany`. */
const HEADS_A_READ = 10;

/** Series in a store. */
export function seriesStore(kv: Deno.Kv) {
  return {
    /**
     * Finds a series in one round trip and from one snapshot. A list, since
     * `getMany` ends at ten keys and the head with its years passes that in 2029.
     */
    async find(id: SeriesId): Promise<StoredSeries | null> {
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
    },

    /**
     * Reads when each of many series was last read, or tried in vain, in epoch
     * ms; null where neither ever happened.
     */
    async listLastAttempts(
      ids: readonly SeriesId[],
    ): Promise<(number | null)[]> {
      const failures = new Map<string, number>();
      for await (
        const { key, value } of kv.list<number>({
          prefix: keys.seriesFailures(),
        })
      ) failures.set(key.slice(1).join(), value);
      const readAt: (number | null)[] = [];
      for (let from = 0; from < ids.length; from += HEADS_A_READ) {
        const some = ids.slice(from, from + HEADS_A_READ);
        const heads = await kv.getMany<SeriesHead[]>(
          some.map((id) => keys.seriesHead(id)),
        );
        heads.forEach(({ value }, index) => {
          const { subject, metric } = some[index]!;
          const failedAt = failures.get([subject, metric].join());
          readAt.push(failedAt ?? value?.fetchedAt ?? null);
        });
      }
      return readAt;
    },

    /** Notes that a read of a series failed, until one succeeds. */
    async putFailure(id: SeriesId, at: number) {
      await kv.set(keys.seriesFailure(id), at);
    },

    /**
     * Replaces a series whole. False, and nothing changed, where the stored one
     * is no longer the one that `next` was made from.
     */
    replace(
      id: SeriesId,
      { series, versionstamp, ...rest }: StoredSeries,
    ): Promise<boolean> {
      const key = keys.seriesHead(id);
      const days = isEmpty(series)
        ? null
        : { first: series.firstDay, newest: newestDay(series)! };
      return checkAndSet<SeriesHead, boolean>(kv, key, (held) => {
        if (held.versionstamp !== versionstamp) return { value: false };
        const write = (atomic: Deno.AtomicOperation) => {
          for (const year of yearsOf(held.value?.days ?? null)) {
            atomic.delete(keys.seriesYear(id, year));
          }
          for (const year of yearsOf(days)) {
            const values = valuesOfYear(series, year);
            atomic.set(keys.seriesYear(id, year), values);
          }
          return atomic.set(key, { days, ...rest })
            .delete(keys.seriesFailure(id));
        };
        return { value: true, write };
      });
    },

    /** Removes a series; false where there is none. */
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

/** Lists the years that a series has parts in. */
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
  for (const { year, values: held } of years) {
    const offset = startOfYear(year) - days.first;
    const from = Math.max(0, -offset);
    const to = Math.min(held.length, values.length - offset);
    values.set(held.subarray(from, to), offset + from);
  }
  return { firstDay: days.first, values };
}
