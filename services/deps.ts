/** Joins the settings, stores and clients into the dependencies of all capabilities. */
import { describeCapacity, readColdReads } from "./scores/capacity.ts";
import { callLog } from "./accounts/call_log_store.ts";
import { findSignals } from "./scores/signals/address_signals.ts";
import { SCORE_PATIENCE_MS } from "./scores/public_scores.ts";
import { MODEL_SCHEDULE } from "./model/model.ts";
import {
  type AttestationsDeps,
  localSigner,
} from "./attestations/attestations.ts";
import { type Config, secretsOf } from "./config.ts";
import {
  instrumentCalls,
  openProcessMetrics,
} from "./platform/observability/process_metrics.ts";
import { networkList } from "./platform/rate_limit/networks.ts";
import { createLog, type WriteLine } from "./platform/observability/log.ts";
import {
  type TrafficHistory,
  trafficHistory,
} from "./platform/observability/traffic.ts";
import { redactor } from "./platform/observability/redact.ts";
import { shareWork } from "./platform/cache.ts";
import { instrumentedKv, type Stopwatch } from "./platform/kv/database.ts";
import { runningJobs } from "./platform/jobs/job_run.ts";
import { openStores, type Stores } from "./stores.ts";
import { openUpstreams, type Upstreams } from "./upstreams.ts";
import { SILENT, type Telemetry } from "./platform/observability/telemetry.ts";
import { timeoutSignal } from "./platform/clock.ts";
import { nativeResolver, type Resolver } from "./profiles/dns_client.ts";
import type { DownloadsDeps } from "./downloads/downloads.ts";

/** Dependencies of the whole service. */
export interface Deps extends AttestationsDeps, DownloadsDeps {
  readonly store: Stores;
  readonly upstream: Upstreams;
  readonly trafficHistory: TrafficHistory;
  /** Where vulnerabilities are reported. Null if nowhere. */
  readonly securityContact: string | null;
}

/**
 * What the runtime provides and tests replace: clock, timers, log output,
 * database, network.
 */
export interface Runtime extends Pick<Deps, "now" | "sleep"> {
  /** By the real clock by default. */
  readonly timeout?: Deps["timeout"];
  readonly write: WriteLine;
  /** Without it nothing is traced. */
  readonly telemetry?: Telemetry;
  readonly kv: Deno.Kv;
  /** Bounds the operations of the database; real time by default. */
  readonly stopwatch?: Stopwatch;
  readonly fetch: typeof fetch;
  /** The system's resolver by default. */
  readonly resolver?: Resolver;
  /** By default the database is on another machine. */
  readonly readDisk?: Deps["readDisk"];
}

/** Opens all dependencies. */
export function openDeps(config: Config, platform: Runtime): Deps {
  const { now, sleep, write, fetch, telemetry = SILENT } = platform;
  const { timeout = timeoutSignal } = platform;
  const processMetrics = openProcessMetrics({ now }, telemetry);
  const { attestation } = config;
  const redact = redactor(secretsOf(config));
  const kv = instrumentedKv(platform.kv, (asked) => {
    processMetrics.kv.add(asked);
    telemetry.countKv(asked);
  }, platform.stopwatch);
  const store = openStores(kv, {
    isHosted: config.hasHostedDatabase,
    hasRegistries: Object.keys(config.proofChainUrls).length > 0,
  });
  const runs = runningJobs();
  const upstream = openUpstreams(config, {
    now,
    sleep,
    timeout,
    stopping: runs.stopping,
    fetch: (input, init) =>
      fetch(input, {
        ...init,
        signal: AbortSignal.any([
          ...init?.signal ? [init.signal] : [],
          runs.cutOff,
        ]),
      }),
    resolver: platform.resolver ?? nativeResolver(),
    store,
    watch: instrumentCalls({ processMetrics, telemetry }),
  });
  return {
    now,
    sleep,
    timeout,
    log: createLog({ now, write, redact, telemetry, processMetrics }),
    telemetry,
    processMetrics,
    store,
    upstream,
    readDisk: platform.readDisk ?? (() => Promise.resolve(null)),
    share: shareWork(now),
    callLog: callLog({ now, store }),
    trafficHistory: trafficHistory({ now, store }),
    runningJobs: runs,
    publicUrl: config.publicUrl,
    openRequestsPerMinute: config.openRequestsPerMinute,
    proxies: {
      ...config.proxies,
      isTrusted: config.proxies.networks &&
        networkList(config.proxies.networks),
    },
    securityContact: config.securityContact,
    chainId: config.chainId,
    describeCapacity: () => describeCapacity({ upstream }),
    readColdReads: (of) => readColdReads({ upstream }, of),
    async findSlug(wallet) {
      return (await store.profiles.find(wallet))?.slug ?? null;
    },
    async findFirstTxAt(address) {
      const [held] = await findSignals({ now, store, upstream }, [address]);
      return held?.signals.firstTxAt ?? null;
    },
    async findOrigins(addresses) {
      const deps = { now, store, upstream };
      return (await findSignals(deps, addresses)).map((held, nth) => ({
        address: addresses[nth]!,
        funder: held?.signals.funding?.funder ?? null,
        sweptTo: held?.signals.sweptTo ?? null,
      }));
    },
    payment: {
      token: config.usdcAddress,
      treasury: config.treasuryAddress,
      coldReadShare: config.coldReadShare,
    },
    modelSchedule: MODEL_SCHEDULE,
    scorePatienceMs: SCORE_PATIENCE_MS,
    manifestSigning: config.manifestSigning,
    metricFilesDays: config.metricFilesDays,
    attesting: {
      signing: attestation && {
        signer: localSigner(attestation.privateKey, config.formerSigners),
        contract: attestation.contract,
      },
      formerSigners: config.formerSigners,
    },
  };
}
