/** KV keys of attestations. */
import type { Collections } from "../platform/kv/collection.ts";
import { DAY_MS } from "../platform/days.ts";

/** The collections of attestations. */
export const COLLECTIONS = {
  // After 30 days every clock has passed a nonce that was derived from the time.
  attestation_nonces: { expireMs: 30 * DAY_MS, isIndependent: true },
} as const satisfies Collections;

/** The last nonce of the attestations of an address. */
export const attestationNonce = (subject: string) => [
  "attestation_nonces",
  subject,
];
