/** A series as it is stored: its head, its values and its logs. */
import { upstreamDown } from "../../platform/fault.ts";
import type { DayWindow } from "./buckets.ts";
import type { UnreadRow } from "./daily_rows.ts";
import {
  type Doubt,
  type DoubtDecision,
  judgeDays,
  nextDoubts,
} from "./doubted_days.ts";
import type { YearLog } from "./revision_log_codec.ts";
import {
  type DailySeries,
  type DailyValue,
  EMPTY_SERIES,
  sameSeries,
  seriesOf,
  valueOn,
} from "./series.ts";
import { nameSeries, type SeriesId } from "../catalogue/series_id.ts";
import { reconcile, sameWithdrawn, type Withdrawal } from "./withdrawals.ts";
import { startOfYear, yearOf } from "../../platform/days.ts";
import { minOf } from "../../platform/numbers.ts";

/** The head of a stored series; instants in epoch ms. */
export interface SeriesHead {
  /** Null if the series is empty. */
  readonly days: SeriesDays | null;
  readonly fetchedAt: number;
  /** When a fetch first showed the newest day; null if the first fetch did. */
  readonly newestAt: number | null;
  /**
   * When the whole history was last fetched; 0 until it was. Other fetches read
   * only the newest days.
   */
  readonly wholeAt: number;
  /** When the last change was written. */
  readonly changedAt: number;
  /** When the whole history was first stored, from which on the logs tell every change. */
  readonly since: number;
  /** Base URL of the upstream that it was fetched from. */
  readonly origin: string;
  readonly source: string;
  /** Days that the source withdraws; absent if there are none. */
  readonly withdrawals?: readonly Withdrawal[];
  /** Rows that could not be read, by day; absent if there are none. */
  readonly unread?: readonly UnreadDay[];
  /** Days that are not believed; absent if there are none. */
  readonly doubts?: readonly Doubt[];
  /** What operators decided about doubted days, newest last; absent if nothing. */
  readonly decisions?: readonly DoubtDecision[];
  /** Its newest days; absent if they are only in the years. */
  readonly tail?: SeriesTail;
}

/**
 * The newest days of a series, in its head: a read that only adds days or grows the
 * newest one reads and writes the head alone. Every day has a value.
 */
export interface SeriesTail {
  /** The values up to the newest day, in place of those of the years. */
  readonly values: Float64Array;
  /** When the last days were first seen, epoch ms, which the years and logs lack yet. */
  readonly seenAt: readonly number[];
}

/** A row of a series that could not be read, the last time its day was. */
interface UnreadDay extends UnreadRow {
  /** When a read first showed it, in epoch ms. */
  readonly foundAt: number;
}

/** Days of a series whose rows cannot be read, and runs of doubted days. More are an error of the source. */
const MAX_UNREAD = 500;

/** A series as stored. */
export interface StoredSeries extends Omit<SeriesHead, "days" | "tail"> {
  readonly series: DailySeries;
  readonly logs: readonly YearLog[];
  /** Version of the stored head; null if the series is not stored. */
  readonly versionstamp: string | null;
}

/** A series to store. The store finds the changed values, and logs them. */
export type NextSeries = Omit<
  StoredSeries,
  "versionstamp" | "newestAt" | "since" | "logs"
>;

/**
 * Merges a read into the stored series, which is null before the first one. Days that
 * can't be true are kept apart; `activity` is the series that `activityOf()` names. In
 * the result, `changedAt` is null if the read changes something. Throws a fault if the
 * source withdraws days in too many places.
 */
export function mergeRead(
  id: SeriesId,
  current: StoredSeries | null,
  { body, unread: rows = [], days, activity = EMPTY_SERIES, ...read }:
    & Pick<NextSeries, "fetchedAt" | "wholeAt" | "origin" | "source">
    & {
      readonly body: readonly DailyValue[];
      readonly unread?: readonly UnreadRow[] | undefined;
      readonly days: DayWindow;
      readonly activity?: DailySeries | undefined;
    },
): Omit<NextSeries, "changedAt"> & { readonly changedAt: number | null } {
  const { doubts: known = [], decisions = [] } = current ?? {};
  const stored = current?.series ?? EMPTY_SERIES;
  const doubted = judgeDays(id, body, {
    stored,
    activity,
    decisions,
  });
  const merged = reconcile({ ...current, series: stored }, {
    read: seriesOf(body),
    days,
    readAt: read.fetchedAt,
    unread: [
      ...rows,
      ...doubted.map(({ day, kind }) => ({ day, reason: kind })),
    ],
  });
  const doubts = nextDoubts(known, doubted, {
    ...days,
    readAt: read.fetchedAt,
  });
  const { host } = new URL(read.origin);
  const unread = nextUnread(current?.unread, rows, {
    days,
    readAt: read.fetchedAt,
  });
  if (unread.length > MAX_UNREAD) {
    const reason = `${unread.length} rows of ${nameSeries(id)} can't be read`;
    throw upstreamDown(host, reason);
  }
  if (doubts.length > MAX_UNREAD) {
    throw upstreamDown(host, `${nameSeries(id)} has values that can't be true`);
  }
  if (merged === null) {
    throw upstreamDown(host, `${nameSeries(id)} lacks days it had before`);
  }
  const isUnchanged = current !== null &&
    sameSeries(merged.series, current.series) &&
    sameWithdrawn(merged.withdrawals, current.withdrawals) &&
    JSON.stringify(unread) === JSON.stringify(current.unread ?? []) &&
    JSON.stringify(doubts) === JSON.stringify(known);
  return {
    ...merged,
    unread,
    doubts,
    decisions,
    ...read,
    changedAt: isUnchanged ? current.changedAt : null,
  };
}

