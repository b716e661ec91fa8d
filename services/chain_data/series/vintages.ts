/** Reads series as they were stored at an earlier instant. No upstream is called. */
import { firstInstant, seriesAsOf } from "./as_of.ts";
import { UPSTREAM_FRESH_MS } from "../../platform/cache/freshness.ts";
import { CLOCK_SKEW_MS } from "../../platform/clock.ts";
import { dayAt } from "../../platform/days.ts";
import { Fault, invalidParameter } from "../../platform/fault.ts";
import { ofUpstream } from "../../platform/http/origin.ts";
import type { ChainDataDeps } from "../deps.ts";
import { newestDay } from "./series.ts";
import { CANARY } from "./series_freshness.ts";
import { nameSeries, type SeriesId } from "../catalogue/series_id.ts";
import type { StoredSeries } from "./stored_series.ts";
import type { ReadValues, SeriesReads } from "./values.ts";

type VintageDeps = Pick<ChainDataDeps, "now" | "store" | "upstream">;

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

/** Returns a given instant in epoch ms; null if none is given. Throws a fault if it is after `now`. */
export function instantOf(
  parameter: "asOf" | "updatedAfter" | "since",
  given: string | undefined,
  now: number,
): number | null {
  if (given === undefined) return null;
  const instant = Date.parse(given);
  if (instant <= now) return instant;
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
    const origin = id.subject === "explorer-index"
      ? upstream.explorer
      : upstream.metrics;
    const found = ofUpstream(origin, await store.series.find(id));
    if (found === null || found.wholeAt === 0) {
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
