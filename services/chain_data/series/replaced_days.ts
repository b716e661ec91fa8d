/** Inferred days that a chain publishes after all: their values are kept as revisions. */
import { METRICS } from "../catalogue/metrics_schema.ts";
import type { ChainDataDeps } from "../deps.ts";
import { dayAt } from "../../platform/days.ts";
import { inferableThrough, isInferable } from "./inferred_days.ts";
import type { MetricsSeriesId } from "../catalogue/series_id.ts";
import {
  type DailySeries,
  EMPTY_SERIES,
  newestDay,
  pointsOf,
} from "./series.ts";

/**
 * Finds the days of a read that were inferred before, with their inferred values,
 * if these differ. `published` is the newest day of the C-Chain before the read.
 */
export async function findReplacedDays(
  { store }: Pick<ChainDataDeps, "store">,
  id: MetricsSeriesId,
  { before, after, published, readAt }: {
    before: DailySeries;
    after: DailySeries;
    published: number | null;
    readAt: number;
  },
): Promise<ReadonlyMap<number, number>> {
  if (id.subject === "primary-network" || published === null) return new Map();
  const last = newestDay(before) ?? -Infinity;
  const isRunning = METRICS[id.metric].kind === "running total";
  const inferred = isRunning ? before.values.at(-1) ?? 0 : 0;
  const through = Math.min(inferableThrough(published), dayAt(readAt));
  const changed = pointsOf(after).filter(({ day, value }) =>
    last < day && day <= through && value !== inferred
  );
  if (changed.length === 0) return new Map();
  const wasIdle = await readIdleDays({ store }, id);
  return new Map(
    changed.filter(({ day }) => wasIdle(day)).map(({ day }) => [day, inferred]),
  );
}

/** Returns whether `txCount` let a day be inferred. It may itself have been replaced just now. */
async function readIdleDays(
  { store }: Pick<ChainDataDeps, "store">,
  { subject, metric }: Extract<MetricsSeriesId, { subject: number }>,
): Promise<(day: number) => boolean> {
  if (metric === "txCount") return () => true;
  const txCount =
    (await store.series.find({ subject, metric: "txCount" }))?.series ??
      EMPTY_SERIES;
  return (day) => txCount.revised?.has(day) || isInferable(txCount, day);
}
