/** Both sources of each checked series, as far as they are stored or can be read. */
import type { SecondSource, SourcedSeries } from "./checks.ts";
import { C_CHAIN } from "../metrics_schema.ts";
import type { ChainDataDeps } from "../deps.ts";
import type { CheckName } from "./check_rules_schema.ts";
import { EMPTY_SERIES } from "../series/series.ts";
import type { ExplorerMetric, MetricsSeriesId } from "../series/series_id.ts";
import { sampledSeries, stakeSeries } from "../snapshots.ts";
import { findExplorerSeries } from "./explorer_series.ts";
import { findSeries } from "../series/series_reader.ts";
import { readStaking } from "../validators/staking_series.ts";

type SourceDeps = Pick<ChainDataDeps, "store" | "upstream">;

/** How a series of the Metrics API is come by; null where there is none. */
export type ReadSeries = (id: MetricsSeriesId) => Promise<SourcedSeries | null>;

/** Takes what is stored, however old, and asks no upstream. */
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

/** Where each checked series and its second source come from. */
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
        changedAt: latest(samples),
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
        changedAt: latest(snapshots),
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
  return stored ?? { series: EMPTY_SERIES, source, changedAt: null };
}

function latest(taken: readonly { takenAt: number }[]): number | null {
  if (taken.length === 0) return null;
  return Math.max(...taken.map(({ takenAt }) => takenAt));
}
