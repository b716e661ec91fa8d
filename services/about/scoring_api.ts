/** The scoring API described for machines, and its health. */
import { HOUR_MS } from "../platform/days.ts";
import { SIGNALS_FRESH_MS } from "../scores/signals/signal_freshness.ts";
import { withTimeout } from "../platform/with_timeout.ts";
import { describeAttesting } from "../attestations/signers.ts";
import { FIXTURE_ADDRESSES } from "../scores/test_keys/test_addresses_schema.ts";
import { type HealthAnswer, type ScoringAnswer } from "./scoring_api_schema.ts";
import {
  HISTORY_DAYS,
  MAX_ADDRESSES,
} from "../scores/score_requests_schema.ts";
import { VERSION } from "../platform/version.ts";
import {
  BURST_NAMES,
  BURSTS,
  METERED,
  PLAN_NAMES,
  PLANS,
} from "../payments/plans_schema.ts";
import {
  BAND_NAMES,
  CONFIDENCE_BANDS,
  CONFIDENCE_DETAILS,
  GRAPH_FLAG_NAMES,
  GRAPH_FLAGS,
  TIER_IDS,
  TIERS,
} from "../scores/model/score_terms_schema.ts";
import { reasonOf } from "../scores/model/reasons.ts";
import { REASON_CODES } from "../scores/model/reasons_schema.ts";
import { ERROR_CODES } from "../platform/error_codes_schema.ts";
import type { AttestationsDeps } from "../attestations/deps.ts";
import type { Clock } from "../platform/clock.ts";
import type { HealthProbes } from "../platform/kv/health_store.ts";
import { formatUsdc } from "../payments/money.ts";
import { METHODS, tablesHashOf } from "../scores/model/model.ts";
import { modelsOf } from "../scores/scores.ts";

/** Timeout of the health probe. */
const HEALTH_MS = 1_000;

const ENDPOINTS: ScoringAnswer["endpoints"] = [
  { method: "GET", path: "/api/v1", plan: null, units: "none" },
  { method: "GET", path: "/api/v1/health", plan: null, units: "none" },
  { method: "GET", path: "/api/v1/usage", plan: "free", units: "none" },
  {
    method: "GET",
    path: "/api/v1/score/{address}",
    plan: METERED.score.plan,
    units: "1",
  },
  {
    method: "POST",
    path: "/api/v1/score/batch",
    plan: METERED.batch.plan,
    units: "1 an address",
  },
  {
    method: "GET",
    path: "/api/v1/score/{address}/history",
    plan: METERED.history.plan,
    units: "1",
  },
  {
    method: "GET",
    path: "/api/v1/score/{address}/signed",
    plan: METERED.signed.plan,
    units: "1",
  },
  {
    method: "GET",
    path: "/api/tools/score-badge/{address}",
    plan: null,
    units: "none",
  },
];

/** Returns the description of the scoring API. */
export async function describeScoring(
  deps: Pick<
    AttestationsDeps,
    "attesting" | "chainId" | "modelSchedule" | "now" | "openRequestsPerMinute"
  >,
): Promise<ScoringAnswer> {
  const { current, next } = modelsOf(deps, deps.now().getTime());
  return {
    version: VERSION,
    endpoints: ENDPOINTS,
    plans: PLAN_NAMES.map((plan) => {
      const { label, requests, price, includes } = PLANS[plan];
      return {
        plan,
        label,
        requestsPer30Days: requests,
        priceUsdc: formatUsdc(price),
        includes: [...includes],
      };
    }),
    limits: {
      batchAddresses: MAX_ADDRESSES,
      historyDays: HISTORY_DAYS,
      bursts: Object.fromEntries(BURST_NAMES.map((name) => {
        const { requests, perMs } = BURSTS[name];
        return [name, { requests, perSeconds: perMs / 1000 }];
      })),
      signalCacheHours: SIGNALS_FRESH_MS / HOUR_MS,
      openRequestsPerMinute: deps.openRequestsPerMinute,
    },
    tiers: TIER_IDS.map((tier) => ({ tier, ...TIERS[tier] })),
    reasons: REASON_CODES.map(reasonOf),
    flags: GRAPH_FLAG_NAMES.map((flag) => ({
      flag,
      meaning: GRAPH_FLAGS[flag],
    })),
    bands: BAND_NAMES.map((band) => ({
      band,
      label: CONFIDENCE_BANDS[band],
      detail: CONFIDENCE_DETAILS[band],
    })),
    errorCodes: [...ERROR_CODES],
    testAddresses: [...FIXTURE_ADDRESSES],
    models: {
      response: current.id,
      ...METHODS,
      tables: tablesHashOf(current),
    },
    ...next && {
      next: {
        model: next.model.id,
        announcedOn: next.announcedOn,
        usedFrom: next.usedFrom,
        tables: tablesHashOf(next.model),
      },
    },
    attestation: await describeAttesting(deps),
  };
}

/** Probes the database, for at most a second. */
export async function readHealth(
  { now, store }: Clock & { readonly store: Pick<HealthProbes, "ping"> },
): Promise<HealthAnswer> {
  const isUp = await withTimeout(store.ping(), HEALTH_MS)
    .then(() => true, () => false);
  return {
    status: isUp ? "ok" : "degraded",
    version: VERSION,
    db: isUp ? "ok" : "unreachable",
    time: now().toISOString(),
  };
}
