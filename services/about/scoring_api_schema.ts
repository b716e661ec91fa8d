/** Access on the wire: addresses and batches in, usage, health and the API's description out. */
import { z } from "@hono/zod-openapi";
import { AttestationInfo } from "../attestations/attestations_schema.ts";
import { PLAN_NAMES } from "../payments/plans_schema.ts";
import {
  BAND_NAMES,
  REASON_KINDS,
  TIER_IDS,
} from "../scores/model/score_terms_schema.ts";
import { Instant } from "../platform/wire_schema.ts";
import { ERROR_CODES } from "../platform/error_codes_schema.ts";

/** The answer of `GET /health`. */
export const HealthAnswer = z.object({
  status: z.enum(["ok", "degraded"]),
  version: z.string(),
  db: z.enum(["ok", "unreachable"]),
  time: Instant,
}).meta({ id: "Health" });
/** The answer of `GET /health`. */
export type HealthAnswer = z.infer<typeof HealthAnswer>;

/** The answer of `GET /api/v1`. */
export const ScoringAnswer = z.object({
  version: z.string(),
  endpoints: z.array(z.object({
    method: z.string(),
    path: z.string(),
    plan: z.enum(PLAN_NAMES).nullable().meta({
      description:
        "The lowest plan that includes it; null where no key is needed",
    }),
    units: z.string(),
  })),
  plans: z.array(z.object({
    plan: z.enum(PLAN_NAMES),
    label: z.string(),
    requestsPer30Days: z.int(),
    priceUsdc: z.string(),
    includes: z.array(z.string()),
  })),
  limits: z.object({
    batchAddresses: z.int(),
    historyDays: z.int(),
    bursts: z.record(
      z.string(),
      z.object({ requests: z.int(), perSeconds: z.int() }),
    ),
    signalCacheHours: z.int(),
    openRequestsPerMinute: z.int().meta({
      description:
        "Requests without a key that one network may make at once, and again in a minute",
    }),
  }),
  tiers: z.array(z.object({
    tier: z.enum(TIER_IDS),
    label: z.string(),
    index: z.int(),
  })),
  reasons: z.array(z.object({
    code: z.string(),
    kind: z.enum(REASON_KINDS),
    dimension: z.string(),
    title: z.string(),
    detail: z.string(),
  })),
  flags: z.array(z.object({ flag: z.string(), meaning: z.string() })),
  bands: z.array(z.object({
    band: z.enum(BAND_NAMES),
    label: z.string(),
    detail: z.string(),
  })),
  errorCodes: z.array(z.enum(ERROR_CODES)),
  testAddresses: z.array(z.object({
    address: z.string(),
    shows: z.string(),
  })).meta({ description: "All that a test key answers, free of charge" }),
  models: z.record(z.string(), z.string()),
  attestation: AttestationInfo,
}).meta({ id: "Scoring" });
/** The answer of `GET /api/v1`. */
export type ScoringAnswer = z.infer<typeof ScoringAnswer>;
