/**
 * Composition: joins settings, stores and clients into the dependencies of all
 * capabilities.
 */
import { UPSTREAM_TIMEOUT_MS } from "./platform/http/http_client.ts";
import {
  type SignatureNode,
  signatureNode,
} from "./accounts/c_chain_signatures_client.ts";
import { callLog } from "./accounts/calls/call_log.ts";
import type { AccountsDeps } from "./accounts/deps.ts";
import type { PaymentsDeps, PaymentTerms } from "./payments/deps.ts";
import type { ProfilesDeps } from "./profiles/deps.ts";
import { findSignals } from "./scores/address_signals.ts";
import type { ScoresDeps } from "./scores/deps.ts";
import { SCORE_PATIENCE_MS } from "./scores/score_page.ts";
import { MODEL_SCHEDULE } from "./scores/model/model_schedule.ts";
import {
  type CChainAccounts,
  cChainAccounts,
} from "./scores/c_chain_accounts_client.ts";
import {
  type ExplorerAccounts,
  explorerAccounts,
} from "./scores/explorer_accounts_client.ts";
import { type Attesting, localSigner } from "./attestations/signers.ts";
import type { Config } from "./config.ts";
import type { UpstreamName } from "./platform/observability/process_metrics_schema.ts";
import type { Limit } from "./platform/rate_limit/call_budget.ts";
import { withApiKey } from "./platform/http/etherscan_client.ts";
import type { CallClass } from "./platform/rate_limit/requesters.ts";
import { type Shares, UNSHARED } from "./platform/rate_limit/shared_budget.ts";
import {
  EXPLORER_SHARES,
  explorerLimits,
  GITHUB_LIMITS,
  METRICS_LIMITS,
  RPC_LIMITS,
  RPC_SHARES,
} from "./platform/rate_limit/upstream_limits.ts";
import {
  openProcessMetrics,
  type ProcessMetrics,
} from "./platform/observability/process_metrics.ts";
import { upstreamRateLimiter } from "./platform/rate_limit/upstream_rate_limiter.ts";
import {
  createLog,
  type Log,
  type WriteLine,
} from "./platform/observability/log.ts";
import { redactor } from "./platform/observability/redact.ts";
import { secretsOf } from "./config.ts";
import { type ShareWork, shareWork } from "./platform/cache/shared_work.ts";
import { instrumentedKv } from "./platform/kv/instrumented_kv.ts";
import { type RunningJobs, runningJobs } from "./platform/jobs/running_jobs.ts";
import { openStores, type Stores } from "./stores.ts";
import { SILENT, type Telemetry } from "./platform/observability/telemetry.ts";
import { instrumentCalls } from "./platform/observability/upstream_calls.ts";
import { type CChain, cChain } from "./chain_data/blocks/c_chain_client.ts";
import { parseUrls } from "./platform/http/viem_client.ts";
import {
  type TransferNode,
  transferNode,
} from "./payments/c_chain_transfers_client.ts";
import {
  type DomainNames,
  domainNames,
  nativeResolver,
  type Resolver,
} from "./profiles/socials/dns_client.ts";
import {
  type ExplorerIndex,
  explorerIndex,
} from "./chain_data/checks/explorer_client.ts";
import type { ManifestSigning } from "./chain_data/downloads/manifest_keys.ts";
import { type GitHub, gitHub } from "./profiles/socials/github_client.ts";
import {
  type MetricsApi,
  metricsApi,
} from "./chain_data/series/metrics_api_client.ts";

import {
  type PlatformChain,
  platformChain,
} from "./chain_data/validators/platform_chain_client.ts";

/** Clients of all upstreams. */
export interface Upstreams {
  readonly metrics: MetricsApi;
  readonly explorer: ExplorerIndex & ExplorerAccounts;
  readonly cChain: CChain & CChainAccounts;
  readonly platformChain: PlatformChain;
  /** One client a node. All nodes must agree on a transfer; the first serves reads. */
  readonly transfers: readonly TransferNode[];
  /** One client a node. All nodes must agree on a smart account's signature. */
  readonly signatures: readonly SignatureNode[];
  readonly domains: DomainNames;
  /** Null if GitHub accounts cannot be linked. */
  readonly github: GitHub | null;
}

/** Dependencies of the whole service. */
export interface Deps {
  readonly now: () => Date;
  readonly sleep: (ms: number) => Promise<void>;
  readonly log: Log;
  readonly telemetry: Telemetry;
  readonly processMetrics: ProcessMetrics;
  readonly store: Stores;
  readonly upstream: Upstreams;
  readonly share: ShareWork;
  readonly callLog: AccountsDeps["callLog"];
  /** The job runs of this process. */
  readonly runningJobs: RunningJobs;
  /** Base URL of links, without a trailing slash. */
  readonly publicUrl: string;
  /** Requests without a key that one network may make a minute. */
  readonly openRequestsPerMinute: number;
  /** Proxies in front of the service that append to X-Forwarded-For. */
  readonly trustedProxyHops: number;
  /** Where vulnerabilities are reported. Null if nowhere. */
  readonly securityContact: string | null;
  /** Chain id of wallets, payments and attestations (EIP-155). */
  readonly chainId: number;
  readonly payment: PaymentTerms;
  readonly findSlug: PaymentsDeps["findSlug"];
  readonly findFirstTxAt: ProfilesDeps["findFirstTxAt"];
  readonly attesting: Attesting;
  readonly modelSchedule: ScoresDeps["modelSchedule"];
  readonly scorePatienceMs: number;
  /** The keys of the manifests of downloadable files. */
  readonly manifestSigning: ManifestSigning;
}

