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
  withMostLeft,
} from "./scores/signals/explorer_accounts_client.ts";
import { portalAccounts } from "./scores/signals/portal_accounts_client.ts";
import type { UpstreamName } from "./platform/observability/process_metrics_schema.ts";
import {
  type Limit,
  type Shares,
  UNSHARED,
  type UpstreamCalls,
} from "./platform/rate_limit/call_budget.ts";
import { withApiKey } from "./platform/http/etherscan_client.ts";
import {
  EXPLORER_SHARES,
  FURTHER_INDEX_SHARES,
  limitsOf,
  LINKING_LIMITS,
  metricsLimits,
  NODE_CALLS,
  RPC_SHARES,
} from "./platform/rate_limit/upstream_limits.ts";
import {
  budgetOfJobs,
  countNameOf,
  upstreamRateLimiter,
} from "./platform/rate_limit/upstream_rate_limiter.ts";
import { type CChain, cChain } from "./chain_data/blocks/c_chain_client.ts";
import {
  type TransferNode,
  transferNode,
} from "./payments/c_chain_transfers_client.ts";
import { type NameNode, nameNode } from "./profiles/avax_names_client.ts";
import {
  type DomainNames,
  domainNames,
  type Resolver,
} from "./profiles/dns_client.ts";
import {
  type ChainIndex,
  chainIndex,
  type ExplorerIndex,
  explorerIndex,
} from "./chain_data/checks/explorer_client.ts";
import { type ProofChain, proofChain } from "./profiles/human_proofs_client.ts";
import type { ProofChainName } from "./model/human_proofs_schema.ts";
import { type GitHub, gitHub } from "./profiles/github_client.ts";
import type { ChainNode, StoredSeriesDeps } from "./chain_data/series/deps.ts";
import { metricsApi } from "./chain_data/series/metrics_api_client.ts";
import {
  type PlatformChain,
  platformChain,
} from "./chain_data/validators/platform_chain_client.ts";
import type { InstrumentCall } from "./platform/observability/process_metrics.ts";
import type { Config } from "./config.ts";
import type { Stores } from "./stores.ts";

/** Clients of all upstreams. */
export interface Upstreams {
  readonly metrics: StoredSeriesDeps["upstream"]["metrics"];
  readonly explorer: ExplorerIndex & ExplorerAccounts & {
    /** The calls to each index of histories. */
    readonly calls: readonly UpstreamCalls[];
  };
  readonly chainIndex: ChainIndex;
  readonly cChain: CChain & CChainAccounts;
  /** The own nodes of chains, by chain id. */
  readonly chainNodes: ReadonlyMap<number, ChainNode>;
  readonly platformChain: PlatformChain;
  /** One client per node. All nodes must agree on a transfer; the first serves reads. */
  readonly transfers: readonly TransferNode[];
  /** One client per node. All nodes must agree on a smart account's signature. */
  readonly signatures: readonly SignatureNode[];
  /** One client per node; none if names are not read. All nodes must agree on an address. */
  readonly names: readonly NameNode[];
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
  readonly timeout: (ms: number) => AbortSignal;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
  readonly fetch: typeof fetch;
  readonly resolver: Resolver;
  readonly store: Stores;
  /** Returns the instrumentation of the calls to an upstream. */
  readonly watch: (upstream: UpstreamName) => InstrumentCall;
}

interface LimiterOptions {
  /** What the calls are counted by, if not the host. */
  readonly name?: string;
  readonly shares?: Shares;
  /** Limits of jobs that are counted separately. */
  readonly jobLimits?: readonly Limit[];
}

