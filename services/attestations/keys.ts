/** KV keys of attestations. */

/** The last nonce of the attestations of an address. */
export const attestationNonce = (subject: string) => [
  "attestation_nonces",
  subject,
];
