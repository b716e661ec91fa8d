/** What all of chain data uses: series, own measurements, and the sources of both. */
import type { StoredSeriesDeps } from "../series/deps.ts";
import type {
  blockSampleStore,
  validatorDayStore,
} from "./measurements_store.ts";
import type { ChainIndex, ExplorerIndex } from "./explorer_client.ts";
import type { disputeStore, recheckStore } from "./disputes_store.ts";

/** What all of chain data uses. */
export interface ChainDataDeps extends StoredSeriesDeps {
  readonly store: StoredSeriesDeps["store"] & {
    readonly blockSamples: ReturnType<typeof blockSampleStore>;
    readonly disputes: ReturnType<typeof disputeStore>;
    readonly rechecks: ReturnType<typeof recheckStore>;
    readonly validatorDays: ReturnType<typeof validatorDayStore>;
  };
  readonly upstream: StoredSeriesDeps["upstream"] & {
    readonly explorer: ExplorerIndex;
    readonly chainIndex: ChainIndex;
    /** The sources of samples and snapshots, which jobs read. */
    readonly cChain: { readonly source: string; readonly url: string };
    readonly platformChain: {
      readonly source: string;
      readonly baseUrl: string;
    };
  };
}
