/** Reads and checks the settings, once at start. */
import type { ManifestSigning } from "./downloads/manifests.ts";
import type { FormerSigner } from "./attestations/attestations.ts";
import type { z } from "zod";
import { C_CHAIN } from "./chain_data/catalogue/metrics_schema.ts";
import {
  PROOF_CHAINS,
  type ProofChainName,
} from "./model/human_proofs_schema.ts";
import { Environment } from "./settings.ts";
import { PORTAL_CALLS } from "./scores/signals/portal_accounts_client.ts";
import { StartError } from "./start_error.ts";
import {
  type AllowedCalls,
  EXPLORER_CALLS,
  METRICS_CALLS,
  NODE_CALLS,
} from "./platform/rate_limit/upstream_limits.ts";

/** The OAuth app at GitHub. URLs have no trailing slash. */
interface GitHubApp {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly url: string;
  readonly apiUrl: string;
}

/** An index of address histories: the C-Chain's API, an API key, and the calls that it allows. */
interface ExplorerAccess {
  readonly url: string;
  readonly apiKey: string | null;
  readonly calls: AllowedCalls;
}

/** The checked settings. */
export interface Config {
  readonly port: number;
  /** The address of an interface, or of all. */
  readonly listenAddress: string;
  /** Base of links, without a trailing slash. */
  readonly publicUrl: string;
  /** Undefined for the platform's own database. */
  readonly kvPath: string | undefined;
  /** Endpoints of a hosted database on other hosts than `kvPath`. */
  readonly kvEndpointUrls: readonly string[];
  readonly metricsApiUrl: string;
  /** Hosts of single chains, by chain id. */
  readonly metricsApiUrls: ReadonlyMap<number, string>;
  /** The explorer index's API of the C-Chain. */
  readonly explorerApiUrl: string;
  /** The second source of every chain. */
  readonly chainIndexUrls: ChainIndexUrls;
  /** The explorer index, then further indexes. Histories are read where calls are left. */
  readonly indexes: readonly [ExplorerAccess, ...ExplorerAccess[]];
  /** The portal that reads many histories at once, and the calls that it allows. Null without one. */
  readonly portal:
    | { readonly url: string; readonly calls: AllowedCalls }
    | null;
  /** The calls that the other sources allow. */
  readonly calls: {
    readonly metrics: AllowedCalls;
    readonly cChain: AllowedCalls;
    readonly pChain: AllowedCalls;
  };
  /** Own nodes of single chains, by chain id. */
  readonly chainRpcUrls: ReadonlyMap<number, string>;
  /** At least one. */
  readonly cChainRpcUrls: readonly string[];
  readonly pChainRpcUrl: string;
  /** Nodes of the chains on which proofs of a unique human are read. */
  readonly proofChainUrls: Readonly<Partial<Record<ProofChainName, string>>>;
  /** Chain id of wallets, payments and attestations (EIP-155). */
  readonly chainId: number;
  /** Whether names that end in `.avax` are accepted. They are names of the C-Chain alone. */
  readonly readsAvaxNames: boolean;
  /** Contract of the token that plans are paid in, lower-case. */
  readonly usdcAddress: string;
  /** Receiver of payments, lower-case. Null if nothing can be bought. */
  readonly treasuryAddress: string | null;
  /** The part of sold quotas that is taken to be cold reads: 0 to 1. */
  readonly coldReadShare: number;
  /** Days between two builds of the downloadable files of a metric. */
  readonly metricFilesDays: number;
  /** Signing key and verifier contract of attestations. Null if signing is not enabled. */
  readonly attestation: {
    readonly privateKey: `0x${string}`;
    readonly contract: string;
  } | null;
  /** Signers before the current one. */
  readonly formerSigners: readonly FormerSigner[];
  /** The keys of the manifests of downloadable files. */
  readonly manifestSigning: ManifestSigning;
  /** Null if no GitHub account can be linked. */
  readonly github: GitHubApp | null;
  /** Requests without a key that one network may make a minute. */
  readonly openRequestsPerMinute: number;
  /** The proxies in front of the service. */
  readonly proxies: {
    /** How many there are in a row. Each adds its client to X-Forwarded-For. */
    readonly hops: number;
    /** Null if they may have any address. */
    readonly networks: readonly string[] | null;
    /** Whether clients may reach the port beside them and choose their address. */
    readonly isBypassable: boolean;
  };
  /** Where vulnerabilities are reported. Null if nowhere. */
  readonly securityContact: string | null;
  /** Whether the database is on another machine: a server, or the one of Deno Deploy. */
  readonly hasHostedDatabase: boolean;
  /** Whether the store must have an id, as `operator store init` gives it. */
  readonly requiresStoreId: boolean;
  /** Start of the clock in epoch ms. Null for the real time. */
  readonly startsAt: number | null;
  /** False on the preview timelines of Deno Deploy, which share the upstreams' rate limits. */
  readonly runsJobs: boolean;
}

