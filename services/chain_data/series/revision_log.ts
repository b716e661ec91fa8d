/** Reads from the logs of a series which values a write changed, and which days were revised. */
import { dayAt, yearOf } from "../../platform/days.ts";
import { QUIET_DAYS } from "./inferred_days.ts";
import {
  appendEntries,
  type Cause,
  type ChangeEvent,
  type DecodedLog,
  decodeLog,
  hasRevisions,
  type LogEvent,
  type RunEvent,
  visitRevisions,
  type YearLog,
} from "./revision_log_codec.ts";
import {
  type DailySeries,
  isEmpty,
  newestDay,
  sameSeries,
  valueOn,
} from "./series.ts";
import { isWithdrawnBy, type Withdrawal } from "./withdrawals.ts";
import { maxOf, minOf } from "../../platform/numbers.ts";

/** A revised value of a day. */
export interface Revision {
  readonly day: number;
  /** The value before and after; null for none. */
  readonly from: number | null;
  readonly to: number | null;
  /** When the service read the new value, in epoch ms. */
  readonly seenAt: number;
  readonly cause: Exclude<Cause, "growth">;
}

/** A series with its logs. */
interface LoggedSeries {
  readonly series: DailySeries;
  readonly withdrawals?: readonly Withdrawal[];
  readonly logs: readonly YearLog[];
}

/** A write of a series. */
interface Write {
  readonly next: Omit<LoggedSeries, "logs">;
  /** Later than every logged write; epoch ms. */
  readonly at: number;
  /** Inferred values that published ones replace, by day. */
  readonly inferred: ReadonlyMap<number, number>;
  /** Whether the series decides which days of other series are inferred. */
  readonly isTxCount: boolean;
}

/** Returns the logs that a write changes. */
export function logWrite(held: LoggedSeries, write: Write): YearLog[] {
  const events = [
    ...valueEvents(held, write),
    ...markEvents(held.withdrawals, write.next.withdrawals),
  ];
  const { logs } = held;
  const { at } = write;
  const byYear = Map.groupBy(
    events,
    (event) => yearOf("from" in event ? event.from : event.day),
  );
  return Array.from(
    byYear,
    ([year, events]) =>
      appendEntries(year, logs.find((log) => log.year === year), [
        { at, events },
      ]),
  );
}

/** Lists the days that a write first sees, and the values that it changes. */
function valueEvents(
  { series: before, logs }: LoggedSeries,
  { next: { series: after }, at, inferred, isTxCount }: Write,
): LogEvent[] {
  if (sameSeries(before, after)) return [];
  const seen = seenDays(logs);
  const highest = maxOf(seen);
  const today = dayAt(at);
  const newest = newestDay(before) ?? -Infinity;
  // The newest day of the C-Chain is tomorrow at the latest. A newest day that is
  // `QUIET_DAYS` behind that may be final, so a change of it is a revision.
  const settled = today + 1 - QUIET_DAYS;
  const [first, last] = spanOf(before, after);
  const added: number[] = [];
  const changes: ChangeEvent[] = [];
  for (let day = first; day <= last; day++) {
    const old = valueOn(before, day);
    const value = valueOn(after, day);
    if (Object.is(old, value)) continue;
    if (Number.isNaN(old)) {
      if (seen.has(day)) changes.push({ kind: "returned", day, old });
      else added.push(day);
      const guess = inferred.get(day);
      if (guess !== undefined) {
        changes.push({ kind: "published", day, old: guess });
      }
      continue;
    }
    const wasComplete = day < today && (day < newest || day <= settled);
    if (isWithdrawnBy(value, old)) {
      changes.push({ kind: "withdrawn", day, old });
    } else if (wasComplete) changes.push({ kind: "restated", day, old });
    // Answers as of an earlier instant need two kinds of growth: growth of a day that
    // was complete before later days were withdrawn, and growth of `txCount` from 0. The
    // latter decides whether other series are inferred.
    else if (day < highest || (isTxCount && old === 0)) {
      changes.push({ kind: "growth", day, old });
    }
  }
  return [...runsOf("seen", added), ...changes];
}

