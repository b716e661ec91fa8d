/** Payers of quota tests: a wallet and one of its keys. */
import type { Payer } from "../../services/accounts/quota/usage_store.ts";
import { NO_USAGE, usageOf } from "../../services/accounts/quota/quota.ts";

/** Returns the payer of a key that was never replaced. */
export const payerOf = (wallet: string, keyId: string): Payer => ({
  wallet,
  keyId,
  originId: keyId,
});

/** The usage of a key that was never used. */
export const NOTHING = usageOf(NO_USAGE, payerOf("", ""));
