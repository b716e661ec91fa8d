/** The newest days of a series, which its head holds: most reads change nothing else. */
import { CLOCK_SKEW_MS } from "../../platform/clock.ts";
import { dayAt, yearOf } from "../../platform/days.ts";
import { maxOf } from "../../platform/numbers.ts";
import type { SeriesId } from "../catalogue/series_id.ts";
import type { UnreadRow } from "./daily_rows.ts";
import { hasUnit, judgeDays } from "./doubted_days.ts";
import { inferableThrough, QUIET_DAYS } from "./inferred_days.ts";
import { seenDays } from "./revision_log.ts";
import {
  appendEntries,
  type LogEntry,
  type YearLog,
} from "./revision_log_codec.ts";
import {
  type DailyValue,
  EMPTY_SERIES,
  newestDay,
  seriesOf,
  valueOn,
} from "./series.ts";
import { TAIL_DAYS } from "./series_freshness.ts";
import {
  newestAtOf,
  type NextSeries,
  type SeriesHead,
  type SeriesTail,
  type StoredSeries,
} from "./stored_series.ts";

/** Days that a tail holds, and that it may have added before they are written to their year. */
const TAIL_LENGTH = TAIL_DAYS + 1;
const MAX_ADDED = TAIL_DAYS;

/**
 * Returns the tail of a series that is being written whole; null if a read could not
 * rely on it: a day is absent, withdrawn, unread or doubted, or was seen and is gone.
 */
export function tailOf(
  { series, withdrawals = [], unread = [], doubts = [] }: NextSeries,
  logs: readonly YearLog[],
): SeriesTail | null {
  const values = series.values.slice(-TAIL_LENGTH);
  const isPlain = values.length === TAIL_LENGTH &&
    !values.some((value) => Number.isNaN(value)) &&
    withdrawals.length + unread.length + doubts.length === 0 &&
    maxOf(seenDays(logs)) === newestDay(series);
  return isPlain ? { values, seenAt: [] } : null;
}

/** Returns a series and its logs with the days of its tail. */
export function withTail(
  { series, logs }: Pick<StoredSeries, "series" | "logs">,
  tail: SeriesTail | undefined,
): Pick<StoredSeries, "series" | "logs"> {
  if (tail === undefined) return { series, logs };
  const values = series.values.slice();
  values.set(tail.values, values.length - tail.values.length);
  const whole = { ...series, values };
  const { seenAt } = tail;
  if (seenAt.length === 0) return { series: whole, logs };
  const first = newestDay(series)! - seenAt.length + 1;
  const year = yearOf(first);
  const days = seenAt.map((at, nth) => ({ at, day: first + nth }));
  const entries = Array.from(
    Map.groupBy(days, ({ at }) => at),
    ([at, days]): LogEntry => ({
      at,
      events: [{ kind: "seen", from: days[0]!.day, to: days.at(-1)!.day }],
    }),
  );
  const log = appendEntries(
    year,
    logs.find((log) => log.year === year),
    entries,
  );
  return {
    series: whole,
    logs: [...logs.filter((log) => log.year !== year), log],
  };
}

/**
 * Returns the head of a series after a read of the days of its tail and later ones. Null
 * if the read does more than to add days and to change the newest one: then it is merged
 * with the whole series.
 */
export function growTail(
  id: SeriesId,
  head: SeriesHead,
  { body, unread = [], fetchedAt, readAt, source }: {
    readonly body: readonly DailyValue[];
    readonly unread?: readonly UnreadRow[] | undefined;
    readonly fetchedAt: number;
    readonly readAt: number;
    readonly source: string;
  },
): SeriesHead | null {
  const { days, tail, decisions = [], origin } = head;
  if (days === null || tail === undefined || unread.length > 0) return null;
  const firstDay = days.newest - tail.values.length + 1;
  const stored = { firstDay, values: tail.values };
  const read = seriesOf(body.filter(({ day }) => day >= firstDay));
  const added = read.values.length - tail.values.length;
  const newest = days.newest + added;
  const at = Math.max(readAt, head.fetchedAt + 1, head.changedAt + 1);
  const today = dayAt(at);
  const old = tail.values.at(-1)!;
  const grown = valueOn(read, days.newest);
  const isGrown = grown !== old;
  // The clock may have been set back since.
  const isLater = head.fetchedAt <= fetchedAt + CLOCK_SKEW_MS;
  const isPlain = isLater && read.firstDay === firstDay && added >= 0 &&
    !read.values.some((value) => Number.isNaN(value)) &&
    tail.values.every((value, slot) =>
      slot === tail.values.length - 1 || Object.is(value, read.values[slot])
    ) &&
    // Its change is no revision, and no day of another series depends on it.
    (!isGrown ||
      old > 0 && grown > 0 && days.newest > today + 1 - QUIET_DAYS) &&
    // These days were not inferred.
    (added === 0 || days.newest >= inferableThrough(today)) &&
    tail.seenAt.length + added <= MAX_ADDED &&
    yearOf(newest - tail.seenAt.length - added) === yearOf(newest) &&
    // The values that new ones are compared with are all there.
    (!hasUnit(id) || tail.values.every((value) => value > 0)) &&
    judgeDays(id, body, { stored, activity: EMPTY_SERIES, decisions })
        .length === 0;
  if (!isPlain) return null;
  const isChanged = isGrown || added > 0;
  const nextDays = { ...days, newest };
  return {
    ...head,
    days: nextDays,
    fetchedAt: Math.max(head.fetchedAt, fetchedAt),
    newestAt: newestAtOf(head, nextDays, { fetchedAt, origin }),
    changedAt: isChanged ? at : head.changedAt,
    source,
    tail: {
      values: read.values.slice(-TAIL_LENGTH),
      seenAt: [...tail.seenAt, ...Array<number>(added).fill(at)],
    },
  };
}
