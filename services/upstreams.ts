/** Opens the clients of all upstreams, each with its rate limit. */
import { UPSTREAM_TIMEOUT_MS } from "./platform/http/http_client.ts";
import {
  type SignatureNode,
  signatureNode,
} from "./accounts/c_chain_signatures_client.ts";
import {
  type CChainAccounts,
  cChainAccounts,
  inTurn,
} from "./scores/signals/c_chain_accounts_client.ts";
import {
  type ExplorerAccounts,
  explorerAccounts,
} from "./scores/signals/explorer_accounts_client.ts";
import type { UpstreamName } from "./platform/observability/process_metrics_schema.ts";
import type {
  Limit,
  UpstreamCalls,
} from "./platform/rate_limit/call_budget.ts";
import { withApiKey } from "./platform/http/etherscan_client.ts";
import { type Shares, UNSHARED } from "./platform/rate_limit/shared_budget.ts";
import {
  EXPLORER_SHARES,
  explorerLimits,
  LINKING_LIMITS,
  METRICS_LIMITS,
  RPC_LIMITS,
  RPC_SHARES,
} from "./platform/rate_limit/upstream_limits.ts";
import {
  countNameOf,
  upstreamRateLimiter,
} from "./platform/rate_limit/upstream_rate_limiter.ts";
import { type CChain, cChain } from "./chain_data/blocks/c_chain_client.ts";
import {
  type TransferNode,
  transferNode,
} from "./payments/c_chain_transfers_client.ts";
import {
  type DomainNames,
  domainNames,
  type Resolver,
} from "./profiles/socials/dns_client.ts";
import {
  type ChainIndex,
  chainIndex,
} from "./chain_data/checks/chain_index_client.ts";
import {
  type ExplorerIndex,
  explorerIndex,
} from "./chain_data/checks/explorer_client.ts";
import {
  type ProofChain,
  proofChain,
} from "./profiles/proofs/human_proofs_client.ts";
import type { ProofChainName } from "./model/human_proofs_schema.ts";
import { type GitHub, gitHub } from "./profiles/socials/github_client.ts";
import {
  type MetricsApi,
  metricsApi,
} from "./chain_data/series/metrics_api_client.ts";
import {
  type PlatformChain,
  platformChain,
} from "./chain_data/validators/platform_chain_client.ts";
import type { InstrumentCall } from "./platform/observability/upstream_call.ts";
import type { Config } from "./config.ts";
import type { Stores } from "./stores.ts";

/** Clients of all upstreams. */
export interface Upstreams {
  readonly metrics: MetricsApi;
  readonly explorer: ExplorerIndex & ExplorerAccounts & {
    readonly calls: UpstreamCalls;
  };
  readonly chainIndex: ChainIndex;
  readonly cChain: CChain & CChainAccounts;
  readonly platformChain: PlatformChain;
  /** One client per node. All nodes must agree on a transfer; the first serves reads. */
  readonly transfers: readonly TransferNode[];
  /** One client per node. All nodes must agree on a smart account's signature. */
  readonly signatures: readonly SignatureNode[];
  /** One client for each chain on which proofs of a unique human are read. */
  readonly proofChains: readonly ProofChain[];
  readonly domains: DomainNames;
  /** Null if GitHub accounts cannot be linked. */
  readonly github: GitHub | null;
}

/** Dependencies that the clients share. */
interface ClientDeps {
  readonly now: () => Date;
  readonly sleep: (ms: number) => Promise<void>;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
  readonly fetch: typeof fetch;
  readonly resolver: Resolver;
  readonly store: Stores;
  /** Returns the instrumentation of the calls to an upstream. */
  readonly watch: (upstream: UpstreamName) => InstrumentCall;
}

interface LimiterOptions {
  readonly shares?: Shares;
  /** Limits of jobs that are counted separately. */
  readonly jobLimits?: readonly Limit[];
}

/** Opens the clients of all upstreams. */
export function openUpstreams(
  config: Config,
  { now, sleep, stopping, fetch, resolver, store, watch }: ClientDeps,
): Upstreams {
  const limiter = (
    upstream: UpstreamName,
    name: string,
    limits: readonly Limit[],
    { shares = UNSHARED, jobLimits }: LimiterOptions = {},
  ) =>
    upstreamRateLimiter(
      { now, sleep, stopping, store },
      { name, limits, shares },
      { upstream, jobLimits },
    );
  const reach = (
    name: UpstreamName,
    url: string,
    limits: readonly Limit[],
    options?: LimiterOptions,
  ) => ({
    fetch,
    now,
    timeoutMs: UPSTREAM_TIMEOUT_MS,
    rateLimiter: limiter(name, new URL(url).host, limits, options),
    watch: watch(name),
  });
  const { metricsApiUrl, explorerApiUrl, cChainRpcUrls, pChainRpcUrl, github } =
    config;
  const cChainUrl = cChainRpcUrls[0]!;
  const nodes = cChainRpcUrls.map((url) => ({
    url,
    http: reach("cChain", url, RPC_LIMITS, { shares: RPC_SHARES }),
  }));
  const cChainHttp = nodes[0]!.http;
  const indexLimits = explorerLimits(config.explorer);
  const keylessExplorerHttp = reach(
    "explorer",
    explorerApiUrl,
    indexLimits,
    { shares: EXPLORER_SHARES },
  );
  const explorerHttp = {
    ...keylessExplorerHttp,
    fetch: withApiKey(fetch, config.explorer.apiKey),
  };
  return {
    metrics: metricsApi(
      reach("metrics", metricsApiUrl, METRICS_LIMITS.readers, {
        jobLimits: METRICS_LIMITS.jobs,
      }),
      metricsApiUrl,
    ),
    explorer: {
      ...explorerIndex(explorerHttp, explorerApiUrl),
      ...explorerAccounts(explorerHttp, explorerApiUrl),
      calls: {
        limits: indexLimits,
        readUse: () =>
          store.budgets.readUse(
            countNameOf("explorer", new URL(explorerApiUrl).host),
            indexLimits,
            now().getTime(),
          ),
      },
    },
    // Both hosts belong to one operator, so their calls have one limit.
    chainIndex: chainIndex(
      { http: keylessExplorerHttp, keyed: explorerHttp },
      config.chainIndexUrls,
    ),
    cChain: {
      ...cChain(cChainHttp, cChainUrl, config),
      ...inTurn(
        nodes.map(({ http, url }) => cChainAccounts(http, url, config)),
      ),
    },
    platformChain: platformChain(
      reach("pChain", pChainRpcUrl, RPC_LIMITS),
      pChainRpcUrl,
    ),
    transfers: nodes.map(({ http, url }) => transferNode(http, url, config)),
    signatures: nodes.map(({ http, url }) => signatureNode(http, url, config)),
    proofChains: Object.entries(config.proofChainUrls).map(([name, url]) =>
      proofChain(
        reach("proofChains", url, RPC_LIMITS),
        url,
        name as ProofChainName,
      )
    ),
    domains: domainNames(resolver, {
      timeoutMs: UPSTREAM_TIMEOUT_MS,
      rateLimiter: limiter("dns", "resolver", LINKING_LIMITS),
      watch: watch("dns"),
    }),
    github: github &&
      gitHub(reach("github", github.url, LINKING_LIMITS), github),
  };
}
