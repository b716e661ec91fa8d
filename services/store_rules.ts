/** The rules and the collections of the whole store. */
import { API_KEY_RECORDS } from "./accounts/api_keys_store.ts";
import { CHALLENGE_RECORDS } from "./accounts/challenges_store.ts";
import { SESSION_RECORDS } from "./accounts/sessions_store.ts";
import { NONCE_RECORDS } from "./attestations/nonces_store.ts";
import { CALL_LOG_RECORDS } from "./accounts/calls/call_log_store.ts";
import { USAGE_RECORDS } from "./accounts/quota/usage_store.ts";
import { BLOCK_SAMPLE_RECORDS } from "./chain_data/checks/block_samples_store.ts";
import { CHAIN_RECORDS } from "./chain_data/catalogue/chains_store.ts";
import { DISPUTE_RECORDS } from "./chain_data/checks/disputes_store.ts";
import { PUBLICATION_RECORDS } from "./chain_data/series/publications_store.ts";
import { READ_QUEUE_RECORDS } from "./chain_data/series/read_queue_store.ts";
import { SERIES_RECORDS } from "./chain_data/series/series_store.ts";
import { VALIDATOR_DAY_RECORDS } from "./chain_data/checks/validator_snapshots_store.ts";
import { DOWNLOAD_RECORDS } from "./downloads/downloads_store.ts";
import { PAYMENT_RECORDS } from "./payments/payments_store.ts";
import { QUOTE_RECORDS } from "./payments/quotes_store.ts";
import { AUDIT_RECORDS } from "./platform/kv/audit_store.ts";
import { BUDGET_RECORDS } from "./platform/rate_limit/call_budgets_store.ts";
import { FORMAT_RECORDS } from "./platform/kv/store_format.ts";
import { IMPORT_RECORDS } from "./platform/backup/entries_store.ts";
import { JOB_RECORDS } from "./platform/jobs/jobs_store.ts";
import { PING_RECORDS } from "./platform/kv/health_store.ts";
import { SET_ASIDE_RECORDS } from "./platform/kv/set_aside_store.ts";
import { TRAFFIC_RECORDS } from "./platform/observability/traffic_days_store.ts";
import { GRAPH_RULES } from "./profiles/follows/store_rules.ts";
import { PROFILE_RULES } from "./profiles/store_rules.ts";
import { COLLECTIONS as PROFILES } from "./profiles/keys.ts";
import { SCORE_RULES } from "./scores/store_rules.ts";
import { COLLECTIONS as SCORES } from "./scores/keys.ts";
import type { Collections } from "./platform/kv/collection.ts";
import type { Rule, StoredRecords } from "./platform/kv/store_rule.ts";

/** The records of stores that list them. */
const RECORDS: readonly StoredRecords[] = [
  PAYMENT_RECORDS,
  QUOTE_RECORDS,
  API_KEY_RECORDS,
  CHALLENGE_RECORDS,
  SESSION_RECORDS,
  USAGE_RECORDS,
  CALL_LOG_RECORDS,
  CHAIN_RECORDS,
  SERIES_RECORDS,
  PUBLICATION_RECORDS,
  READ_QUEUE_RECORDS,
  DISPUTE_RECORDS,
  BLOCK_SAMPLE_RECORDS,
  VALIDATOR_DAY_RECORDS,
  DOWNLOAD_RECORDS,
  NONCE_RECORDS,
  AUDIT_RECORDS,
  BUDGET_RECORDS,
  FORMAT_RECORDS,
  IMPORT_RECORDS,
  JOB_RECORDS,
  PING_RECORDS,
  SET_ASIDE_RECORDS,
  TRAFFIC_RECORDS,
];

/** All store rules. Each holds for every record of its kind, after any crash. */
export const RULES: readonly Rule<never>[] = [
  ...PROFILE_RULES,
  ...GRAPH_RULES,
  ...RECORDS.flatMap(({ rules }) => rules),
  ...SCORE_RULES,
];

/** Every collection of the store. */
export const COLLECTIONS: Collections = joined([
  ...RECORDS.map(({ collections }) => collections),
  PROFILES,
  SCORES,
]);

/** Joins collections. Throws if two stores have one of the same name. */
function joined(parts: readonly Collections[]): Collections {
  const all: Record<string, Collections[string]> = {};
  for (const [name, collection] of parts.flatMap(Object.entries)) {
    if (Object.hasOwn(all, name)) {
      throw new Error(`Cannot open ${name}: two stores have this collection`);
    }
    all[name] = collection;
  }
  return all;
}
