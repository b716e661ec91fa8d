/** Job: fetches the explorer series, the second source of transactions, fees and blocks. */
import { recordDisputes } from "../services/chain_data/checks/disputes.ts";
import type { ChainDataDeps } from "../services/chain_data/deps.ts";
import { Fault } from "../services/platform/fault.ts";
import { EXPLORER_METRICS } from "../services/chain_data/catalogue/series_id.ts";
import {
  fetchNewDays,
  recheckDays,
} from "../services/chain_data/checks/explorer_series.ts";
import type { RunContext } from "../services/platform/jobs/job_run.ts";
import { jobCallOptions } from "../services/platform/cache/read_through.ts";

/**
 * Fetches new days of every explorer series and rechecks a part of the old ones.
 * If a series fails, the run continues with the others and fails at its end.
 */
export async function crossCheck(
  deps: ChainDataDeps,
  { proceed }: RunContext,
): Promise<string> {
  let checked = 0;
  let fault: Fault | null = null;
  for (const metric of EXPLORER_METRICS) {
    try {
      for (const fetchSome of [fetchNewDays, recheckDays]) {
        if (!await proceed()) return `stopped after ${checked} series`;
        // The calls of an item share one timeout, so that its lease outlasts it.
        const options = jobCallOptions();
        await fetchSome(deps, metric, () => options);
      }
      checked++;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      fault ??= error;
    }
  }
  await recordDisputes(deps);
  if (fault) throw fault;
  return `${checked} series checked`;
}
