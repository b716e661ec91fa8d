/** The rules and the collections of the whole store. */
import { ACCESS_RULES } from "./accounts/store_rules.ts";
import { COLLECTIONS as ACCOUNTS } from "./accounts/keys.ts";
import { ATTESTATION_RULES } from "./attestations/store_rules.ts";
import { COLLECTIONS as ATTESTATIONS } from "./attestations/keys.ts";
import { CHAIN_DATA_RULES } from "./chain_data/store_rules.ts";
import { COLLECTIONS as CHAIN_DATA } from "./chain_data/keys.ts";
import { DOWNLOAD_RULES } from "./downloads/store_rules.ts";
import { PAYMENT_RULES } from "./payments/store_rules.ts";
import { COLLECTIONS as PAYMENTS } from "./payments/keys.ts";
import { PLATFORM_RULES } from "./platform/store_rules.ts";
import { COLLECTIONS as PLATFORM } from "./platform/kv/keys.ts";
import { GRAPH_RULES } from "./profiles/follows/store_rules.ts";
import { PROFILE_RULES } from "./profiles/store_rules.ts";
import { COLLECTIONS as PROFILES } from "./profiles/keys.ts";
import { SCORE_RULES } from "./scores/store_rules.ts";
import { COLLECTIONS as SCORES } from "./scores/keys.ts";
import type { Collections } from "./platform/kv/collection.ts";
import type { Rule } from "./platform/kv/store_rule.ts";

/** All store rules. Each holds for every record of its kind, after any crash. */
export const RULES: readonly Rule<never>[] = [
  ...ACCESS_RULES,
  ...PAYMENT_RULES,
  ...PROFILE_RULES,
  ...GRAPH_RULES,
  ...CHAIN_DATA_RULES,
  ...DOWNLOAD_RULES,
  ...SCORE_RULES,
  ...ATTESTATION_RULES,
  ...PLATFORM_RULES,
];

/** Every collection of the store. */
export const COLLECTIONS: Collections = {
  ...ACCOUNTS,
  ...ATTESTATIONS,
  ...CHAIN_DATA,
  ...PAYMENTS,
  ...PLATFORM,
  ...PROFILES,
  ...SCORES,
};
