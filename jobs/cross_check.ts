/** The job that reads the second source of transactions, fees and blocks. */
import type { Deps } from "../services/deps.ts";
import { INDEX_METRICS } from "../services/domain/series_id.ts";
import { readNewDays, recheckDays } from "../services/index_days.ts";
import type { RunContext } from "../services/job_run.ts";
import { forJob } from "../services/read_through.ts";

/** Reads new days of every series of the explorer index, and a part of the old ones again. */
export async function crossCheck(
  deps: Deps,
  { proceed }: RunContext,
): Promise<string> {
  let checked = 0;
  for (const metric of INDEX_METRICS) {
    for (const readSome of [readNewDays, recheckDays]) {
      if (!await proceed()) return `stopped after ${checked} series`;
      await readSome(deps, metric, forJob);
    }
    checked++;
  }
  return `${checked} series checked`;
}