/**
 * What the runtime provides and tests replace: clock, timers, log output,
 * database, network.
 */
export interface Runtime extends Pick<Deps, "now" | "sleep"> {
  readonly write: WriteLine;
  /** Without it nothing is traced. */
  readonly telemetry?: Telemetry;
  readonly kv: Deno.Kv;
  readonly fetch: typeof fetch;
  /** The system's resolver by default. */
  readonly resolver?: Resolver;
}

/** Opens all dependencies. */
export function openDeps(config: Config, platform: Runtime): Deps {
  const { now, sleep, write, fetch, telemetry = SILENT } = platform;
  const processMetrics = openProcessMetrics({ now }, telemetry);
  const redact = redactor(secretsOf(config));
  const kv = instrumentedKv(platform.kv, (asked) => {
    processMetrics.kv.add(asked);
    telemetry.countKv(asked);
  });
  const store = openStores(kv, { isHosted: config.hasHostedDatabase });
  const watch = instrumentCalls({ processMetrics, telemetry });
  const reach = (
    name: UpstreamName,
    url: string,
    limits: readonly Limit[],
    { shares = UNSHARED, of = "service", jobLimits }: {
      readonly shares?: Shares;
      /** Limits of jobs that are counted separately. */
      readonly jobLimits?: readonly Limit[];
      /** The class of the calls that say no other. */
      readonly of?: CallClass;
    } = {},
  ) => ({
    fetch,
    now,
    timeoutMs: UPSTREAM_TIMEOUT_MS,
    rateLimiter: upstreamRateLimiter(
      { now, sleep, store },
      { name: new URL(url).host, limits, shares },
      {
        upstream: name,
        jobLimits,
        ...of !== "service" && { defaultOf: { of, parties: [] } },
      },
    ),
    watch: watch(name),
  });
  const { attestation, github } = config;
  const { metricsApiUrl, explorerApiUrl, cChainRpcUrl, pChainRpcUrl } = config;
  const [cChainUrl = cChainRpcUrl] = parseUrls(cChainRpcUrl);
  const node = (url: string, of: CallClass) =>
    reach("cChain", url, RPC_LIMITS, { shares: RPC_SHARES, of });
  const cChainHttp = node(cChainUrl, "service");
  const explorerHttp = {
    ...reach("explorer", explorerApiUrl, explorerLimits(config.explorer), {
      shares: EXPLORER_SHARES,
    }),
    fetch: withApiKey(fetch, config.explorer.apiKey),
  };
  const upstream: Upstreams = {
    metrics: metricsApi(
      reach("metrics", metricsApiUrl, METRICS_LIMITS.readers, {
        jobLimits: METRICS_LIMITS.jobs,
      }),
      metricsApiUrl,
    ),
    explorer: {
      ...explorerIndex(explorerHttp, explorerApiUrl),
      ...explorerAccounts(explorerHttp, explorerApiUrl),
    },
    cChain: {
      ...cChain(cChainHttp, cChainUrl, config),
      ...cChainAccounts(cChainHttp, cChainUrl, config),
    },
    platformChain: platformChain(
      reach("pChain", pChainRpcUrl, RPC_LIMITS),
      pChainRpcUrl,
    ),
    transfers: parseUrls(cChainRpcUrl).map((url) =>
      transferNode(node(url, "payments"), url, config)
    ),
    signatures: parseUrls(cChainRpcUrl).map((url) =>
      signatureNode(node(url, "signatures"), url, config)
    ),
    domains: domainNames(platform.resolver ?? nativeResolver(), {
      timeoutMs: UPSTREAM_TIMEOUT_MS,
      watch: watch("dns"),
    }),
    github: github &&
      gitHub(reach("github", github.url, GITHUB_LIMITS), github),
  };
  return {
    now,
    sleep,
    log: createLog({ now, write, redact, telemetry, processMetrics }),
    telemetry,
    processMetrics,
    store,
    upstream,
    share: shareWork(now),
    callLog: callLog({ now, store }),
    runningJobs: runningJobs(),
    publicUrl: config.publicUrl,
    openRequestsPerMinute: config.openRequestsPerMinute,
    trustedProxyHops: config.trustedProxyHops,
    securityContact: config.securityContact,
    chainId: config.chainId,
    async findSlug(wallet) {
      return (await store.profiles.find(wallet))?.slug ?? null;
    },
    async findFirstTxAt(address) {
      const [held] = await findSignals({ now, store, upstream }, [address]);
      return held?.signals.firstTxAt ?? null;
    },
    payment: {
      token: config.usdcAddress,
      treasury: config.treasuryAddress,
    },
    modelSchedule: MODEL_SCHEDULE,
    scorePatienceMs: SCORE_PATIENCE_MS,
    manifestSigning: config.manifestSigning,
    attesting: {
      signing: attestation && {
        signer: localSigner(attestation.privateKey, config.formerSigners),
        contract: attestation.contract,
      },
      formerSigners: config.formerSigners,
    },
  };
}
