/** The whole store over one database. */
import { apiKeyStore } from "./api_keys.ts";
import { blockSampleStore } from "./block_samples.ts";
import { budgetStore } from "./budgets.ts";
import { chainStore } from "./chains.ts";
import { jobStore } from "./jobs.ts";
import * as keys from "./keys.ts";
import { planStore } from "./plans.ts";
import { recheckStore } from "./rechecks.ts";
import { scoreStore } from "./scores.ts";
import { seriesStore } from "./series.ts";
import { signalStore } from "./signals.ts";
import { usageStore } from "./usage.ts";
import { validatorDayStore } from "./validator_days.ts";

/** Opens every collection of a database. */
export function openStores(kv: Deno.Kv) {
  return {
    apiKeys: apiKeyStore(kv),
    blockSamples: blockSampleStore(kv),
    budgets: budgetStore(kv),
    chains: chainStore(kv),
    jobs: jobStore(kv),
    plans: planStore(kv),
    rechecks: recheckStore(kv),
    scores: scoreStore(kv),
    series: seriesStore(kv),
    signals: signalStore(kv),
    usage: usageStore(kv),
    validatorDays: validatorDayStore(kv),

    /** Reads once, to see whether the database answers. */
    async ping(): Promise<void> {
      await kv.get(keys.ping());
    },
  };
}

/** Every collection of a database. */
export type Stores = ReturnType<typeof openStores>;
