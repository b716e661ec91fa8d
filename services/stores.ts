/** Opens all stores over one database. */
import { apiKeyStore } from "./accounts/api_keys_store.ts";
import { attestationNonceStore } from "./attestations/nonces_store.ts";
import { auditStore } from "./platform/kv/audit_store.ts";
import { blockSampleStore } from "./chain_data/checks/block_samples_store.ts";
import { budgetStore } from "./platform/rate_limit/call_budgets_store.ts";
import { chainStore } from "./chain_data/catalogue/chains_store.ts";
import { challengeStore } from "./accounts/challenges_store.ts";
import { donationStore } from "./profiles/donations_store.ts";
import { entryStore } from "./platform/backup/entries_store.ts";
import { pendingWeightUpdateStore } from "./profiles/follows/pending_weight_updates_store.ts";
import { followerLookupStore } from "./profiles/follows/follower_lookups_store.ts";
import { followStore } from "./profiles/follows/follows_store.ts";
import { humanProofStore } from "./profiles/proofs/human_proofs_store.ts";
import { humanStore } from "./profiles/verified_humans_store.ts";
import { invariantStore } from "./platform/kv/invariants_store.ts";
import { COLLECTIONS, RULES } from "./store_rules.ts";
import { jobStore } from "./platform/jobs/jobs_store.ts";
import { setAsideStore } from "./platform/kv/set_aside_store.ts";
import { trafficDayStore } from "./platform/observability/traffic_days_store.ts";
import { healthProbes } from "./platform/kv/health_store.ts";
import { paymentStore } from "./payments/payments_store.ts";
import { planStore } from "./payments/plans_store.ts";
import { profileImportStore } from "./profiles/import/profile_imports_store.ts";
import { profileStore } from "./profiles/profiles_store.ts";
import { publicationStore } from "./chain_data/series/publications_store.ts";
import { readQueueStore } from "./chain_data/series/read_queue_store.ts";
import { quoteStore } from "./payments/quotes_store.ts";
import {
  type ReadKey,
  sharedReads,
  type Tracked,
  trackedReads,
} from "./platform/kv/shared_reads.ts";
import { downloadStore } from "./downloads/downloads_store.ts";
import { manifestStore } from "./downloads/downloads_store.ts";
import {
  disputeStore,
  recheckStore,
} from "./chain_data/checks/disputes_store.ts";
import { storeIdentity } from "./platform/kv/store_format.ts";
import type { KeyedStores } from "./scores/deps.ts";
import { scoreStore } from "./scores/scores_store.ts";
import { seriesStore } from "./chain_data/series/series_store.ts";
import { sessionStore } from "./accounts/sessions_store.ts";
import { signalStore } from "./scores/signals/signals_store.ts";
import { socialProofStore } from "./profiles/socials/social_proofs_store.ts";
import { callLogStore } from "./accounts/calls/call_log_store.ts";
import { usageStore } from "./accounts/quota/usage_store.ts";
import { validatorDayStore } from "./chain_data/checks/validator_snapshots_store.ts";
import { waitingScoreStore } from "./scores/waiting_scores_store.ts";

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
