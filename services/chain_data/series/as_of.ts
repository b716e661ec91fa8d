/** A series as it was stored at an earlier instant, from its values and its logs. */
import { decodeLog, type YearLog } from "./revision_log_codec.ts";
import { cutAt, revisedDays } from "./revision_log.ts";
import {
  type DailySeries,
  EMPTY_SERIES,
  newestDay,
  valueOn,
} from "./series.ts";
import { joinRuns } from "./withdrawals.ts";

/** A stored series with its logs; instants in epoch ms. */
interface RecordedSeries {
  readonly series: DailySeries;
  readonly logs: readonly YearLog[];
  /** When the whole series was first stored. */
  readonly since: number;
}

/** A series at an earlier instant. */
interface EarlierSeries {
  readonly series: DailySeries;
  /** When it had last changed, in epoch ms. */
  readonly changedAt: number;
}

/** Returns the first instant for which the logs record the series, in epoch ms. */
export function firstInstant({ logs, since }: RecordedSeries): number {
  return Math.max(since, ...logs.map((log) => cutAt(decodeLog(log))));
}

/**
 * Returns a series as it was stored at an instant. The newest day has the value that
 * it grew to since, because growth of an incomplete day is not recorded.
 */
export function seriesAsOf(
  { series, logs, since }: RecordedSeries,
  instant: number,
): EarlierSeries {
  /** Values that days had then, and whether they were withdrawn, where they differ from now. */
  const values = new Map<number, number>();
  const marked = new Map<number, boolean>();
  let changedAt = since;
  for (const log of logs) {
    for (const { at, events } of decodeLog(log).entries) {
      if (at <= instant) {
        changedAt = Math.max(changedAt, at);
        continue;
      }
      // The first event of a day after the instant holds the value that the day had then.
      for (const event of events) {
        if (event.kind === "published") continue;
        if ("from" in event) {
          const { kind, from, to } = event;
          for (let day = from; day <= to; day++) {
            if (kind !== "seen") setOnce(marked, day, kind === "cleared");
            else setOnce(values, day, NaN);
          }
        } else setOnce(values, event.day, event.old);
      }
    }
  }
  const revised = revisedDays(logs, instant);
  const withdrawn = withdrawnThen(series.withdrawn, marked);
  const earlier: DailySeries = {
    ...withValues(series, values),
    ...withdrawn.length > 0 && { withdrawn },
    ...revised.size > 0 && { revised },
  };
  return { series: earlier, changedAt };
}

/** Returns a series in which some days have other values. */
function withValues(
  series: DailySeries,
  changed: ReadonlyMap<number, number>,
): DailySeries {
  if (changed.size === 0) {
    const { firstDay, values } = series;
    return { firstDay, values };
  }
  const first = Math.min(
    series.values.length > 0 ? series.firstDay : Infinity,
    ...changed.keys(),
  );
  const last = Math.max(newestDay(series) ?? -Infinity, ...changed.keys());
  const values = Float64Array.from(
    { length: last - first + 1 },
    (_, slot) => valueOn(series, first + slot),
  );
  for (const [day, value] of changed) values[day - first] = value;
  const start = values.findIndex((value) => !Number.isNaN(value));
  if (start === -1) return EMPTY_SERIES;
  const end = values.findLastIndex((value) => !Number.isNaN(value));
  return { firstDay: first + start, values: values.slice(start, end + 1) };
}

/** Returns the runs of days that were withdrawn. */
function withdrawnThen(
  now: DailySeries["withdrawn"] = [],
  marked: ReadonlyMap<number, boolean>,
): { from: number; to: number }[] {
  const days = new Set<number>();
  for (const { from, to } of now) {
    for (let day = from; day <= to; day++) days.add(day);
  }
  for (const [day, isWithdrawn] of marked) {
    if (isWithdrawn) days.add(day);
    else days.delete(day);
  }
  const ordered = [...days].sort((a, b) => a - b);
  return joinRuns(ordered.map((day) => ({ from: day, to: day })));
}

function setOnce<K, V>(map: Map<K, V>, key: K, value: V): void {
  if (!map.has(key)) map.set(key, value);
}
