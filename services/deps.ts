/** What use cases work with: the one file that names stores and upstreams together. */
import { type Attesting, localSigner } from "./attestation_signers.ts";
import type { Config } from "./config.ts";
import { DAY_MS } from "./domain/days.ts";
import type { Limit } from "./domain/budget.ts";
import { createGate } from "./gate.ts";
import { type ShareWork, shareWork } from "./shared_work.ts";
import { openStores, type Stores } from "./store/open.ts";
import { type CChain, cChain, parseUrls } from "./upstream/c_chain.ts";
import {
  type TransferNode,
  transferNode,
} from "./upstream/c_chain_transfers.ts";
import {
  type DomainNames,
  domainNames,
  nativeResolver,
  type Resolver,
} from "./upstream/dns.ts";
import { type ExplorerIndex, explorerIndex } from "./upstream/explorer.ts";
import { type GitHub, gitHub } from "./upstream/github.ts";
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
  /** All nodes that have to agree on a transfer, the one in use first. */
  readonly transfers: readonly TransferNode[];
  /** All nodes that have to agree on the signature of a smart account. */
  readonly signatures: readonly Pick<CChain, "isSignatureValid">[];
  readonly domains: DomainNames;
  /** Null where no GitHub account can be linked. */
  readonly github: GitHub | null;
}

/** What is paid with, and to whom; addresses are lower-case. */
export interface PaymentTerms {
  /** The contract of USDC. */
  readonly token: string;
  /** Null where nothing can be bought. */
  readonly treasury: string | null;
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
  /** The chain of wallets, payments and attestations. */
  readonly chainId: number;
  readonly payment: PaymentTerms;
  readonly attesting: Attesting;
}

/** The machine's side: what only a composition root or a test may choose. */
export interface Platform extends Pick<Deps, "now" | "sleep" | "log"> {
  readonly kv: Deno.Kv;
  readonly fetch: typeof fetch;
  /** The machine's own where absent. */
  readonly resolver?: Resolver;
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

/** Far more people than this do not link an account in a minute. */
const GITHUB_LIMITS: readonly Limit[] = [{ calls: 120, perMs: 60_000 }];

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
  const { attestation, github } = config;
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
      cChain: cChain(reach(cChainUrl, RPC_LIMITS), cChainUrl, {
        chainId: config.chainId,
      }),
      platformChain: platformChain(
        reach(pChainRpcUrl, RPC_LIMITS),
        pChainRpcUrl,
      ),
      transfers: parseUrls(cChainRpcUrl).map((url) =>
        transferNode(reach(url, RPC_LIMITS), url, config)
      ),
      signatures: parseUrls(cChainRpcUrl).map((url) =>
        cChain(reach(url, RPC_LIMITS), url, config)
      ),
      domains: domainNames(platform.resolver ?? nativeResolver(), {
        timeoutMs: PAGE_MS,
      }),
      github: github && gitHub(reach(github.url, GITHUB_LIMITS), github),
    },
    share: shareWork(now),
    publicUrl: config.publicUrl,
    chainId: config.chainId,
    payment: {
      token: config.usdcAddress,
      treasury: config.treasuryAddress,
    },
    attesting: {
      signing: attestation && {
        signer: localSigner(attestation.privateKey, config.formerSigners),
        contract: attestation.contract,
      },
      formerSigners: config.formerSigners,
    },
  };
}
