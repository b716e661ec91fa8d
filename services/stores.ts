/** Opens all stores over one database, and lists their records. */
import { API_KEY_RECORDS, apiKeyStore } from "./accounts/api_keys_store.ts";
import {
  attestationNonceStore,
  NONCE_RECORDS,
} from "./attestations/nonces_store.ts";
import { AUDIT_RECORDS, auditStore } from "./platform/kv/audit_store.ts";
import {
  blockSampleStore,
  MEASUREMENT_RECORDS,
  validatorDayStore,
} from "./chain_data/checks/measurements_store.ts";
import {
  BUDGET_RECORDS,
  budgetStore,
} from "./platform/rate_limit/call_budgets_store.ts";
import {
  CHAIN_RECORDS,
  chainStore,
} from "./chain_data/catalogue/chains_store.ts";
import {
  CHALLENGE_RECORDS,
  challengeStore,
} from "./accounts/challenges_store.ts";
import { DONATION_RECORDS, donationStore } from "./profiles/donations_store.ts";
import { entryStore, IMPORT_RECORDS } from "./platform/kv/entries_store.ts";
import {
  followerLookupStore,
  PENDING_FOLLOW_RECORDS,
  pendingWeightUpdateStore,
} from "./profiles/follows/pending_follows_store.ts";
import {
  followStore,
  GRAPH_RECORDS,
} from "./profiles/follows/follows_store.ts";
import {
  HUMAN_PROOF_RECORDS,
  humanProofStore,
} from "./profiles/human_proofs_store.ts";
import { HUMAN_RECORDS, humanStore } from "./profiles/verified_humans_store.ts";
import {
  type Collections,
  invariantStore,
  type Rule,
  type StoredRecords,
} from "./platform/kv/store_rule.ts";
import { COHORT_RECORDS } from "./scores/signals/cohorts_store.ts";
import { JOB_RECORDS, jobStore } from "./platform/jobs/jobs_store.ts";
import {
  SET_ASIDE_RECORDS,
  setAsideStore,
} from "./platform/kv/set_aside_store.ts";
import {
  TRAFFIC_RECORDS,
  trafficDayStore,
} from "./platform/observability/traffic_days_store.ts";
import {
  FORMAT_RECORDS,
  healthProbes,
  PING_RECORDS,
  storeIdentity,
} from "./platform/kv/store_format.ts";
import {
  PAYMENT_RECORDS,
  paymentStore,
  planStore,
} from "./payments/payments_store.ts";
import {
  PROFILE_RECORDS,
  profileImportStore,
  profileStore,
} from "./profiles/profiles_store.ts";
import {
  PUBLICATION_RECORDS,
  publicationStore,
} from "./chain_data/series/publications_store.ts";
import {
  READ_QUEUE_RECORDS,
  readQueueStore,
} from "./chain_data/series/read_queue_store.ts";
import { QUOTE_RECORDS, quoteStore } from "./payments/quotes_store.ts";
import {
  type ReadKey,
  sharedReads,
  type Tracked,
  trackedReads,
} from "./platform/kv/reads.ts";
import {
  DOWNLOAD_RECORDS,
  downloadStore,
  manifestStore,
} from "./downloads/downloads_store.ts";
import {
  DISPUTE_RECORDS,
  disputeStore,
  recheckStore,
} from "./chain_data/checks/disputes_store.ts";
import type { KeyedStores } from "./scores/scores.ts";
import {
  SCORE_RECORDS,
  scoreStore,
  waitingScoreStore,
} from "./scores/scores_store.ts";
import {
  SERIES_RECORDS,
  seriesStore,
} from "./chain_data/series/series_store.ts";
import { SESSION_RECORDS, sessionStore } from "./accounts/sessions_store.ts";
import { SIGNAL_RECORDS, signalStore } from "./scores/signals/signals_store.ts";
import {
  SOCIAL_PROOF_RECORDS,
  socialProofStore,
} from "./profiles/social_proofs_store.ts";
import { CALL_LOG_RECORDS, callLogStore } from "./accounts/call_log_store.ts";
import { USAGE_RECORDS, usageStore } from "./accounts/quota/usage_store.ts";

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
  MEASUREMENT_RECORDS,
  DOWNLOAD_RECORDS,
  NONCE_RECORDS,
  PROFILE_RECORDS,
  HUMAN_RECORDS,
  HUMAN_PROOF_RECORDS,
  SOCIAL_PROOF_RECORDS,
  DONATION_RECORDS,
  GRAPH_RECORDS,
  PENDING_FOLLOW_RECORDS,
  SCORE_RECORDS,
  SIGNAL_RECORDS,
  COHORT_RECORDS,
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
export const RULES: readonly Rule<never>[] = RECORDS.flatMap(({ rules }) =>
  rules
);

