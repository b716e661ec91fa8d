/** Dependencies that every capability may use. */
import type { NetworkList } from "../rate_limit/networks.ts";
import type { Clock, TimeLimits, Timer } from "../clock.ts";
import type { ShareWork } from "../cache.ts";
import type { entryStore } from "../kv/entries_store.ts";
import type { jobStore } from "../jobs/jobs_store.ts";
import type { RunningJobs } from "../jobs/job_run.ts";
import type { auditStore } from "../kv/audit_store.ts";
import type { invariantStore } from "../kv/store_rule.ts";
import type { setAsideStore } from "../kv/set_aside_store.ts";
import type { storeIdentity } from "../kv/store_format.ts";
import type { Log } from "../observability/log.ts";
import type { trafficDayStore } from "../observability/traffic_days_store.ts";
import type { ProcessMetrics } from "../observability/process_metrics.ts";
import type { Telemetry } from "../observability/telemetry.ts";
import type { BudgetStore } from "../rate_limit/call_budgets_store.ts";

/** Collections that belong to no other capability. */
interface PlatformStores {
  readonly audit: ReturnType<typeof auditStore>;
  readonly budgets: BudgetStore;
  readonly entries: ReturnType<typeof entryStore>;
  readonly identity: ReturnType<typeof storeIdentity>;
  readonly invariants: ReturnType<typeof invariantStore>;
  readonly jobs: ReturnType<typeof jobStore>;
  readonly setAside: ReturnType<typeof setAsideStore>;
  readonly trafficDays: ReturnType<typeof trafficDayStore>;
}

/** The proxies in front of the service. */
interface TrustedProxies {
  /** How many there are in a row. Each adds its client to X-Forwarded-For. */
  readonly hops: number;
  /** Whether an address is that of such a proxy; null if any address may be. */
  readonly isTrusted: NetworkList | null;
  /** Whether clients may reach the port beside the proxies and choose their address. */
  readonly isBypassable: boolean;
}

/** The room that a database file takes and has, in bytes. */
export interface DiskSpace {
  readonly used: number;
  /** What the disk has left for it. */
  readonly free: number;
}

/** Dependencies that every capability may use. */
export interface PlatformDeps extends Clock, Timer, TimeLimits {
  readonly log: Log;
  readonly telemetry: Telemetry;
  readonly processMetrics: ProcessMetrics;
  readonly share: ShareWork;
  /** The job runs of this process. */
  readonly runningJobs: RunningJobs;
  /** Base of links, without a slash at its end. */
  readonly publicUrl: string;
  /** Requests without a key that one network may make a minute. */
  readonly openRequestsPerMinute: number;
  readonly proxies: TrustedProxies;
  /** Chain id of wallets, payments and attestations (EIP-155). */
  readonly chainId: number;
  /** Reads the room of the database; null if it is not a file of this machine. */
  readonly readDisk: () => Promise<DiskSpace | null>;
  readonly store: PlatformStores;
}
