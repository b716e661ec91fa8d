/** Reads series as they were stored at an earlier instant. No upstream is called. */
import { UPSTREAM_FRESH_MS } from "../../platform/cache.ts";
import { CLOCK_SKEW_MS } from "../../platform/clock.ts";
import { dayAt } from "../../platform/days.ts";
import { Fault, invalidParameter } from "../../platform/fault.ts";
import { ofUpstream } from "../../platform/http/upstream_answer.ts";
import type { StoredSeriesDeps } from "./deps.ts";
import {
  type DailySeries,
  EMPTY_SERIES,
  newestDay,
  valueOn,
} from "./series.ts";
import { laterActive } from "./inferred_days.ts";
import { CANARY } from "./series_freshness.ts";
import {
  indexSeriesId,
  isOfIndex,
  nameSeries,
  nodeSeriesId,
  type SeriesId,
} from "../catalogue/series_id.ts";
import type { StoredSeries } from "./stored_series.ts";
import type { ReadValues, SeriesReads } from "./values.ts";
import { decodeLog, type YearLog } from "./revision_log_codec.ts";
import { cutAt, revisedDays } from "./revision_log.ts";
import { joinRuns } from "./withdrawals.ts";
import { maxOf, minOf } from "../../platform/numbers.ts";

type VintageDeps = Pick<StoredSeriesDeps, "now" | "store" | "upstream">;

/** The fault of an instant before the record of a series begins. */
export class NotRecorded extends Fault {
  /** Creates the fault; `first` is the first recorded instant in epoch ms, null without any. */
  constructor(id: SeriesId, instant: number, first: number | null) {
    const expected = first === null
      ? `none, because ${nameSeries(id)} was never stored whole`
      : `an instant from ${showInstant(first)} on, the first one that the ` +
        `service has recorded of ${nameSeries(id)}`;
    super(`Invalid asOf "${showInstant(instant)}": expected ${expected}`, {
      kind: "badInput",
      parameter: "asOf",
    });
  }
}

/**
 * Returns a given instant in epoch ms; null if none is given. Throws a fault if it is
 * after `now`. It may come from a process whose clock is ahead.
 */
export function instantOf(
  parameter: "asOf" | "updatedAfter" | "since",
  given: string | undefined,
  now: number,
): number | null {
  if (given === undefined) return null;
  const instant = Date.parse(given);
  if (instant <= now + CLOCK_SKEW_MS) return instant;
  throw invalidParameter(
    parameter,
    given,
    `an instant up to ${showInstant(now)}`,
  );
}

/**
 * Returns whether the answer as of an instant never changes. In the first minute
 * another process, whose clock is behind, may still write something earlier.
 */
export function isFinal(instant: number | null, now: number): boolean {
  return instant !== null && now - instant > CLOCK_SKEW_MS;
}

/**
 * Reads series as they were stored at an instant. Throws `NotRecorded` with the
 * first instant at which all of them are recorded.
 */
export async function readSeriesAsOf(
  { now, store, upstream }: VintageDeps,
  ids: readonly SeriesId[],
  instant: number,
): Promise<ReadValues[]> {
  const stored = await Promise.all(ids.map(async (id) => {
    const source = sourceOf(upstream, id);
    const stored = source && await store.series.find(id);
    const found = stored && ofUpstream(source, stored);
    if (!found || found.wholeAt === 0) {
      throw new NotRecorded(id, instant, null);
    }
    return { id, found, first: firstInstant(found) };
  }));
  const last = stored.toSorted((a, b) => b.first - a.first)[0]!;
  if (instant < last.first) {
    throw new NotRecorded(last.id, instant, last.first);
  }
  const nowMs = now().getTime();
  const validAt = isFinal(instant, nowMs)
    ? nowMs
    : nowMs - UPSTREAM_FRESH_MS + CLOCK_SKEW_MS;
  return stored.map(({ found }) => ({
    ...valuesAsOf(found, instant),
    validAt,
  }));
}

/** Reads a series as it was stored at an instant; null if it was not recorded yet. */
export async function findSeriesAsOf(
  deps: VintageDeps,
  id: SeriesId,
  instant: number,
): Promise<ReadValues | null> {
  try {
    return (await readSeriesAsOf(deps, [id], instant))[0]!;
  } catch (error) {
    if (error instanceof NotRecorded) return null;
    throw error;
  }
}

/** Returns where a series is read; undefined for a node that is not set. */
function sourceOf(
  { metrics, explorer, chainNodes }: VintageDeps["upstream"],
  id: SeriesId,
): { readonly baseUrl: string } | undefined {
  if (isOfIndex(id)) return explorer;
  const { subject } = id;
  if (typeof subject === "string" && subject.startsWith("own-node/")) {
    return chainNodes.get(Number(subject.split("/")[1]));
  }
  return { baseUrl: metrics.baseUrlOf(id) };
}

/**
 * Returns the values of a stored series at an instant. The time of the last read before
 * that instant is not recorded.
 */
function valuesAsOf(
  stored: StoredSeries,
  instant: number,
): Omit<ReadValues, "validAt"> {
  const { series, changedAt } = seriesAsOf(stored, instant);
  return {
    series,
    changedAt,
    fetchedAt: changedAt,
    confirmedAt: changedAt,
    source: stored.source,
  };
}

/** Returns how to read series as of an instant. */
export function earlierReads(deps: VintageDeps, instant: number): SeriesReads {
  const read = async (id: SeriesId) =>
    (await readSeriesAsOf(deps, [id], instant))[0]!;
  return {
    today: dayAt(instant),
    read,
    readStored: read,
    async readSecond(chainId) {
      const ids = [indexSeriesId(chainId, "txCount"), nodeSeriesId(chainId)];
      const [indexed, atNode] = await Promise.all(
        ids.map((id) => findSeriesAsOf(deps, id, instant)),
      );
      return laterActive(indexed!, atNode!);
    },
    async readPublished() {
      const { series, changedAt } = await read(CANARY);
      return {
        newestDay: newestDay(series) ?? -Infinity,
        publishedAt: changedAt,
      };
    },
  };
}

function showInstant(ms: number): string {
  return new Date(ms).toISOString();
}

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
function firstInstant({ logs, since }: RecordedSeries): number {
  return Math.max(since, maxOf(logs.map((log) => cutAt(decodeLog(log)))));
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
    minOf(changed.keys()),
  );
  const last = Math.max(newestDay(series) ?? -Infinity, maxOf(changed.keys()));
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
