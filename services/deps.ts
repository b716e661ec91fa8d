/** Joins the settings, stores and clients into the dependencies of all capabilities. */
import { callLog } from "./accounts/calls/call_log.ts";
import type { AccountsDeps } from "./accounts/deps.ts";
import type { PaymentsDeps, PaymentTerms } from "./payments/deps.ts";
import type { ProfilesDeps } from "./profiles/deps.ts";
import { findSignals } from "./scores/signals/address_signals.ts";
import type { ScoresDeps } from "./scores/deps.ts";
import { SCORE_PATIENCE_MS } from "./scores/score_page.ts";
import { MODEL_SCHEDULE } from "./scores/model/model_schedule.ts";
import { type Attesting, localSigner } from "./attestations/signers.ts";
import type { Config } from "./config.ts";
import {
  openProcessMetrics,
  type ProcessMetrics,
} from "./platform/observability/process_metrics.ts";
import {
  createLog,
  type Log,
  type WriteLine,
} from "./platform/observability/log.ts";
import {
  type TrafficHistory,
  trafficHistory,
} from "./platform/observability/traffic_history.ts";
import { redactor } from "./platform/observability/redact.ts";
import { secretsOf } from "./config.ts";
import { type ShareWork, shareWork } from "./platform/cache/shared_work.ts";
import { instrumentedKv } from "./platform/kv/instrumented_kv.ts";
import { type RunningJobs, runningJobs } from "./platform/jobs/running_jobs.ts";
import { openStores, type Stores } from "./stores.ts";
import { openUpstreams, type Upstreams } from "./upstreams.ts";
import { SILENT, type Telemetry } from "./platform/observability/telemetry.ts";
import { instrumentCalls } from "./platform/observability/upstream_calls.ts";
import {
  nativeResolver,
  type Resolver,
} from "./profiles/socials/dns_client.ts";
import type { ManifestSigning } from "./chain_data/downloads/manifest_keys.ts";

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
  readonly trafficHistory: TrafficHistory;
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
  const { attestation } = config;
  const redact = redactor(secretsOf(config));
  const kv = instrumentedKv(platform.kv, (asked) => {
    processMetrics.kv.add(asked);
    telemetry.countKv(asked);
  });
  const store = openStores(kv, { isHosted: config.hasHostedDatabase });
  const upstream = openUpstreams(config, {
    now,
    sleep,
    fetch,
    resolver: platform.resolver ?? nativeResolver(),
    store,
    watch: instrumentCalls({ processMetrics, telemetry }),
  });
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
    trafficHistory: trafficHistory({ now, store }),
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