/** Lists the days that a write begins or ceases to mark as withdrawn. */
function markEvents(
  before: readonly Withdrawal[] = [],
  after: readonly Withdrawal[] = [],
): LogEvent[] {
  if (before.length === 0 && after.length === 0) return [];
  const [old, now] = [daysOf(before), daysOf(after)];
  return [
    ...runsOf("marked", now.difference(old)),
    ...runsOf("cleared", old.difference(now)),
  ];
}

/** Returns the days that were ever seen. */
export function seenDays(logs: readonly YearLog[]): Set<number> {
  const seen = new Set<number>();
  for (const log of logs) {
    for (const { events } of decodeLog(log).entries) {
      for (const event of events) {
        if (event.kind !== "seen") continue;
        for (let day = event.from; day <= event.to; day++) seen.add(day);
      }
    }
  }
  return seen;
}

/** Returns when each revised day was last revised until an instant, in epoch ms. */
export function revisedDays(
  logs: readonly YearLog[],
  until = Infinity,
): ReadonlyMap<number, number> {
  const revised = new Map<number, number>();
  for (const log of logs) {
    visitRevisions(log, (day, at) => {
      if (at <= until) revised.set(day, at);
    });
  }
  return revised;
}

/** Lists the revisions of a series in the order they were seen. */
export function listRevisions({ series, logs }: LoggedSeries): Revision[] {
  const revisions: Revision[] = [];
  for (const log of logs) {
    if (!hasRevisions(log)) continue;
    /** The new value of a revised day: the old value of its next event. */
    const became = new Map<number, number>();
    const { entries } = decodeLog(log);
    for (const { at, events } of entries.toReversed()) {
      for (const event of events.toReversed()) {
        if ("from" in event) continue;
        const { day, old } = event;
        const to = became.get(day) ?? valueOn(series, day);
        // The old value of a published event was inferred and never stored.
        if (event.kind !== "published") became.set(day, old);
        if (isRevision(event)) {
          revisions.push({
            day,
            from: nullable(old),
            to: nullable(to),
            seenAt: at,
            cause: event.kind,
          });
        }
      }
    }
  }
  return withoutReturns(revisions).sort((a, b) =>
    a.seenAt - b.seenAt || a.day - b.day
  );
}

/** A published day whose value was inferred meanwhile is one revision, not two. */
function withoutReturns(revisions: readonly Revision[]): Revision[] {
  const published = new Set(
    revisions.filter(({ cause }) => cause === "published")
      .map(({ day, seenAt }) => `${day} ${seenAt}`),
  );
  return revisions.filter(({ cause, day, seenAt }) =>
    cause !== "returned" || !published.has(`${day} ${seenAt}`)
  );
}

/** Returns whether an event is a revision. */
function isRevision(
  event: LogEvent,
): event is ChangeEvent & { readonly kind: Revision["cause"] } {
  return !("from" in event) && event.kind !== "growth";
}

/**
 * Returns the instant from which on a log is complete, in epoch ms; -Infinity
 * if no entry was dropped.
 */
export function cutAt({ isCut, entries }: DecodedLog): number {
  return isCut ? entries[0]!.at : -Infinity;
}

function nullable(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

function spanOf(a: DailySeries, b: DailySeries): [first: number, last: number] {
  const all = [a, b].filter((series) => !isEmpty(series));
  return [
    minOf(all.map(({ firstDay }) => firstDay)),
    maxOf(all.map((series) => newestDay(series)!)),
  ];
}

function daysOf(withdrawals: readonly Withdrawal[]): Set<number> {
  return new Set(
    withdrawals.flatMap(({ from, to }) =>
      Array.from({ length: to - from + 1 }, (_, nth) => from + nth)
    ),
  );
}

/** Joins days to runs within years. The days are in order. */
function runsOf(
  kind: RunEvent["kind"],
  days: Iterable<number>,
): RunEvent[] {
  const runs: RunEvent[] = [];
  for (const day of days) {
    const last = runs.at(-1);
    const isNext = last?.to === day - 1 && yearOf(last.from) === yearOf(day);
    if (isNext) runs[runs.length - 1] = { ...last, to: day };
    else runs.push({ kind, from: day, to: day });
  }
  return runs;
}
