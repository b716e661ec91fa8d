/** The whole store over one database. */
import { budgetStore } from "./budgets.ts";
import { chainStore } from "./chains.ts";
import { jobStore } from "./jobs.ts";
import { seriesStore } from "./series.ts";

/** Opens every collection of a database. */
export function openStores(kv: Deno.Kv) {
  return {
    budgets: budgetStore(kv),
    chains: chainStore(kv),
    jobs: jobStore(kv),
    series: seriesStore(kv),
  };
}

/** Every collection of a database. */
export type Stores = ReturnType<typeof openStores>;
