/** A service that signs, for tests: its key, its contract, and its settings. */
import { privateKeyToAddress } from "viem/accounts";

/** The key that signs. */
export const SIGNER_KEY = `0x${"51".repeat(32)}` as const;

/** The address of the key, lower-case. */
export const SIGNER = privateKeyToAddress(SIGNER_KEY).toLowerCase();

/** The contract that is signed for. */
export const CONTRACT = `0x${"c0".repeat(20)}` as const;

/** The settings of a deployment that signs. */
export const SIGNING = {
  ATTESTATION_PRIVATE_KEY: SIGNER_KEY,
  ATTESTATION_CONTRACT: CONTRACT,
} as const;
