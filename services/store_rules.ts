/** All store rules. */
import { ACCESS_RULES } from "./accounts/store_rules.ts";
import { GRAPH_RULES } from "./profiles/follows/store_rules.ts";
import { CHAIN_DATA_RULES } from "./chain_data/store_rules.ts";
import { PLATFORM_RULES } from "./platform/store_rules.ts";
import { SCORE_RULES } from "./scores/store_rules.ts";
import { PAYMENT_RULES } from "./payments/store_rules.ts";
import { PROFILE_RULES } from "./profiles/store_rules.ts";
import type { Rule } from "./platform/kv/store_rule.ts";

/** All store rules. Each holds for every record of its kind, after any crash. */
export const RULES: readonly Rule<never>[] = [
  ...ACCESS_RULES,
  ...PAYMENT_RULES,
  ...PROFILE_RULES,
  ...GRAPH_RULES,
  ...CHAIN_DATA_RULES,
  ...SCORE_RULES,
  ...PLATFORM_RULES,
];
