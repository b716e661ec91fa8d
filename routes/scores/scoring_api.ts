/** `GET /api/v1` describes the scoring API, `GET /api/v1/health` probes it. */
import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { Day, Instant, NoQuery } from "../../services/platform/wire_schema.ts";
import { EXPOSED_HEADERS } from "../http/representation.ts";
import type { AppDeps } from "../http/deps.ts";
import { SERVICE_LINKS } from "../http/paths.ts";
import { anyOrigin, BAD_QUERY, json, newRouter } from "../http/router.ts";
import { ALLOWANCE_HEADERS } from "../http/rate_limit_headers.ts";
import { VERSION } from "../../services/platform/version.ts";
import { reasonOf } from "../../services/model/reasons.ts";
import {
  FIXTURE_ADDRESSES,
  SCORED_FIXTURES,
} from "../../services/scores/test_key_answers.ts";
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
import {
  type AttestationsDeps,
  describeAttesting,
} from "../../services/attestations/attestations.ts";
import {
  BURST_NAMES,
  BURSTS,
  formatUsdc,
  METERED,
  PLAN_NAMES,
  type PlanName,
  PLANS,
} from "../../services/payments/plans_schema.ts";
import { type Clock, withTimeout } from "../../services/platform/clock.ts";
import { SIGNALS_FRESH_MS } from "../../services/scores/signals/signal_freshness.ts";
import type { HealthProbes } from "../../services/platform/kv/store_format.ts";
import {
  HISTORY_DAYS,
  MAX_ADDRESSES,
  MODEL_TABLES,
} from "../../services/model/scores_schema.ts";
import { METHOD, modelsAt, tablesHashOf } from "../../services/model/model.ts";
import {
  REASON_CODES,
  REASON_KINDS,
  REASONS,
} from "../../services/model/reasons_schema.ts";
import { ERROR_CODES } from "../../services/platform/error_codes_schema.ts";
import {
  describeCapacity,
  readCapacityUse,
} from "../../services/scores/capacity.ts";
import { AttestationInfo } from "../../services/attestations/attestations_schema.ts";
import {
  PlanColdReads,
  PlanLabel,
} from "../../services/payments/payments_schema.ts";
import { LowerCaseAddress } from "../../services/platform/address_schema.ts";

/** The version of the scoring API in an answer. */
const Version = z.string().meta({
  description: "Version of the scoring API",
  example: VERSION,
});

/** The answer of `GET /health`. */
export const HealthAnswer = z.object({
  status: z.enum(["ok", "degraded"]).meta({
    description: "degraded: the database does not answer, or the process stops",
    example: "ok",
  }),
  version: Version,
  db: z.enum(["ok", "unreachable"]).meta({
    description: "Whether the database answers within a second",
    example: "ok",
  }),
  time: Instant.meta({ description: "When the check was made" }),
}).meta({ id: "Health" });
/** The answer of `GET /health`. */
export type HealthAnswer = z.infer<typeof HealthAnswer>;