/** Addresses that listen on all interfaces. */
const ANY_INTERFACE = ["0.0.0.0", "::"];

/** How often the files of a metric are built by default where what is written is billed, in days. */
const BILLED_FILES_DAYS = 7;

/** Reads the settings. Throws one error that names every invalid setting and what it accepts. */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
): Config {
  const checked = Environment.safeParse(environment);
  if (!checked.success) {
    const problems = checked.error.issues.map(({ path, message }) =>
      `invalid ${String(path[0])}: expected ${message}`
    );
    throw new StartError(problems.join("; "));
  }
  const env = checked.data;
  const { ATTESTATION_PRIVATE_KEY: privateKey } = env;
  const { ATTESTATION_CONTRACT: contract } = env;
  const { GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: clientSecret } =
    env;
  const networks = env.TRUSTED_PROXIES ?? null;
  const explorer = explorerUrls(env);
  return {
    port: env.PORT,
    listenAddress: env.LISTEN_ADDRESS,
    publicUrl: withoutSlash(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`),
    kvPath: env.KV_PATH,
    kvEndpointUrls: env.KV_ENDPOINT_URLS,
    metricsApiUrl: env.METRICS_API_URL,
    metricsApiUrls: env.METRICS_API_URLS,
    ...explorer,
    indexes: [
      accessOf(
        explorer.explorerApiUrl,
        env.EXPLORER_API_KEY,
        callsOf(env, "EXPLORER"),
      ),
      ...env.EXPLORER_INDEXES.map(({ url, key, ...calls }) =>
        accessOf(url, key, calls)
      ),
    ],
    portal: env.SQD_PORTAL_URL === undefined ? null : {
      url: withoutSlash(env.SQD_PORTAL_URL),
      calls: { ...PORTAL_CALLS, ...callsOf(env, "SQD_PORTAL") },
    },
    calls: {
      metrics: { ...METRICS_CALLS, ...callsOf(env, "METRICS") },
      cChain: { ...NODE_CALLS, ...callsOf(env, "C_CHAIN") },
      pChain: { ...NODE_CALLS, ...callsOf(env, "P_CHAIN") },
    },
    chainRpcUrls: env.CHAIN_RPC_URLS,
    cChainRpcUrls: env.C_CHAIN_RPC_URL,
    pChainRpcUrl: env.P_CHAIN_RPC_URL,
    proofChainUrls: proofChainUrls(env),
    chainId: env.CHAIN_ID,
    readsAvaxNames: env.AVAX_NAMES !== undefined && env.CHAIN_ID === C_CHAIN,
    usdcAddress: env.USDC_ADDRESS,
    coldReadShare: env.COLD_READS_PERCENT / 100,
    treasuryAddress: env.TREASURY_ADDRESS ?? null,
    attestation: privateKey && contract ? { privateKey, contract } : null,
    formerSigners: env.ATTESTATION_SIGNERS,
    metricFilesDays: env.METRIC_FILES_DAYS ??
      (env.DENO_DEPLOY === undefined ? 1 : BILLED_FILES_DAYS),
    manifestSigning: {
      privateKey: env.MANIFEST_PRIVATE_KEY ?? null,
      formerKeys: env.MANIFEST_FORMER_KEYS,
    },
    github: clientId && clientSecret
      ? {
        clientId,
        clientSecret,
        url: withoutSlash(env.GITHUB_URL),
        apiUrl: withoutSlash(env.GITHUB_API_URL),
      }
      : null,
    openRequestsPerMinute: env.FAIR_USE_PER_MINUTE,
    proxies: {
      hops: env.TRUSTED_PROXY_HOPS,
      networks,
      // Deno Deploy's own proxy is the only way in.
      isBypassable: env.TRUSTED_PROXY_HOPS > 0 && networks === null &&
        ANY_INTERFACE.includes(env.LISTEN_ADDRESS) &&
        env.DENO_DEPLOY === undefined,
    },
    securityContact: env.SECURITY_CONTACT ?? null,
    hasHostedDatabase: isHostedDatabase(env.KV_PATH) ||
      env.DENO_DEPLOY !== undefined,
    requiresStoreId: env.DENO_DEPLOY !== undefined,
    startsAt: env.FIRN_NOW ? Date.parse(env.FIRN_NOW) : null,
    runsJobs: (env.DENO_TIMELINE ?? "production") === "production",
  };
}

/** Returns the nodes that are set. */
function proofChainUrls(
  env: z.infer<typeof Environment>,
): Config["proofChainUrls"] {
  return Object.fromEntries(
    Object.entries(PROOF_CHAINS).flatMap(([name, { setting }]) => {
      const url = env[setting];
      return url === undefined ? [] : [[name, url]];
    }),
  );
}

/** Returns whether `KV_PATH` is the URL of a database server. */
export function isHostedDatabase(kvPath: string | undefined): kvPath is string {
  return kvPath !== undefined && /^https?:/.test(kvPath);
}

/** Returns whether `KV_PATH` is a local file. */
export function isDatabaseFile(kvPath: string | undefined): kvPath is string {
  return kvPath !== undefined && kvPath !== ":memory:" &&
    !isHostedDatabase(kvPath);
}

/** Where the explorer index answers about any chain. A null base answers about none. */
export interface ChainIndexUrls {
  /** Below it, `/<chain id>/etherscan/api` is the API of a chain. */
  readonly chains: string | null;
  /** Below it, `/all/aggregations/txs` has the daily transactions of any chain. */
  readonly aggregations: string | null;
}

/** The host of the aggregations of `api.routescan.io`. */
const ROUTESCAN_AGGREGATIONS = "https://cdn.routescan.io/api/evm";

function explorerUrls(
  { EXPLORER_API_URL: given, EXPLORER_AGGREGATIONS_URL: aggregations }: z.infer<
    typeof Environment
  >,
): Pick<Config, "explorerApiUrl" | "chainIndexUrls"> {
  // The base used to be given with the C-Chain's id.
  const base = /^(.*)\/\d+\/etherscan\/api\/?$/.exec(given)?.[1];
  const isOneChain = base === undefined &&
    /\/api\/?$/.test(new URL(given).pathname);
  const chains = isOneChain ? null : withoutSlash(base ?? given);
  const usual = chains !== null && new URL(chains).host === "api.routescan.io"
    ? ROUTESCAN_AGGREGATIONS
    : chains;
  return {
    explorerApiUrl: base !== undefined || isOneChain
      ? given
      : `${chains}/${C_CHAIN}/etherscan/api`,
    chainIndexUrls: {
      chains,
      aggregations: aggregations === undefined
        ? usual
        : withoutSlash(aggregations),
    },
  };
}

function accessOf(
  url: string,
  key: string | undefined,
  calls: AllowedCalls,
): ExplorerAccess {
  const usual = EXPLORER_CALLS[key === undefined ? "keyless" : "keyed"];
  return { url, apiKey: key ?? null, calls: { ...usual, ...calls } };
}

/** Returns the limits of a source that are set. */
function callsOf(
  env: z.infer<typeof Environment>,
  source: "EXPLORER" | "METRICS" | "C_CHAIN" | "P_CHAIN" | "SQD_PORTAL",
): AllowedCalls {
  const given = {
    perSecond: env[`${source}_CALLS_PER_SECOND`],
    perMinute: env[`${source}_CALLS_PER_MINUTE`],
    perDay: env[`${source}_CALLS_PER_DAY`],
  };
  return Object.fromEntries(
    Object.entries(given).filter(([, calls]) => calls !== undefined),
  );
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

/** Returns the secret values among the settings. */
export function secretsOf(
  { attestation, indexes, github, manifestSigning }: Config,
): string[] {
  return [
    attestation?.privateKey,
    github?.clientSecret,
    ...indexes.map(({ apiKey }) => apiKey),
    manifestSigning.privateKey,
  ].filter((secret) => typeof secret === "string");
}
