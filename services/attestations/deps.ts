/** Dependencies and stores of attestations. */
import type { ScoresDeps } from "../scores/deps.ts";
import type { attestationNonceStore } from "./nonces_store.ts";
import type { Attesting } from "./signers.ts";

/** Dependencies of attestations. */
export interface AttestationsDeps extends ScoresDeps {
  readonly attesting: Attesting;
  readonly store: ScoresDeps["store"] & {
    readonly attestationNonces: ReturnType<typeof attestationNonceStore>;
  };
}
