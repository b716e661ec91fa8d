/** Attestations on the wire: the EIP-712 statement, its signature, and who signs. */
import { z } from "@hono/zod-openapi";
import { TIER_IDS } from "../scores/model/score_terms_schema.ts";
import { Instant, query } from "../platform/wire_schema.ts";

/** Name and version of the EIP-712 domain; another type needs another version. */
export const DOMAIN = { name: "Firn Score", version: "1" } as const;

/** The EIP-712 type that is signed, without the domain's own. */
export const SCORE_TYPES = {
  ScoreAttestation: [
    { name: "subject", type: "address" },
    { name: "score", type: "uint256" },
    { name: "humanity", type: "uint256" },
    { name: "tier", type: "uint8" },
    { name: "verifiedHuman", type: "bool" },
    { name: "issuedAt", type: "uint256" },
    { name: "expiresAt", type: "uint256" },
    { name: "nonce", type: "uint256" },
  ],
} as const;

/** The name of the type that is signed. */
export const PRIMARY_TYPE = "ScoreAttestation";

/** How long an attestation may hold, in seconds. */
export const TTL_S = { least: 300, most: 604_800 } as const;

const TTL = `a whole number of seconds from ${TTL_S.least} to ${TTL_S.most}`;

/** The query of `GET /score/:address/signed`. */
export const SignedQuery = query({
  ttl: z.string().regex(/^[1-9]\d{2,5}$/, TTL).transform(Number)
    .refine((ttl) => ttl >= TTL_S.least && ttl <= TTL_S.most, TTL)
    .default(TTL_S.most)
    .openapi({
      type: "integer",
      minimum: TTL_S.least,
      maximum: TTL_S.most,
      default: TTL_S.most,
      description: "Seconds until it expires",
    }),
});

/** Where signers stand: `retiring` signs no more, but what it has signed still holds. */
export const SIGNER_STATES = ["active", "retiring", "revoked"] as const;
/** Where a signer stands. */
export type SignerState = typeof SIGNER_STATES[number];

const Address = z.string().regex(/^0x[0-9a-f]{40}$/);
const Uint = z.string().regex(/^(0|[1-9]\d*)$/).meta({
  description: "An unsigned integer, decimal",
});

/** The EIP-712 domain. */
export const Domain = z.object({
  name: z.literal(DOMAIN.name),
  version: z.literal(DOMAIN.version),
  chainId: z.int(),
  verifyingContract: Address,
}).meta({ id: "AttestationDomain" });
/** The EIP-712 domain. */
export type Domain = z.infer<typeof Domain>;

const Types = z.object({
  [PRIMARY_TYPE]: z.array(z.object({ name: z.string(), type: z.string() })),
}).meta({ id: "AttestationTypes" });

/** What is signed: the headline score of an address at an instant. */
export const Attestation = z.object({
  subject: Address,
  score: Uint.meta({ description: "The headline score, 0 to 100" }),
  humanity: Uint.meta({ description: "Rounded to a whole number" }),
  tier: z.int().min(0).max(5).meta({
    description: `Of the headline: 0 is ${TIER_IDS[0]}, 5 ${TIER_IDS.at(-1)}`,
  }),
  verifiedHuman: z.boolean(),
  issuedAt: Uint.meta({ description: "Seconds since 1970" }),
  expiresAt: Uint.meta({ description: "Seconds since 1970" }),
  nonce: Uint.meta({
    description: "Grows with time, and with every attestation of a subject",
  }),
}).meta({ id: "Attestation" });
/** What is signed. */
export type Attestation = z.infer<typeof Attestation>;

/** The same in human terms. */
export const ReadableAttestation = z.object({
  subject: Address,
  score: z.int(),
  humanity: z.int(),
  tier: z.enum(TIER_IDS),
  tierLabel: z.string(),
  verifiedHuman: z.int().nullable().meta({
    description: "The permanent Verified Human number",
  }),
  issuedAt: Instant,
  expiresAt: Instant,
  nonce: z.string(),
}).meta({ id: "ReadableAttestation" });

/** The answer of `GET /score/:address/signed`. */
export const SignedAnswer = z.object({
  domain: Domain,
  types: Types,
  primaryType: z.literal(PRIMARY_TYPE),
  message: Attestation,
  digest: z.string().regex(/^0x[0-9a-f]{64}$/).meta({
    description: "The EIP-712 hash that is signed",
  }),
  signature: z.string().regex(/^0x[0-9a-f]{130}$/).meta({
    description: "65 bytes: r, s in the lower half of the order, v of 27 or 28",
  }),
  signer: Address,
  readable: ReadableAttestation,
  model: z.string(),
}).meta({ id: "SignedAttestation" });
/** The answer of `GET /score/:address/signed`. */
export type SignedAnswer = z.infer<typeof SignedAnswer>;

/** Who signs attestations here, and what they sign. */
export const AttestationInfo = z.object({
  enabled: z.boolean(),
  signer: Address.nullable(),
  contract: Address.nullable(),
  chainId: z.int(),
  domain: Domain.nullable(),
  types: Types,
  signers: z.array(z.object({
    address: Address,
    status: z.enum(SIGNER_STATES),
  })).meta({
    description:
      "What an active or a retiring signer has signed holds until it expires; refuse what a revoked one has",
  }),
}).meta({ id: "AttestationInfo" });
/** Who signs attestations here, and what they sign. */
export type AttestationInfo = z.infer<typeof AttestationInfo>;
