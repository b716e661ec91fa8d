/** What series use: the chain list, the stored series and their source. */
import type { ChainListDeps } from "../catalogue/chains.ts";
import type { SeriesId } from "../catalogue/series_id.ts";
import type { SharedBudget } from "../../platform/rate_limit/shared_budget.ts";
import type { MetricsApi } from "./metrics_api_client.ts";
import type { publicationStore } from "./publications_store.ts";
import type { readQueueStore } from "./read_queue_store.ts";
import type { seriesStore } from "./series_store.ts";

/** What series use. */
export interface StoredSeriesDeps extends ChainListDeps {
  readonly store: ChainListDeps["store"] & {
    readonly publications: ReturnType<typeof publicationStore>;
    readonly readQueue: ReturnType<typeof readQueueStore>;
    readonly series: ReturnType<typeof seriesStore>;
  };
  readonly upstream: {
    readonly metrics: MetricsApi & {
      /** Returns what the calls of jobs to the host of a series are counted by. */
      readonly jobsOf: (id: Pick<SeriesId, "subject">) => SharedBudget;
    };
    /** The series of the explorer index come from here. */
    readonly explorer: { readonly baseUrl: string };
  };
}
