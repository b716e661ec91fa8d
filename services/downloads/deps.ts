/** What the downloadable files use. */
import type { ChainDataDeps } from "../chain_data/checks/deps.ts";
import type { downloadStore, manifestStore } from "./downloads_store.ts";
import type { ManifestSigning } from "./manifests.ts";

/** Dependencies of the downloadable files. */
export interface DownloadsDeps extends ChainDataDeps {
  readonly store: ChainDataDeps["store"] & {
    readonly downloads: ReturnType<typeof downloadStore>;
    readonly manifests: ReturnType<typeof manifestStore>;
  };
  /** The keys of the manifests of downloadable files. */
  readonly manifestSigning: ManifestSigning;
  /** Days between two builds of the files of a metric. */
  readonly metricFilesDays: number;
}
