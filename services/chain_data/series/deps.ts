/** What series use: the chain list, the stored series and their source. */
import type { ChainListDeps } from "../catalogue/chains.ts";
import type { SeriesId } from "../catalogue/series_id.ts";
import type {
  CallOptions,
  SharedBudget,
} from "../../platform/rate_limit/call_budget.ts";
import type { Sourced } from "../../platform/http/upstream_answer.ts";
import type { DailyValue } from "./series.ts";
import type { MetricsApi } from "./metrics_api_client.ts";
import type { publicationStore } from "./publications_store.ts";
import type { readQueueStore } from "./read_queue_store.ts";
import type { seriesStore } from "./series_store.ts";

/** A chain's own node. */
export interface ChainNode {
  readonly baseUrl: string;
  /** Its name before the first response. */
  readonly source: string;
  /** Reads the day of the first block from a day on, and the number of its transactions. */
  readonly readFirstActivity: (
    day: number,
    options: CallOptions,
  ) => Promise<Sourced<DailyValue | null>>;
}

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
    /** The own nodes of chains, by chain id. */
    readonly chainNodes: ReadonlyMap<number, ChainNode>;
  };
}

/** What an answer is read with, whose source is asked if a series was never read. */
export type ReadDeps<All extends StoredSeriesDeps = StoredSeriesDeps> = Pick<
  All,
  "log" | "now" | "runningJobs" | "share" | "sleep" | "store" | "upstream"
>;
