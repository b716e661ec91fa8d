/** The whole store over one database. */
import { blockSampleStore } from "./block_samples.ts";
import { budgetStore } from "./budgets.ts";
import { chainStore } from "./chains.ts";
import { jobStore } from "./jobs.ts";
import { recheckStore } from "./rechecks.ts";
import { seriesStore } from "./series.ts";
import { validatorDayStore } from "./validator_days.ts";

/** Opens every collection of a database. */
export function openStores(kv: Deno.Kv) {
  return {
    blockSamples: blockSampleStore(kv),
    budgets: budgetStore(kv),
    chains: chainStore(kv),
    jobs: jobStore(kv),
    rechecks: recheckStore(kv),
    series: seriesStore(kv),
    validatorDays: validatorDayStore(kv),
  };
}

/** Every collection of a database. */
export type Stores = ReturnType<typeof openStores>;
