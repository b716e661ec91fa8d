/** Job: refreshes the daily series of the Metrics API. */
import { readChainList } from "../services/chain_data/chains.ts";
import {
  C_CHAIN,
  METRIC_NAMES,
} from "../services/chain_data/metrics_schema.ts";
import type { ChainDataDeps } from "../services/chain_data/deps.ts";
import { UPSTREAM_FRESH_MS } from "../services/platform/cache/freshness.ts";
import type { RunContext } from "../services/platform/jobs/job_run.ts";
import { jobCallOptions } from "../services/platform/cache/read_through.ts";
import {
  type MetricsSeriesId,
  STAKING_METRICS,
} from "../services/chain_data/series/series_id.ts";
import { refreshSeries } from "../services/chain_data/series/series_reader.ts";

/** Maximum number of series per run. 24 runs stay below the job's share of upstream's daily limit. */
const MAX_SERIES = 400;

/** Age at which a series is due. It would not be fresh any more at the next run. */
const DUE_MS = UPSTREAM_FRESH_MS / 2;

/** Consecutive failures after which the run stops. */
const MAX_FAILURES = 5;

/**
 * Refreshes all due series: those of the C-Chain and the Primary Network first,
 * then the least recently attempted ones. The time of the last attempt is the
 * cursor, so the next run continues after a killed one, and a series that always
 * fails does not block others.
 */
export async function refreshAllSeries(
  deps: ChainDataDeps,
  { proceed }: RunContext,
): Promise<string> {
  const due = await listDue(deps);
  let refreshed = 0;
  let failures = 0;
  let failuresInRow = 0;
  for (const id of due.slice(0, MAX_SERIES)) {
    if (!await proceed()) break;
    try {
      await refreshSeries(deps, id, jobCallOptions());
      refreshed++;
      failuresInRow = 0;
    } catch (error) {
      await deps.store.series.putFailure(id, deps.now().getTime());
      failures++;
      failuresInRow++;
      if (failuresInRow === MAX_FAILURES) throw error;
    }
  }
  return `${refreshed} series read, ${failures} failed, ${
    due.length - refreshed
  } still due`;
}

/** Lists the due series in that order. */
async function listDue(deps: ChainDataDeps): Promise<MetricsSeriesId[]> {
  const { chains } = await readChainList(deps, { maxStaleMs: Infinity });
  const ids: MetricsSeriesId[] = [
    ...STAKING_METRICS.map((metric) => ({
      subject: "primary-network" as const,
      metric,
    })),
    ...chains.flatMap(({ chainId }) =>
      METRIC_NAMES.map((metric) => ({ subject: chainId, metric }))
    ),
  ];
  const attemptedAt = await deps.store.series.listLastAttempts(ids);
  const now = deps.now().getTime();
  return ids
    .map((id, index) => ({ id, attemptedAt: attemptedAt[index] ?? -Infinity }))
    .filter(({ attemptedAt }) => Math.abs(now - attemptedAt) >= DUE_MS)
    .sort((a, b) =>
      Number(isFirst(b.id)) - Number(isFirst(a.id)) ||
      Number(a.attemptedAt > b.attemptedAt) -
        Number(a.attemptedAt < b.attemptedAt)
    )
    .map(({ id }) => id);
}

/** Most requests are for the C-Chain and the Primary Network. */
function isFirst({ subject }: MetricsSeriesId): boolean {
  return subject === C_CHAIN || subject === "primary-network";
}
