/** Dependencies of attestations. */
import type { ScoresDeps } from "../scores/deps.ts";
import type { attestationNonceStore } from "./nonces_store.ts";
import type { Attesting } from "./signers.ts";

/** What attestations use. */
export interface AttestationsDeps extends ScoresDeps {
  readonly attesting: Attesting;
  readonly store: ScoresDeps["store"] & {
    readonly attestationNonces: ReturnType<typeof attestationNonceStore>;
  };
}
