/** What use cases work with: the one file that names stores and upstreams together. */
import type { Config } from "./config.ts";
import { DAY_MS } from "./domain/days.ts";
import type { Limit } from "./domain/budget.ts";
import { createGate } from "./gate.ts";
import { type ShareWork, shareWork } from "./shared_work.ts";
import { openStores, type Stores } from "./store/open.ts";
import { type CChain, cChain, parseUrls } from "./upstream/c_chain.ts";
import { type ExplorerIndex, explorerIndex } from "./upstream/explorer.ts";
import { type MetricsApi, metricsApi } from "./upstream/metrics_api.ts";

import {
  type PlatformChain,
  platformChain,
} from "./upstream/platform_chain.ts";

/** Other people's services. */
export interface Upstreams {
  readonly metrics: MetricsApi;
  readonly explorer: ExplorerIndex;
  readonly cChain: CChain;
  readonly platformChain: PlatformChain;
}

/** Writes one line to the log. */
export type Log = (line: string) => void;

/** Everything a use case, a route or a job may need. */
export interface Deps {
  readonly now: () => Date;
  readonly sleep: (ms: number) => Promise<void>;
  readonly log: Log;
  readonly store: Stores;
  readonly upstream: Upstreams;
  readonly share: ShareWork;
  /** Base of links, without a slash at its end. */
  readonly publicUrl: string;
}

/** The machine's side: what only a composition root or a test may choose. */
export interface Platform extends Pick<Deps, "now" | "sleep" | "log"> {
  readonly kv: Deno.Kv;
  readonly fetch: typeof fetch;
}

/**
 * The Metrics API allows 80 calls a minute and 12,000 a day without a key, at
 * the stricter of its two published weights.
 */
const METRICS_LIMITS: readonly Limit[] = [
  { calls: 60, perMs: 60_000 },
  { calls: 12_000, perMs: DAY_MS },
];

/** The explorer index allows this much without a key. */
const EXPLORER_LIMITS: readonly Limit[] = [
  { calls: 2, perMs: 1_000 },
  { calls: 10_000, perMs: DAY_MS },
];

/** The public nodes publish no number; these were never seen to be refused. */
const RPC_LIMITS: readonly Limit[] = [{ calls: 240, perMs: 60_000 }];

/** Longest that one page of an upstream may take. */
const PAGE_MS = 8_000;

/** Joins settings and platform into what use cases work with. */
export function openDeps(config: Config, platform: Platform): Deps {
  const { now, sleep, log, fetch, kv } = platform;
  const store = openStores(kv);
  const reach = (url: string, limits: readonly Limit[]) => ({
    fetch,
    now,
    timeoutMs: PAGE_MS,
    gate: createGate({ now, sleep, store }, new URL(url).host, limits),
  });
  const { metricsApiUrl, explorerApiUrl, cChainRpcUrl, pChainRpcUrl } = config;
  const [cChainUrl = cChainRpcUrl] = parseUrls(cChainRpcUrl);
  return {
    now,
    sleep,
    log,
    store,
    upstream: {
      metrics: metricsApi(reach(metricsApiUrl, METRICS_LIMITS), metricsApiUrl),
      explorer: explorerIndex(
        reach(explorerApiUrl, EXPLORER_LIMITS),
        explorerApiUrl,
      ),
      cChain: cChain(reach(cChainUrl, RPC_LIMITS), cChainUrl),
      platformChain: platformChain(
        reach(pChainRpcUrl, RPC_LIMITS),
        pChainRpcUrl,
      ),
    },
    share: shareWork(now),
    publicUrl: config.publicUrl,
  };
}
