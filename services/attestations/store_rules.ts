/** Store rules of attestations. */
import { ANY, type Rule } from "../platform/kv/store_rule.ts";
import * as keys from "./keys.ts";

const nonce: Rule<number> = {
  name: "attestation-nonce",
  of: keys.attestationNonce(ANY),
  invariant: "the last nonce of a subject is a positive integer",
  holds: ({ value }) => Number.isSafeInteger(value) && value > 0,
};

/** The rules of attestations. */
export const ATTESTATION_RULES: readonly Rule<never>[] = [nonce];
