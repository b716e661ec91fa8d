/** The two sources of each checked series. */
import type { SecondSource, SourcedSeries } from "./checks.ts";
import { C_CHAIN } from "../metrics_schema.ts";
import type { ChainDataDeps } from "../deps.ts";
import type { CheckName } from "./check_rules_schema.ts";
import { EMPTY_SERIES } from "../series/series.ts";
import type { ExplorerMetric, MetricsSeriesId } from "../series/series_id.ts";
import { lastTakenAt, sampledSeries, stakeSeries } from "../snapshots.ts";
import { findExplorerSeries } from "./explorer_series.ts";
import { findSeries } from "../series/series_reader.ts";
import { readStaking } from "../validators/staking_series.ts";

type SourceDeps = Pick<ChainDataDeps, "store" | "upstream">;

/** Reads a series of the Metrics API; null if it is not available. */
type ReadSeries = (id: MetricsSeriesId) => Promise<SourcedSeries | null>;

/** Returns a reader of stored series of any age. It calls no upstream. */
export function readStored(deps: SourceDeps): ReadSeries {
  return (id) => findSeries(deps, id);
}

interface Sources {
  readonly ours: (
    deps: SourceDeps,
    read: ReadSeries,
  ) => Promise<SourcedSeries | null>;
  readonly second: (deps: SourceDeps) => Promise<SecondSource>;
}

/** How to read each checked series and its second source. */
export const SOURCES: Record<CheckName, Sources> = {
  transactions: {
    ours: (_, read) => read({ subject: C_CHAIN, metric: "txCount" }),
    second: (deps) => indexSource(deps, "txCount"),
  },
  fees: {
    ours: (_, read) => read({ subject: C_CHAIN, metric: "feesPaid" }),
    second: (deps) => indexSource(deps, "feesPaid"),
  },
  blocks: {
    ours: (deps) => findExplorerSeries(deps, "blocks"),
    second: async ({ store, upstream }) => {
      const samples = await store.blockSamples.list();
      return {
        series: sampledSeries(samples),
        source: samples.at(-1)?.source ?? upstream.cChain.source,
        fetchedAt: lastTakenAt(samples),
        changedAt: lastTakenAt(samples),
      };
    },
  },
  stake: {
    ours: async (_, read) => (await readStaking(read))?.total ?? null,
    second: async ({ store, upstream }) => {
      const snapshots = await store.validatorDays.list();
      return {
        series: stakeSeries(snapshots),
        source: snapshots.at(-1)?.source ?? upstream.platformChain.source,
        fetchedAt: lastTakenAt(snapshots),
        changedAt: lastTakenAt(snapshots),
      };
    },
  },
};

async function indexSource(
  deps: SourceDeps,
  metric: ExplorerMetric,
): Promise<SecondSource> {
  const stored = await findExplorerSeries(deps, metric);
  const { source } = deps.upstream.explorer;
  return stored ??
    { series: EMPTY_SERIES, source, fetchedAt: null, changedAt: null };
}
