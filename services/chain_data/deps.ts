/** Dependencies of chain data. */
import type { PlatformDeps } from "../platform/deps.ts";
import type { CChain } from "./blocks/c_chain_client.ts";
import type { blockSampleStore } from "./blocks/block_samples_store.ts";
import type { chainStore } from "./catalogue/chains_store.ts";
import type { ChainIndex } from "./checks/chain_index_client.ts";
import type { ExplorerIndex } from "./checks/explorer_client.ts";
import type { disputeStore, recheckStore } from "./checks/disputes_store.ts";
import type { MetricsApi } from "./series/metrics_api_client.ts";
import type { publicationStore } from "./series/publications_store.ts";
import type { readQueueStore } from "./series/read_queue_store.ts";
import type { seriesStore } from "./series/series_store.ts";
import type { PlatformChain } from "./validators/platform_chain_client.ts";
import type { validatorDayStore } from "./validators/validator_snapshots_store.ts";

/** Collections of chain data. */
interface ChainDataStores {
  readonly blockSamples: ReturnType<typeof blockSampleStore>;
  readonly chains: ReturnType<typeof chainStore>;
  readonly disputes: ReturnType<typeof disputeStore>;
  readonly publications: ReturnType<typeof publicationStore>;
  readonly readQueue: ReturnType<typeof readQueueStore>;
  readonly rechecks: ReturnType<typeof recheckStore>;
  readonly series: ReturnType<typeof seriesStore>;
  readonly validatorDays: ReturnType<typeof validatorDayStore>;
}

/** What chain data uses. */
export interface ChainDataDeps extends PlatformDeps {
  readonly store: PlatformDeps["store"] & ChainDataStores;
  readonly upstream: {
    readonly metrics: MetricsApi;
    readonly explorer: ExplorerIndex;
    readonly chainIndex: ChainIndex;
    readonly cChain: CChain;
    readonly platformChain: PlatformChain;
  };
}
