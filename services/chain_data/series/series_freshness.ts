/**
 * Decides how current a stored series is, and which of its days are settled. The
 * hour of all upstream data is in `services/platform/cache.ts`.
 */
import { DAY_MS, dayAt, HOUR_MS, startOfDay } from "../../platform/days.ts";
import { CLOCK_SKEW_MS } from "../../platform/clock.ts";
import { isFresh } from "../../platform/cache.ts";
import { C_CHAIN } from "../catalogue/metrics_schema.ts";
import type { DayWindow } from "./buckets.ts";
import { QUIET_DAYS } from "./inferred_days.ts";
import type { Publication } from "./publications_store.ts";
import { type DailySeries, newestDay } from "./series.ts";
import { type MetricsSeriesId, nameSeries } from "../catalogue/series_id.ts";
import type { SeriesState } from "./stored_series.ts";
import { minOf } from "../../platform/numbers.ts";

/** The series whose newest day shows that upstream has published. */
export const CANARY = { subject: C_CHAIN, metric: "txCount" } as const;

/** Newest stored days that every refresh fetches again, because upstreams restate recent days. */
export const TAIL_DAYS = 14;

/** How often the `txCount` of a chain that publishes late is read. */
export const PROBE_MS = HOUR_MS / 2;

/**
 * How much longer than an hour a series is served while a sweep reads all series. So
 * every answer has a new day within 80 minutes of its publication.
 */
const SWEEP_ALLOWANCE_MS = HOUR_MS / 3;

/** How current a stored series is; instants in epoch ms. */
export interface SeriesFreshness {
  /**
   * When it was last known that upstream has no newer day: by a read of the canary, of
   * the chain's `txCount`, or of the series itself.
   */
  readonly confirmedAt: number;
  /** Start of the hour in which caches may keep an answer made of it. */
  readonly validAt: number;
  readonly isServed: boolean;
  /** Whether the canary was read within the hour. */
  readonly isConfirmed: boolean;
}

/** Returns whether a series is the canary. */
export function isCanary({ subject, metric }: MetricsSeriesId): boolean {
  return subject === CANARY.subject && metric === CANARY.metric;
}

/**
 * Returns how current a stored series is at a time. A window of settled days is always
 * current: it ends before the days that every refresh fetches again, and only the weekly
 * read of the whole history could restate it.
 */
export function freshnessOf(
  id: MetricsSeriesId,
  { series, ...stored }: Omit<SeriesState, "newestDay"> & {
    readonly series: DailySeries;
  },
  { publication, txCount, window, now }: {
    readonly publication: Publication | null;
    /** The `txCount` of the chain; null if it is not stored or the subject is not a chain. */
    readonly txCount: SeriesState | null;
    /** The days of the answer; null if it may be of any day. */
    readonly window: DayWindow | null;
    readonly now: number;
  },
): SeriesFreshness {
  const state = { ...stored, newestDay: newestDay(series) };
  let confirmedAt = stored.fetchedAt;
  if (publication !== null) {
    const limits = [publication.confirmedAt];
    if (isUnread(id, state, { publication, now })) {
      const { unpublishedAt, previousAt } = publication;
      const missedMore = stored.fetchedAt < (previousAt ?? Infinity);
      limits.push(
        missedMore ? stored.fetchedAt : unpublishedAt ?? stored.fetchedAt,
      );
    }
    if (txCount !== null && isLate(id, txCount, { publication, now })) {
      limits.push(txCount.fetchedAt);
    }
    if (isBehindChain(state, txCount)) limits.push(txCount.newestAt - PROBE_MS);
    confirmedAt = Math.max(confirmedAt, minOf(limits));
  }
  const isSweeping = publication !== null && isConfirmed(publication, now);
  const allowanceMs = isSweeping ? SWEEP_ALLOWANCE_MS : 0;
  const through = settledThrough(series);
  const isSettled = window !== null && through !== null &&
    window.end <= through;
  return {
    confirmedAt,
    validAt: isSettled ? now : confirmedAt,
    isServed: isSettled ||
      isFresh({ fetchedAt: confirmedAt }, now, allowanceMs),
    isConfirmed: isSweeping,
  };
}

/** Returns whether the canary was read within the hour. */
export function isConfirmed(
  { confirmedAt }: Publication,
  now: number,
): boolean {
  return isFresh({ fetchedAt: confirmedAt }, now);
}

/** The newest publication, at a time. */
interface Published {
  readonly publication: Publication;
  readonly now: number;
}

/**
 * Returns whether a series was not read since the last publication. A read in the
 * minute after it counts only if it shows the published day: the clock of another
 * process may be ahead. A read from the future was made before the clock was set back.
 */
export function isUnread(
  id: MetricsSeriesId,
  { fetchedAt, newestDay }: SeriesState,
  { publication, now }: Published,
): boolean {
  // The read of the canary is the publication.
  if (isCanary(id)) return false;
  const { publishedAt } = publication;
  const surelyAt = publishedAt + CLOCK_SKEW_MS;
  const isUnsure = fetchedAt < surelyAt && now >= surelyAt &&
    (newestDay ?? -Infinity) < publication.newestDay;
  return fetchedAt < publishedAt || isUnsure ||
    fetchedAt > now + CLOCK_SKEW_MS;
}

/**
 * Returns whether a chain publishes later than the canary: its `txCount` was read
 * since the publication and is up to a week behind.
 */
export function isLate(
  id: MetricsSeriesId,
  txCount: SeriesState,
  published: Published,
): boolean {
  if (txCount.newestDay === null || isUnread(id, txCount, published)) {
    return false;
  }
  const days = published.publication.newestDay - txCount.newestDay;
  return days > 0 && days <= QUIET_DAYS;
}

/** Returns whether the chain's `txCount` has had a newer day since the series was read. */
export function isBehindChain(
  state: SeriesState,
  txCount: SeriesState | null,
): txCount is SeriesState & { readonly newestAt: number } {
  return txCount !== null && txCount.newestAt !== null &&
    (state.newestDay ?? -Infinity) < (txCount.newestDay ?? -Infinity) &&
    state.fetchedAt < txCount.newestAt;
}

/** Returns the newest settled day of a series, or null. */
export function settledThrough(series: DailySeries): number | null {
  const newest = newestDay(series);
  if (newest === null) return null;
  const through = newest - TAIL_DAYS - 1;
  return through < series.firstDay ? null : through;
}

/**
 * Returns whether the whole history of a series is due, because upstream also
 * restates older days. Each series has its day of the week.
 */
export function isWholeDue(
  id: MetricsSeriesId,
  { wholeAt }: Pick<SeriesState, "wholeAt">,
  now: number,
): boolean {
  const today = dayAt(now);
  const daysSince = (today - weekdayOf(id) + 7) % 7;
  return wholeAt < startOfDay(today - daysSince) ||
    wholeAt > now + DAY_MS;
}

/** Returns a number from 0 to 6 that spreads the series evenly. */
function weekdayOf(id: MetricsSeriesId): number {
  let hash = 0;
  for (const char of nameSeries(id)) {
    hash = (hash * 31 + char.charCodeAt(0)) % 1_000_003;
  }
  return hash % 7;
}
