/** The description of the scoring API, and its health. */
import { z } from "@hono/zod-openapi";
import { AttestationInfo } from "../../services/attestations/attestations_schema.ts";
import { SCORED_FIXTURES } from "../../services/scores/test_addresses_schema.ts";
import { PlanLabel } from "../../services/payments/payments_schema.ts";
import { PLAN_NAMES, PLANS } from "../../services/payments/plans_schema.ts";
import { LowerCaseAddress } from "../../services/platform/address_schema.ts";
import { VERSION } from "../../services/platform/version.ts";
import { MAX_ADDRESSES } from "../../services/scores/score_requests_schema.ts";
import { MODEL_TABLES } from "../../services/model/scores_schema.ts";
import {
  BAND_NAMES,
  CONFIDENCE_BANDS,
  CONFIDENCE_DETAILS,
  GRAPH_FLAGS,
  TIER_IDS,
} from "../../services/model/score_terms_schema.ts";
import { REASON_KINDS, REASONS } from "../../services/model/reasons_schema.ts";
import { Day, Instant } from "../../services/platform/wire_schema.ts";
import { ERROR_CODES } from "../../services/platform/error_codes_schema.ts";

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
      description: "Cold reads that are left now; null if unknown",
      example: 8_600,
    }),
    plans: z.array(z.object({
      plan: z.enum(PLAN_NAMES).meta({
        description: "Id of the plan",
        example: "builder",
      }),
      perDay: z.int().meta({
        description: "The most cold reads of one wallet of the plan in a day",
        example: 2_500,
      }),
    })).meta({ description: "The part of one wallet by plan, lowest first" }),
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