/** Opens the clients of all upstreams. */
export function openUpstreams(
  config: Config,
  { now, sleep, timeout, stopping, fetch, resolver, store, watch }: ClientDeps,
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
    timeout,
    timeoutMs: UPSTREAM_TIMEOUT_MS,
    rateLimiter: limiter(
      name,
      options?.name ?? new URL(url).host,
      limits,
      options,
    ),
    watch: watch(name),
  });
  const { metricsApiUrl, explorerApiUrl, cChainRpcUrls, pChainRpcUrl, github } =
    config;
  const cChainUrl = cChainRpcUrls[0]!;
  const nodes = cChainRpcUrls.map((url) => ({
    url,
    http: reach("cChain", url, limitsOf(config.calls.cChain), {
      shares: RPC_SHARES,
    }),
  }));
  const cChainHttp = nodes[0]!.http;
  const hosts = config.indexes.map(({ url }) => new URL(url).host);
  const indexes = config.indexes.map(({ url, apiKey, calls }, nth) => {
    const budget = {
      // Further keys of one host have calls of their own.
      name: hosts.indexOf(hosts[nth]!) === nth
        ? hosts[nth]!
        : `${hosts[nth]} (${nth + 1})`,
      limits: limitsOf(calls),
      shares: nth === 0 ? EXPLORER_SHARES : FURTHER_INDEX_SHARES,
    };
    const keyless = reach("explorer", url, budget.limits, budget);
    const http = { ...keyless, fetch: withApiKey(fetch, apiKey) };
    return { budget, keyless, http, accounts: explorerAccounts(http, url) };
  });
  const { portal } = config;
  const portals = portal === null ? [] : [
    portalAccounts(
      reach("portal", portal.url, limitsOf(portal.calls), {
        shares: FURTHER_INDEX_SHARES,
      }),
      portal.url,
    ),
  ];
  const metricsCalls = metricsLimits(config.calls.metrics);
  // Calls are counted by host, so chains on one host share them.
  const reachMetrics = (url: string) =>
    reach("metrics", url, metricsCalls.readers, {
      jobLimits: metricsCalls.jobs,
    });
  const metrics = metricsApi(
    reachMetrics(metricsApiUrl),
    metricsApiUrl,
    new Map(
      config.metricsApiUrls.entries().map(([chainId, baseUrl]) => [
        chainId,
        { http: reachMetrics(baseUrl), baseUrl },
      ]),
    ),
  );
  return {
    metrics: {
      ...metrics,
      jobsOf: (id) =>
        budgetOfJobs(
          "metrics",
          new URL(metrics.baseUrlOf(id)).host,
          metricsCalls.jobs,
        ),
    },
    explorer: {
      ...explorerIndex(indexes[0]!.http, explorerApiUrl),
      ...withMostLeft([
        ...indexes.map(({ accounts }) => accounts),
        ...portals,
      ]),
      calls: indexes.map(({ budget }) => ({
        ...budget,
        readUse: (party) =>
          store.budgets.readUse(
            { ...budget, name: countNameOf("explorer", budget.name) },
            party,
            now().getTime(),
          ),
      })),
    },
    // Both hosts belong to one operator, so their calls have one limit.
    chainIndex: chainIndex(
      { http: indexes[0]!.keyless, keyed: indexes[0]!.http },
      config.chainIndexUrls,
    ),
    cChain: {
      ...cChain(cChainHttp, cChainUrl, config),
      ...inTurn(
        nodes.map(({ http, url }) => cChainAccounts(http, url, config)),
      ),
    },
    chainNodes: new Map(
      config.chainRpcUrls.entries().map(([chainId, url]) => [chainId, {
        ...cChain(reach("chainNodes", url, limitsOf(NODE_CALLS)), url, {
          chainId,
          name: `node of chain ${chainId}`,
        }),
        baseUrl: url,
      }]),
    ),
    platformChain: platformChain(
      reach("pChain", pChainRpcUrl, limitsOf(config.calls.pChain)),
      pChainRpcUrl,
    ),
    transfers: nodes.map(({ http, url }) => transferNode(http, url, config)),
    signatures: nodes.map(({ http, url }) => signatureNode(http, url, config)),
    names: config.readsAvaxNames
      ? nodes.map(({ http, url }) => nameNode(http, url, config))
      : [],
    proofChains: Object.entries(config.proofChainUrls).map(([name, url]) =>
      proofChain(
        reach("proofChains", url, limitsOf(NODE_CALLS)),
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
