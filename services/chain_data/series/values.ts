/** The values of a metric: published days, and those that are inferred. */
import { type Metric, METRICS } from "../catalogue/metrics_schema.ts";
import {
  inferableThrough,
  lastActiveDay,
  withInferredDays,
  withSecondSource,
} from "./inferred_days.ts";
import { type DailySeries, newestDay } from "./series.ts";
import { type MetricsSeriesId, storedIdOf } from "../catalogue/series_id.ts";
import { valuesOf } from "./derived_days.ts";

/** A daily series and the name of its source; instants in epoch ms. */
export interface SourcedSeries {
  readonly series: DailySeries;
  readonly source: string;
  readonly fetchedAt: number;
  readonly changedAt: number;
  /** When it was last known that the source has no newer day; `fetchedAt` if absent. */
  readonly confirmedAt?: number;
  /** Start of the hour in which caches may keep an answer; `fetchedAt` if absent. */
  readonly validAt?: number;
}

/** A series that was read, with all its instants. */
export type ReadValues = Required<SourcedSeries>;

/** How series are read: now, or as of an instant. */
export interface SeriesReads {
  /** The day of the answer. */
  readonly today: number;
  /** Reads a series. */
  readonly read: (id: MetricsSeriesId) => Promise<ReadValues>;
  /** Reads a series of any age. */
  readonly readStored: (
    id: MetricsSeriesId,
  ) => Promise<Pick<ReadValues, "series" | "changedAt">>;
  /** Reads a chain's transactions in the second source; null if it was not read. */
  readonly readSecond: (
    chainId: number,
  ) => Promise<Pick<ReadValues, "series" | "changedAt"> | null>;
  /** Reads the newest day that upstream has published for the C-Chain, and since when. */
  readonly readPublished: () => Promise<
    { readonly newestDay: number; readonly publishedAt: number }
  >;
}

/** All days of a metric, with those that are inferred. */
export interface FoundValues extends ReadValues {
  /** Days without a value up to this day are gaps, even after the last published one. */
  readonly gapsThrough?: number;
  /** When another series last changed that decides which days are inferred; absent if none is. */
  readonly inferredFromAt?: number | undefined;
}

/**
 * Finds the values of a metric of a chain. If it ended long before the newest day
 * that upstream has published, the chain's `txCount` distinguishes a chain that went
 * quiet from a metric that upstream lacks, for which it returns null. The result
 * does not depend on the window, so each day has one value.
 */
export async function findValues(
  { today, read, readStored, readSecond, readPublished }: SeriesReads,
  { metric, chainId }: { readonly metric: Metric; readonly chainId: number },
): Promise<FoundValues | null> {
  const stored = valuesOf(metric, await read(storedIdOf({ chainId, metric })));
  // Passed on as `updatedAfter`, it is not before a change that the values include.
  const fetchedAt = Math.max(stored.fetchedAt, stored.changedAt);
  const found = { ...stored, fetchedAt };
  const newest = newestDay(found.series);
  // Upstream publishes no day after tomorrow.
  if (newest !== null && newest > inferableThrough(today + 1)) return found;

  const published = await readPublished();
  const through = inferableThrough(published.newestDay);
  if (newest !== null && newest > through) return found;
  const [active, second] = await Promise.all([
    metric === "txCount"
      ? found
      : readStored({ subject: chainId, metric: "txCount" }),
    readSecond(chainId),
  ]);
  const txCount = withSecondSource(active.series, second?.series);
  if (newest === null && lastActiveDay(txCount) !== null) return null;
  const newestTx = newestDay(txCount) ?? -Infinity;
  const inferredFromAt = Math.max(
    metric === "txCount" ? 0 : active.changedAt,
    second?.changedAt ?? 0,
  );
  return {
    ...found,
    series: withInferredDays(found.series, {
      kind: METRICS[metric].kind,
      txCount,
      through,
    }),
    gapsThrough: Math.min(newestTx, through),
    changedAt: Math.max(
      found.changedAt,
      inferredFromAt,
      published.publishedAt,
    ),
    inferredFromAt,
  };
}
