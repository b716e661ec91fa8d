/** A database just after a sweep, without the reads: chains, series, publication and sweep. */
import type { Deps } from "../../../services/deps.ts";
import { DAY_MS, parseDay } from "../../../services/platform/days.ts";
import {
  STORED_METRICS,
  type StoredMetric,
} from "../../../services/chain_data/catalogue/metrics_schema.ts";
import { type Days, putSeries } from "../series.ts";

type SweptDeps = Pick<Deps, "now" | "store" | "upstream">;

/** What a sweep found. */
interface Swept {
  /** Names of the chains by id. */
  readonly chains: Readonly<Record<number, string>>;
  /** Tokens of the chains by id; null by default. */
  readonly tokens?: Readonly<Record<number, string>>;
  /** The metrics that are stored; all by default. */
  readonly metrics?: readonly StoredMetric[];
  /** Returns the values of a series. */
  readonly valuesOf: (chainId: number, metric: StoredMetric) => Days;
  /** The newest published day; yesterday by default. */
  readonly published?: number;
}

/** Stores chains and series as a sweep leaves them, which ends now. */
export async function sweep(
  deps: SweptDeps,
  { chains, tokens = {}, valuesOf, metrics = STORED_METRICS, published }: Swept,
): Promise<void> {
  const { store, upstream, now } = deps;
  const at = now().getTime();
  const { baseUrl: origin, source } = upstream.metrics;
  const ids = Object.keys(chains).map(Number);
  await store.chains.replace({
    chains: ids.map((chainId) => ({
      chainId,
      chainName: chains[chainId]!,
      token: tokens[chainId] ?? null,
      blockchainId: `blockchain-${chainId}`,
      subnetId: `subnet-${chainId}`,
    })),
    fetchedAt: at,
    changedAt: at,
    origin,
    source,
  });
  for (const chainId of ids) {
    for (const metric of metrics) {
      const id = { subject: chainId, metric };
      await putSeries(deps, id, valuesOf(chainId, metric));
    }
  }
  await endSweep(deps, published ?? yesterday(at));
}

/** Records a publication of a day, and a sweep of it that ends now. */
export async function endSweep(
  { store, upstream, now }: SweptDeps,
  newestDay: number,
): Promise<void> {
  const at = now().getTime();
  const { publishedAt } = await store.publications.confirm({
    newestDay,
    readAt: at,
    origin: upstream.metrics.baseUrl,
  });
  await store.publications.putSweep({ publishedAt, finishedAt: at });
}

function yesterday(at: number): number {
  return parseDay(new Date(at - DAY_MS).toISOString().slice(0, 10));
}
