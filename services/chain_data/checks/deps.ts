/** What the comparison with second sources uses: series, own measurements and the sources. */
import type { StoredSeriesDeps } from "../series/deps.ts";
import type {
  blockSampleStore,
  validatorDayStore,
} from "./measurements_store.ts";
import type { ChainIndex } from "./chain_index_client.ts";
import type { disputeStore, recheckStore } from "./disputes_store.ts";
import type { ExplorerIndex } from "./explorer_client.ts";

/** What the comparison with second sources uses. */
export interface SecondSourceDeps extends StoredSeriesDeps {
  readonly store: StoredSeriesDeps["store"] & {
    readonly blockSamples: ReturnType<typeof blockSampleStore>;
    readonly disputes: ReturnType<typeof disputeStore>;
    readonly rechecks: ReturnType<typeof recheckStore>;
    readonly validatorDays: ReturnType<typeof validatorDayStore>;
  };
  readonly upstream: StoredSeriesDeps["upstream"] & {
    readonly explorer: ExplorerIndex;
    readonly chainIndex: ChainIndex;
    /** Names of the sources of samples and snapshots, which jobs read. */
    readonly cChain: { readonly source: string };
    readonly platformChain: { readonly source: string };
  };
}
