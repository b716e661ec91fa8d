/**
 * The limits that an owner sets for a key: scopes, networks, expiry, a cap of
 * units, and a note.
 */
import { z } from "@hono/zod-openapi";
import { METERED_NAMES, PLANS } from "../payments/plans_schema.ts";
import { Network } from "../platform/rate_limit/networks_schema.ts";
import { Instant, jsonObject } from "../platform/wire_schema.ts";

/** What a key may be used for: the metered endpoints, and reading the usage. */
export const SCOPES = [...METERED_NAMES, "usage"] as const;
/** A use of a key. */
export type Scope = typeof SCOPES[number];

/** Maximum number of networks of a key. All of them are part of the signed message. */
const MAX_NETWORKS = 20;

/** Highest cap in units: the quota of the largest plan. */
const MAX_UNITS = PLANS.scale.requests;

/** A key without limits. */
export const NO_LIMITS = {
  scopes: null,
  networks: null,
  expiresAt: null,
  maxUnits: null,
  note: null,
} as const;

const LIST_OF_SCOPES = "at least one scope";
const LIST_OF_NETWORKS = `1 to ${MAX_NETWORKS} networks`;
const INSTANT = "an instant in UTC such as 2027-01-31T00:00:00Z";
const UNITS = `a whole number from 1 to ${MAX_UNITS}`;
const NOTE = "1 to 200 characters without control characters";

const Scopes = z.array(z.enum(SCOPES), LIST_OF_SCOPES).min(1, LIST_OF_SCOPES);

const Networks = z.array(
  Network.meta({
    description: "An IPv4 or IPv6 network in CIDR notation, or one address",
    example: "203.0.113.0/24",
  }),
  LIST_OF_NETWORKS,
).min(1, LIST_OF_NETWORKS).max(MAX_NETWORKS, LIST_OF_NETWORKS);

const MaxUnits = z.int(UNITS).min(1, UNITS).max(MAX_UNITS, UNITS);

// Not `regex`: OpenAPI has no flag for properties of characters.
const Note = z.string(NOTE).refine(
  (text) => /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]{1,200}$/u.test(text),
  NOTE,
).meta({ minLength: 1, maxLength: 200 });

const DESCRIPTIONS = {
  scopes: {
    description: "What the key may be used for; null for everything",
    example: ["score", "usage"],
  },
  networks: {
    description: "Networks that the key may be used from; null for any",
    example: ["203.0.113.0/24"],
  },
  expiresAt: {
    description: "When the key stops working; null for never",
    example: "2027-01-31T00:00:00.000Z",
  },
  maxUnits: {
    description:
      "Maximum number of units of the key in any 30 days; a unit counts until 30 days after the end of its UTC day; null for no cap",
    example: 1_000,
  },
  note: { description: "A note for the owner; null for none", example: "CI" },
} as const;

/** The limits in a request. A limit that is left out does not apply. */
export const KeyLimitsBody = jsonObject({
  scopes: Scopes.nullable().default(null).meta(DESCRIPTIONS.scopes),
  networks: Networks.nullable().default(null).meta(DESCRIPTIONS.networks),
  expiresAt: z.iso.datetime(INSTANT).nullable().default(null)
    .meta(DESCRIPTIONS.expiresAt),
  maxUnits: MaxUnits.nullable().default(null).meta(DESCRIPTIONS.maxUnits),
  note: Note.nullable().default(null).meta(DESCRIPTIONS.note),
}).meta({ id: "KeyLimitsBody" });
/** The limits in a request. */
export type KeyLimitsBody = z.infer<typeof KeyLimitsBody>;

/** The limits in an answer. */
export const KeyLimitsAnswer = z.object({
  scopes: z.array(z.enum(SCOPES)).nullable().meta(DESCRIPTIONS.scopes),
  networks: z.array(z.string()).nullable().meta(DESCRIPTIONS.networks),
  expiresAt: Instant.nullable().meta(DESCRIPTIONS.expiresAt),
  maxUnits: z.int().nullable().meta(DESCRIPTIONS.maxUnits),
  note: z.string().nullable().meta(DESCRIPTIONS.note),
}).meta({ id: "KeyLimits" });
/** The limits in an answer. */
export type KeyLimitsAnswer = z.infer<typeof KeyLimitsAnswer>;