/** Every collection of the store. */
export const COLLECTIONS: Collections = joined(
  RECORDS.map(({ collections }) => collections),
);

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

/** All stores of a database. */
export type Stores =
  & ReturnType<typeof openCollections>
  & Tracked<KeyedStores>;

/** Facts about a database. */
interface DatabaseFacts {
  /** Whether each operation takes as long as the network. */
  readonly isHosted: boolean;
  /** Whether any registry of unique humans is asked. If none is, no proof counts. */
  readonly hasRegistries: boolean;
}

/** Opens all stores of a database, a local one by default. */
export function openStores(
  kv: Deno.Kv,
  facts: DatabaseFacts = { isHosted: false, hasRegistries: true },
): Stores {
  const read = sharedReads(kv, facts);
  return {
    ...openCollections(kv, read, facts),
    tracked() {
      const { read: tracking, versions } = trackedReads(read);
      return { store: openKeyed(kv, tracking, facts), versions };
    },
  };
}

/** Opens the stores whose versions a keyed score checks, over one reader. */
function openKeyed(
  kv: Deno.Kv,
  read: ReadKey,
  { hasRegistries }: DatabaseFacts,
): KeyedStores {
  return {
    apiKeys: apiKeyStore(kv, read),
    follows: followStore(kv, read),
    humanProofs: humanProofStore(kv, read, { hasRegistries }),
    plans: planStore(kv, read),
    profiles: profileStore(kv, read),
  };
}

function openCollections(kv: Deno.Kv, read: ReadKey, facts: DatabaseFacts) {
  return {
    ...openKeyed(kv, read, facts),
    attestationNonces: attestationNonceStore(kv),
    audit: auditStore(kv),
    blockSamples: blockSampleStore(kv),
    budgets: budgetStore(kv, read),
    callLogs: callLogStore(kv, read, facts),
    chains: chainStore(kv),
    challenges: challengeStore(kv),
    donations: donationStore(kv),
    entries: entryStore(kv, COLLECTIONS),
    followerLookups: followerLookupStore(kv, read),
    pendingWeightUpdates: pendingWeightUpdateStore(kv),
    humans: humanStore(kv),
    invariants: invariantStore(kv, read, RULES, COLLECTIONS),
    jobs: jobStore(kv),
    trafficDays: trafficDayStore(kv),
    payments: paymentStore(kv, read),
    profileImports: profileImportStore(kv),
    publications: publicationStore(kv),
    quotes: quoteStore(kv, read),
    disputes: disputeStore(kv),
    downloads: downloadStore(kv),
    manifests: manifestStore(kv),
    readQueue: readQueueStore(kv),
    rechecks: recheckStore(kv),
    scores: scoreStore(kv, read),
    series: seriesStore(kv),
    sessions: sessionStore(kv),
    setAside: setAsideStore(kv),
    identity: storeIdentity(kv),
    signals: signalStore(kv, read),
    socialProofs: socialProofStore(kv),
    usage: usageStore(kv, read, facts),
    validatorDays: validatorDayStore(kv),
    waitingScores: waitingScoreStore(kv),
    ...healthProbes(kv),
  };
}