/** The answer of `GET /api/v1`. */
export const ScoringAnswer = z.object({
  version: Version,
  endpoints: z.array(z.object({
    method: z.string().meta({ description: "HTTP method", example: "GET" }),
    path: z.string().meta({
      description: "Path, with {address} in place of an address",
      example: "/api/v1/score/{address}",
    }),
    plan: z.enum(PLAN_NAMES).nullable().meta({
      description:
        "The lowest plan that includes the endpoint; null if no key is needed",
      example: "free",
    }),
    units: z.string().meta({
      description: "Units that a request costs",
      example: "1",
    }),
  })).meta({ description: "The endpoints of the scoring API" }),
  plans: z.array(z.object({
    plan: z.enum(PLAN_NAMES).meta({
      description: "Id of the plan",
      example: "builder",
    }),
    label: PlanLabel,
    requestsPer30Days: z.int().meta({
      description: "Quota: units in any 30 days",
      example: PLANS.builder.requests,
    }),
    priceUsdc: z.string().meta({
      description: "Price of 30 days in USDC",
      example: "49.00",
    }),
    includes: z.array(z.string()).meta({
      description: "Features added to those of the lower plans",
      example: [...PLANS.builder.includes],
    }),
  })).meta({ description: "The plans, lowest first" }),
  limits: z.object({
    batchAddresses: z.int().meta({
      description: "Maximum number of addresses in a batch",
      example: MAX_ADDRESSES,
    }),
    historyDays: z.int().meta({
      description: "Maximum number of days in a history",
      example: 90,
    }),
    bursts: z.record(
      z.string(),
      z.object({
        requests: z.int().meta({
          description: "Maximum number of requests per key",
          example: 60,
        }),
        perSeconds: z.int().meta({
          description: "Length of the window in seconds",
          example: 60,
        }),
      }),
    ).meta({
      description: "Burst limits per key, by kind of request",
      example: { single: { requests: 60, perSeconds: 60 } },
    }),
    signalCacheHours: z.int().meta({
      description: "Hours for which stored signals count as fresh",
      example: 24,
    }),
    openRequestsPerMinute: z.int().meta({
      description:
        "Requests without a key that one network may make per minute, also all at once",
      example: 6000,
    }),
  }).meta({ description: "Limits of single requests, and rate limits" }),
  capacity: z.object({
    perMinute: z.int().meta({
      description: "Cold reads a minute, of all wallets together",
      example: 120,
    }),
    perDay: z.int().meta({
      description: "Cold reads a day, of all wallets together",
      example: 9_800,
    }),
    used: z.int().nullable().meta({
      description: "Calls of the last 24 hours; null if they cannot be read",
      example: 1_200,
    }),
    left: z.int().nullable().meta({
      description:
        "Cold reads that are left now, null if unknown; the last half of `perDay` is for paid plans, as `plans` says",
      example: 8_600,
    }),
    plans: z.array(PlanColdReads).meta({
      description: "The part of one wallet by plan, lowest first",
    }),
  }).meta({
    description:
      "Cold reads that the source allows: scores of addresses that nobody has read for a day. All other scores need no call",
  }),
  tiers: z.array(z.object({
    tier: z.enum(TIER_IDS).meta({
      description: "Id of the tier",
      example: "elite",
    }),
    label: z.string().meta({
      description: "Display label of the tier",
      example: "Elite",
    }),
    index: z.int().meta({
      description: "Rank of the tier, from 0; attestations carry this number",
      example: 4,
    }),
  })).meta({ description: "The tiers, lowest first" }),
  reasons: z.array(z.object({
    code: z.string().meta({
      description: "Machine-readable code of the reason",
      example: "HIGH_ACTIVITY",
    }),
    kind: z.enum(REASON_KINDS).meta({
      description:
        "coverage: evidence is missing; risk: lowers the score; positive: raises it",
      example: "positive",
    }),
    dimension: z.string().meta({
      description: "Dimension that the reason concerns",
      example: "activity",
    }),
    title: z.string().meta({
      description: "Short title for display",
      example: REASONS.HIGH_ACTIVITY[2],
    }),
    detail: z.string().meta({
      description: "Explanation for display",
      example: REASONS.HIGH_ACTIVITY[3],
    }),
  })).meta({ description: "All reasons that an explanation can list" }),
  flags: z.array(z.object({
    flag: z.string().meta({
      description: "Name of the flag",
      example: "follow_ring",
    }),
    meaning: z.string().meta({
      description: "What the flag stands for",
      example: GRAPH_FLAGS.follow_ring,
    }),
  })).meta({ description: "All anomaly flags of a follower graph" }),
  bands: z.array(z.object({
    band: z.enum(BAND_NAMES).meta({
      description: "Id of the band",
      example: "high",
    }),
    label: z.string().meta({
      description: "Display label of the band",
      example: CONFIDENCE_BANDS.high,
    }),
    detail: z.string().meta({
      description: "Explanation of the band for display",
      example: CONFIDENCE_DETAILS.high,
    }),
  })).meta({ description: "The confidence bands, highest first" }),
  errorCodes: z.array(z.enum(ERROR_CODES)).meta({
    description: "All codes that an error body can carry",
    example: ["BAD_REQUEST", "NOT_FOUND"],
  }),
  testAddresses: z.array(z.object({
    address: LowerCaseAddress.meta({
      description: "The test address",
      example: SCORED_FIXTURES.elite.address,
    }),
    shows: z.string().meta({
      description: "What its answer demonstrates",
      example: SCORED_FIXTURES.elite.shows,
    }),
  })).meta({
    description: "The addresses that test keys can query, free of charge",
  }),
  models: z.record(z.string(), z.string()).meta({
    description:
      "Ids of the scoring models in use, and the SHA-256 of the tables of the current one",
    example: {
      response: "s4-2026.3",
      headline: "s4-composite",
      tables: MODEL_TABLES,
    },
  }),
  next: z.object({
    model: z.string().meta({
      description: "Id of the announced model",
      example: "s4-2027.1",
    }),
    announcedOn: Day.meta({ description: "UTC day of the announcement" }),
    usedFrom: Day.meta({
      description: "UTC day from which all answers use it, 30 days later",
    }),
    tables: z.string().meta({
      description: "SHA-256 of its weights, tier floors and tables",
      example: MODEL_TABLES,
    }),
  }).optional().meta({
    description:
      "The announced model; absent while there is none. Until it is used, scores have a `next` field with their headline by this model",
  }),
  attestation: AttestationInfo,
}).meta({ id: "Scoring" });
/** The answer of `GET /api/v1`. */
export type ScoringAnswer = z.infer<typeof ScoringAnswer>;

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

const endpoint = (
  method: string,
  path: string,
  { plan = null, units = "none" }: {
    readonly plan?: PlanName | null;
    readonly units?: string;
  } = {},
) => ({ method, path, plan, units });

const { score, batch, history, signed } = METERED;

const ENDPOINTS: ScoringAnswer["endpoints"] = [
  endpoint("GET", "/api/v1"),
  endpoint("GET", "/api/v1/health"),
  endpoint("GET", "/api/v1/usage", { plan: "free" }),
  endpoint("GET", "/api/v1/score/{address}", { ...score, units: "1" }),
  endpoint("POST", "/api/v1/score/batch", { ...batch, units: "1 an address" }),
  endpoint("GET", "/api/v1/score/{address}/history", {
    ...history,
    units: "1",
  }),
  endpoint("GET", "/api/v1/score/{address}/signed", { ...signed, units: "1" }),
  endpoint("GET", "/api/tools/score-badge/{address}"),
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
  const { current, next } = modelsAt(
    deps.now().getTime(),
    deps.modelSchedule,
  );
  const capacity = await readCapacityUse(deps).catch(() => {
    const { plans, ...rates } = describeCapacity(deps);
    const unknown = { used: null, left: null };
    return {
      ...rates,
      ...unknown,
      plans: plans.map((each) => ({ ...each, left: null })),
    };
  });
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
    capacity,
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
