/** How the sources of a checked series are read for a query. */
import {
  currentReads,
  earlierReads,
  type SourceReads,
} from "./checked_sources.ts";
import { checkedWindow } from "./checks.ts";
import type { SecondSourceDeps } from "./deps.ts";
import { dayAt, type Interval } from "../../platform/days.ts";
import { checkDays } from "../series/window.ts";
import type { FreshnessOptions } from "../../platform/cache/read_through.ts";
import { readSeries, waitsUntil } from "../series/series_reader.ts";
import { instantOf } from "../series/vintages.ts";
import type { TotalsQuery } from "./checked_series_schema.ts";

/** The reads of a query, and the instants that its answer is about. */
interface QueriedReads {
  readonly reads: SourceReads;
  /** Unix time of the request, in milliseconds. */
  readonly now: number;
  /** The `asOf` of the query, in milliseconds; null if the answer is about now. */
  readonly instant: number | null;
  /** The UTC day of the answer. */
  readonly today: number;
}

/**
 * Returns how the sources are read for a query. Our source is refreshed only if
 * the requested days need it. Throws a fault if the days or `asOf` are not
 * accepted.
 */
export function readsFor(
  deps: Pick<
    SecondSourceDeps,
    "log" | "now" | "runningJobs" | "share" | "sleep" | "store" | "upstream"
  >,
  { query, interval }: {
    readonly query: Omit<TotalsQuery, "interval">;
    readonly interval: Interval;
  },
  freshness: FreshnessOptions,
): QueriedReads {
  const now = deps.now().getTime();
  const instant = instantOf("asOf", query.asOf, now);
  const today = dayAt(instant ?? now);
  checkDays(query, today);
  const options = { ...freshness, waitUntil: waitsUntil(deps) };
  const reads = instant === null
    ? currentReads(deps, (id) =>
      readSeries(
        deps,
        id,
        options,
        (series) => checkedWindow(series, { query, interval, today }),
      ))
    : earlierReads(deps, instant);
  return { reads, now, instant, today };
}
