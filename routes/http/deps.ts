/** Dependencies of the whole HTTP surface. */
import type { AttestationsDeps } from "../../services/attestations/attestations.ts";
import type { HealthProbes } from "../../services/platform/kv/store_format.ts";
import type { TrafficHistory } from "../../services/platform/observability/traffic.ts";
import type { ProfilesDeps } from "../../services/profiles/profiles.ts";
import type { DownloadsDeps } from "../../services/downloads/downloads.ts";

/** Dependencies of the routers. */
export type AppDeps = DownloadsDeps & ProfilesDeps & AttestationsDeps & {
  readonly store: HealthProbes;
  /** The requests of this process that wait to be recorded. */
  readonly trafficHistory: TrafficHistory;
  /** Where vulnerabilities are reported. Null if nowhere. */
  readonly securityContact: string | null;
};