/** Returns the unread rows after a read: the new ones, and those of days that were not read. */
function nextUnread(
  stored: readonly UnreadDay[] = [],
  rows: readonly UnreadRow[],
  { days, readAt }: { readonly days: DayWindow; readonly readAt: number },
): UnreadDay[] {
  const known = new Map(stored.map((row) => [row.day, row]));
  const kept = stored.filter(({ day }) =>
    day !== null && (day < days.start || day > days.end)
  );
  // Several rows may lack a day, or contradict each other on one.
  const found = new Map(rows.map((row) => [row.day, row]));
  return [
    ...kept,
    ...Array.from(found.values(), (row) => ({
      ...row,
      foundAt: known.get(row.day)?.foundAt ?? readAt,
    })),
  ].sort((a, b) => (a.day ?? Infinity) - (b.day ?? Infinity));
}

/** Returns the day from which a source must be read to see withdrawn, unread and doubted days again. */
export function firstHeldDay(
  { withdrawals = [], unread = [], doubts = [] }: Pick<
    StoredSeries,
    "withdrawals" | "unread" | "doubts"
  >,
): number {
  return Math.min(
    minOf(withdrawals.map(({ from }) => from)),
    minOf(doubts.map(({ from }) => from)),
    minOf(unread.map(({ day }) => day ?? Infinity)),
  );
}

/** How a series is written. */
export interface WriteOptions {
  /** When, in epoch ms; by default when it was fetched. */
  readonly at?: number;
  /** The inferred values that it replaces. */
  readonly inferred?: ReadonlyMap<number, number>;
  /** The stored series of that version, which is read if it is not given. */
  readonly stored?: StoredSeries | null;
  /** Whether the newest days are also kept in the head. */
  readonly hasTail?: boolean;
  /** False if no read of it has failed; its failure is then not removed. */
  readonly hasFailed?: boolean;
}

/** The facts about a series without its values. */
export type SeriesState =
  & Pick<
    SeriesHead,
    "fetchedAt" | "newestAt" | "wholeAt"
  >
  & {
    /** Null if the series is empty. */
    readonly newestDay: number | null;
    /** Since when the source answers without any value, in epoch ms; absent if it does not. */
    readonly silentSince?: number;
  };

/**
 * Returns when the newest day came; null if the first fetch already had it. An instant
 * after the fetch is from before the clock was set back.
 */
export function newestAtOf(
  stored: SeriesHead | null,
  days: SeriesHead["days"],
  { fetchedAt, origin }: Pick<SeriesHead, "fetchedAt" | "origin">,
): number | null {
  if (stored?.origin !== origin) return null;
  const isNewer = days !== null &&
    days.newest > (stored.days?.newest ?? -Infinity);
  if (isNewer) return fetchedAt;
  return stored.newestAt && Math.min(stored.newestAt, fetchedAt);
}

/** Returns the state of a stored series. */
export function stateOf(
  { days, fetchedAt, newestAt, wholeAt, withdrawals = [] }: SeriesHead,
): SeriesState {
  const state = {
    newestDay: days?.newest ?? null,
    fetchedAt,
    newestAt,
    wholeAt,
  };
  const silent = withdrawals.filter(({ reads }) => reads === 0);
  if (silent.length === 0) return state;
  const silentSince = minOf(silent.map(({ foundAt }) => foundAt));
  return { ...state, silentSince };
}

/** First and newest day of a series. */
interface SeriesDays {
  readonly first: number;
  readonly newest: number;
}

/** Lists the years from the first to the newest day of a series. */
export function yearsOf(days: SeriesDays | null): number[] {
  if (days === null) return [];
  const first = yearOf(days.first);
  return Array.from(
    { length: yearOf(days.newest) - first + 1 },
    (_, index) => first + index,
  );
}

/** Returns one slot per day of a year, `NaN` for absent days. */
export function valuesOfYear(series: DailySeries, year: number): Float64Array {
  const start = startOfYear(year);
  const values = new Float64Array(startOfYear(year + 1) - start);
  return values.map((_, slot) => valueOn(series, start + slot));
}

/** Builds a series from the values of its years. */
export function joinYears(
  days: SeriesDays,
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
