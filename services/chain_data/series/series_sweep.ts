/** Reads the series that are due, one after the other. */
import type { CallOptions } from "../../platform/rate_limit/call_budget.ts";
import { readChainList } from "../catalogue/chains.ts";
import type { ChainDataDeps } from "../deps.ts";
import type { Publication, Sweep } from "./publications_store.ts";
import {
  isSweepDue,
  listSeries,
  type PlannedRead,
  planReads,
  seriesOfChain,
} from "./refresh_plan.ts";
import { type MetricsSeriesId, nameSeries } from "../catalogue/series_id.ts";
import { refreshSeries } from "./series_reader.ts";
import type { SeriesState } from "./stored_series.ts";

type SweepDeps = Pick<ChainDataDeps, "now" | "share" | "store" | "upstream">;

/** Plans the reads that are due now, from the store. */
export async function findPlan(
  deps: SweepDeps,
  publication: Publication,
): Promise<PlannedRead[]> {
  const { store, now } = deps;
  const { chains } = await readChainList(deps, { maxStaleMs: Infinity });
  const chainIds = chains.map(({ chainId }) => chainId);
  const sweep = await store.publications.findSweep();
  const failures = await store.series.listFailures();
  const states = isSweepDue(publication, sweep)
    ? await findStates(deps, listSeries(chainIds))
    : await findLateStates(deps, { chainIds, failures, sweep: sweep! });
  return planReads({
    publication,
    sweep,
    chainIds,
    states,
    failures,
    now: now().getTime(),
  });
}

/**
 * Finds the states that matter after a sweep: the hourly series, the `txCount` of
 * every chain, all series of chains that are new or have published since, and those
 * that failed.
 */
async function findLateStates(
  deps: SweepDeps,
  { chainIds, failures, sweep }: {
    readonly chainIds: readonly number[];
    readonly failures: ReadonlyMap<string, number>;
    readonly sweep: Sweep;
  },
): Promise<Map<string, SeriesState | null>> {
  const txCounts = chainIds.map((subject) =>
    ({ subject, metric: "txCount" }) as const
  );
  const states = await findStates(deps, [...listSeries([]), ...txCounts]);
  const published = txCounts.filter((id) => {
    const state = states.get(nameSeries(id));
    return !state || (state.newestAt ?? 0) >= sweep.finishedAt;
  });
  const failed = listSeries(chainIds).filter((id) =>
    failures.has(nameSeries(id))
  );
  const more = await findStates(deps, [
    ...published.flatMap(({ subject }) => seriesOfChain(subject)),
    ...failed,
  ]);
  return new Map([...states, ...more]);
}

async function findStates(
  { store, upstream }: SweepDeps,
  ids: readonly MetricsSeriesId[],
): Promise<Map<string, SeriesState | null>> {
  const { baseUrl } = upstream.metrics;
  const states = await store.series.listStates(ids, baseUrl);
  return new Map(ids.map((id, nth) => [nameSeries(id), states[nth]!]));
}

/** Reads a series. A failure is recorded, so that others are read first. */
export async function readPlanned(
  deps: SweepDeps,
  { id, isWhole }: Pick<PlannedRead, "id" | "isWhole">,
  options: CallOptions,
): Promise<void> {
  const { store, now } = deps;
  try {
    await refreshSeries(deps, id, { ...options, isWhole });
  } catch (error) {
    await store.series.putFailure(id, now().getTime());
    throw error;
  } finally {
    await store.readQueue.remove(id);
  }
}
