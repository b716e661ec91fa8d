/** Every rule of the store. */
import { ACCESS_RULES } from "./access.ts";
import { GRAPH_RULES } from "./graph.ts";
import { MEASURED_RULES } from "./measured.ts";
import { MONEY_RULES } from "./money.ts";
import { PROFILE_RULES } from "./profiles.ts";
import type { Rule } from "./rule.ts";

/** Every rule of the store: what has to be so of each record, after any crash. */
export const RULES: readonly Rule<never>[] = [
  ...ACCESS_RULES,
  ...MONEY_RULES,
  ...PROFILE_RULES,
  ...GRAPH_RULES,
  ...MEASURED_RULES,
];
