/** `GET /api/v1` describes the scoring API, `GET /api/v1/health` probes it. */
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { HealthAnswer, ScoringAnswer } from "./scoring_api_schema.ts";
import { NoQuery } from "../../services/platform/wire_schema.ts";
import { EXPOSED_HEADERS } from "../http/representation.ts";
import type { AppDeps } from "../http/deps.ts";
import { SERVICE_LINKS } from "../http/paths.ts";
import { BAD_QUERY, json, newRouter } from "../http/router.ts";
import { anyOrigin } from "../http/cors.ts";
import { ALLOWANCE_HEADERS } from "../http/rate_limit_headers.ts";
import { VERSION } from "../../services/platform/version.ts";
import { reasonOf } from "../../services/model/reasons.ts";
import { FIXTURE_ADDRESSES } from "../../services/scores/test_addresses_schema.ts";
import {
  BAND_NAMES,
  CONFIDENCE_BANDS,
  CONFIDENCE_DETAILS,
  GRAPH_FLAG_NAMES,
  GRAPH_FLAGS,
  TIER_IDS,
  TIERS,
} from "../../services/model/score_terms_schema.ts";
import { HOUR_MS } from "../../services/platform/days.ts";
import { describeAttesting } from "../../services/attestations/signers.ts";
import { formatUsdc } from "../../services/payments/money.ts";
import { withTimeout } from "../../services/platform/with_timeout.ts";
import { SIGNALS_FRESH_MS } from "../../services/scores/signals/signal_freshness.ts";
import type { HealthProbes } from "../../services/platform/kv/health_store.ts";
import {
  HISTORY_DAYS,
  MAX_ADDRESSES,
} from "../../services/scores/score_requests_schema.ts";
import type { Clock } from "../../services/platform/clock.ts";
import { modelsOf } from "../../services/scores/scores.ts";
import { METHOD, tablesHashOf } from "../../services/model/model.ts";
import type { AttestationsDeps } from "../../services/attestations/attestations.ts";
import { REASON_CODES } from "../../services/model/reasons_schema.ts";
import { ERROR_CODES } from "../../services/platform/error_codes_schema.ts";
import {
  describeCapacity,
  readCapacityUse,
} from "../../services/scores/capacity.ts";
import {
  BURST_NAMES,
  BURSTS,
  METERED,
  PLAN_NAMES,
  PLANS,
} from "../../services/payments/plans_schema.ts";

const getScoring = createRoute({
  operationId: "getScoring",
  description:
    "Everything a program needs to know about the scoring API without reading the guides. It needs no key.",
  tags: ["Service"],
  method: "get",
  path: "/",
  summary:
    "Describe this API: endpoints, plans, limits, tiers, reasons, flags and error codes",
  request: { query: NoQuery },
  responses: {
    200: json(ScoringAnswer, "The description"),
    ...BAD_QUERY,
  },
});

const getHealth = createRoute({
  operationId: "getHealth",
  description:
    "Reads the database once and waits at most a second. Use it as a readiness probe. It needs no key.",
  tags: ["Service"],
  method: "get",
  path: "/health",
  summary: "Probe the service and its database",
  request: { query: NoQuery },
  responses: {
    200: json(HealthAnswer, "The service works"),
    ...BAD_QUERY,
    503: json(
      HealthAnswer,
      "The database does not answer, or the process stops",
    ),
  },
});

/** Serves the description and the health probe. Neither needs a key, so scripts of any origin may read them. */
export function about(deps: AppDeps): OpenAPIHono {
  const router = newRouter();
  const allowScripts = anyOrigin([
    ...EXPOSED_HEADERS,
    ...ALLOWANCE_HEADERS,
  ]);
  for (const path of ["/", "/health"]) router.use(path, allowScripts);
  return router
    .openapi(getScoring, async (c) => {
      // A shared cache would give one client's allowance to another.
      c.header("Cache-Control", "private, max-age=300");
      c.header("Link", SERVICE_LINKS);
      return c.json(await describeScoring(deps), 200);
    })
    .openapi(getHealth, async (c) => {
      c.header("Cache-Control", "no-store");
      const health = await readHealth(deps);
      return c.json(health, health.status === "ok" ? 200 : 503);
    });
}

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
async function describeScoring(
  deps: Pick<
    AttestationsDeps,
    | "attesting"
    | "chainId"
    | "modelSchedule"
    | "now"
    | "openRequestsPerMinute"
    | "upstream"
  >,
): Promise<ScoringAnswer> {
  const { current, next } = modelsOf(deps, deps.now().getTime());
  const { used, left } = await readCapacityUse(deps)
    .catch(() => ({ used: null, left: null }));
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
    capacity: { ...describeCapacity(deps), used, left },
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
      headline: METHOD,
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

/** Probes the database, for at most a second. A process that stops is degraded. */
async function readHealth(
  { now, runningJobs, store }:
    & Clock
    & Pick<AttestationsDeps, "runningJobs">
    & { readonly store: Pick<HealthProbes, "ping"> },
): Promise<HealthAnswer> {
  const isUp = await withTimeout(store.ping(), HEALTH_MS)
    .then(() => true, () => false);
  return {
    status: isUp && !runningJobs.isStopping() ? "ok" : "degraded",
    version: VERSION,
    db: isUp ? "ok" : "unreachable",
    time: now().toISOString(),
  };
}
