/** Access on the wire: addresses and batches in, usage, health and the API's description out. */
import { z } from "@hono/zod-openapi";
import { AttestationInfo } from "../attestations/attestations_schema.ts";
import { METERED_NAMES, PLAN_NAMES } from "./plans_schema.ts";
import {
  BAND_NAMES,
  REASON_KINDS,
  TIER_IDS,
} from "../scores/model/score_terms_schema.ts";
import {
  Day,
  ERROR_CODES,
  Instant,
  jsonObject,
  query,
} from "../platform/wire_schema.ts";

/** The version of the scoring API. */
export const VERSION = "1.0.0";

/** Addresses that one batch may hold. */
export const MOST_ADDRESSES = 50;

const COUNT = `1 to ${MOST_ADDRESSES}`;

const ADDRESS = "a C-Chain address: 0x and 40 hexadecimal digits";

/** A C-Chain address in any case; it becomes lower-case from here on. */
export const Address = z.string(ADDRESS).regex(
  /^0x[0-9a-fA-F]{40}$/,
  ADDRESS,
).transform((address) => address.toLowerCase());

/** The path of everything about one address. */
export const AddressPath = z.object({
  address: Address.openapi({
    param: { name: "address", in: "path" },
    example: "0x52908400098527886E0F7030069857D2E4169EE7",
  }),
});

/** The body of `POST /score/batch`. */
export const BatchBody = jsonObject({
  addresses: z.array(Address, `an array of ${COUNT} addresses`)
    .min(1, COUNT).max(MOST_ADDRESSES, COUNT),
}).meta({ id: "BatchBody" });

/** Days that a history goes back where none are asked for. */
const USUAL_HISTORY_DAYS = 30;

/** The query of `GET /score/:address/history`. */
export const HistoryQuery = query({
  days: z.string().regex(
    /^([1-9]|[1-8]\d|90)$/,
    "a whole number from 1 to 90",
  ).transform(Number).default(USUAL_HISTORY_DAYS).openapi({
    type: "integer",
    minimum: 1,
    maximum: 90,
    default: USUAL_HISTORY_DAYS,
  }),
  include: z.enum(["breakdown"]).optional(),
});

/** The answer of `GET /usage`. */
export const UsageAnswer = z.object({
  plan: z.enum(PLAN_NAMES),
  planLabel: z.string(),
  paidUntil: Instant.nullable().meta({ description: "Null on the free plan" }),
  limit: z.int(),
  used: z.int(),
  remaining: z.int(),
  resetAt: Instant.meta({ description: "When a counted unit next leaves" }),
  days: z.array(z.object({
    date: Day,
    units: z.record(z.enum(METERED_NAMES), z.int()).meta({
      description: "What was spent that day, by endpoint",
    }),
  })).meta({ description: "The last 30 UTC days, today the last" }),
}).meta({ id: "Usage" });
/** The answer of `GET /usage`. */
export type UsageAnswer = z.infer<typeof UsageAnswer>;

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
