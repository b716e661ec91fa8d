/** Attestations: the EIP-712 domain and types, the signed answer, and the signers. */
import { z } from "@hono/zod-openapi";
import { TIER_IDS } from "../model/score_terms_schema.ts";
import {
  Model,
  MODEL_TABLES,
  Tier,
  TierLabel,
} from "../model/scores_schema.ts";
import { Instant, query } from "../platform/wire_schema.ts";
import { LowerCaseAddress } from "../platform/address_schema.ts";

/** Name and version of the EIP-712 domain. Changing the types requires a new version. */
export const DOMAIN = { name: "Firn Score", version: "1" } as const;

/** The signed EIP-712 types, without `EIP712Domain`. */
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

/** The EIP-712 primary type. */
export const PRIMARY_TYPE = "ScoreAttestation";

/** Limits of an attestation's lifetime, in seconds. */
const TTL_S = { least: 300, most: 604_800 } as const;

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
      description: "Lifetime of the attestation in seconds",
    }),
});

/** The states of a signer. A `retiring` signer signs no more; its attestations stay valid. */
const SIGNER_STATES = ["active", "retiring", "revoked"] as const;
/** The state of a signer. */
export type SignerState = typeof SIGNER_STATES[number];

const Uint = z.string().regex(/^(0|[1-9]\d*)$/);
const ChainId = z.int().meta({
  description: "EVM chain id of the contract",
  example: 43114,
});
const Contract = LowerCaseAddress.meta({
  description: "The contract that verifies attestations on chain",
  example: "0xc0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0",
});
const Signer = LowerCaseAddress.meta({
  description: "Address of the signer",
  example: "0xfa17c5b66a985f44bc249c8e8fabd64767f414b1",
});
const Subject = LowerCaseAddress.meta({ description: "The scored address" });

/** The EIP-712 domain. */
export const Domain = z.object({
  name: z.literal(DOMAIN.name).meta({
    description: "Name of the EIP-712 domain",
  }),
  version: z.literal(DOMAIN.version).meta({
    description: "Version of the EIP-712 domain",
  }),
  chainId: ChainId,
  verifyingContract: Contract,
}).meta({ id: "AttestationDomain" });
/** The EIP-712 domain. */
export type Domain = z.infer<typeof Domain>;

const Types = z.object({
  [PRIMARY_TYPE]: z.array(z.object({
    name: z.string().meta({
      description: "Name of the field",
      example: "subject",
    }),
    type: z.string().meta({
      description: "Solidity type of the field",
      example: "address",
    }),
  })).meta({
    description: "Fields of the signed message, in order",
    example: [...SCORE_TYPES[PRIMARY_TYPE]],
  }),
}).meta({ id: "AttestationTypes" });

const Nonce = Uint.meta({
  description:
    "Unique number; later attestations of a subject have larger ones",
  example: "1795248002017000",
});

/** The signed message: the headline score of an address at an instant. */
export const Attestation = z.object({
  subject: Subject,
  score: Uint.meta({
    description: "The headline score, 0 to 100",
    example: "78",
  }),
  humanity: Uint.meta({
    description: "The humanity dimension, 0 to 100, rounded to a whole number",
    example: "76",
  }),
  tier: z.int().min(0).max(5).meta({
    description: `Index of the headline tier, from 0 (${TIER_IDS[0]}) to 5 (${
      TIER_IDS.at(-1)
    })`,
    example: 4,
  }),
  verifiedHuman: z.boolean().meta({
    description:
      "Whether the subject has a Verified Human number and the accounts that it requires are linked",
    example: false,
  }),
  issuedAt: Uint.meta({
    description: "Unix time of signing, in seconds",
    example: "1795248002",
  }),
  expiresAt: Uint.meta({
    description: "Unix time of expiry, in seconds",
    example: "1795251602",
  }),
  nonce: Nonce,
}).meta({ id: "Attestation" });
/** The signed message. */
export type Attestation = z.infer<typeof Attestation>;

/** The signed message in readable form. */
const ReadableAttestation = z.object({
  subject: Subject,
  score: z.int().meta({
    description: "The headline score, 0 to 100",
    example: 78,
  }),
  humanity: z.int().meta({
    description: "The humanity dimension, 0 to 100, rounded to a whole number",
    example: 76,
  }),
  tier: Tier,
  tierLabel: TierLabel,
  verifiedHuman: z.int().nullable().meta({
    description:
      "Permanent Verified Human number; null if `message.verifiedHuman` is false",
    example: 7,
  }),
  issuedAt: Instant.meta({
    description: "When the attestation was signed",
    example: "2026-11-21T08:00:02.000Z",
  }),
  expiresAt: Instant.meta({
    description: "When the attestation expires",
    example: "2026-11-21T09:00:02.000Z",
  }),
  nonce: z.string().meta({
    description: "The nonce of the message",
    example: "1795248002017000",
  }),
  modelTables: z.string().meta({
    description: "SHA-256 of the tables of the scoring model",
    example: MODEL_TABLES,
  }),
}).meta({ id: "ReadableAttestation" });

/** The answer of `GET /score/:address/signed`. */
export const SignedAnswer = z.object({
  domain: Domain,
  types: Types,
  primaryType: z.literal(PRIMARY_TYPE).meta({
    description: "The EIP-712 primary type",
  }),
  message: Attestation,
  digest: z.string().regex(/^0x[0-9a-f]{64}$/).meta({
    description: "The signed EIP-712 hash",
    example:
      "0x2e5c4818655f148e064f73e3cdd1a229d25f5abd297030343cf918e777a93b4f",
  }),
  signature: z.string().regex(/^0x[0-9a-f]{130}$/).meta({
    description:
      "65 bytes: r, s in the lower half of the curve order, and v (27 or 28)",
    example: `0x${"a1e3c8754d3a2601".repeat(8)}1b`,
  }),
  signer: Signer,
  readable: ReadableAttestation,
  model: Model,
}).meta({ id: "SignedAttestation" });
/** The answer of `GET /score/:address/signed`. */
export type SignedAnswer = z.infer<typeof SignedAnswer>;

/** The signers of this deployment, and the EIP-712 domain and types they use. */
export const AttestationInfo = z.object({
  enabled: z.boolean().meta({
    description: "Whether this deployment signs attestations",
    example: true,
  }),
  signer: Signer.nullable().meta({
    description: "Address of the active signer; null if nothing is signed",
  }),
  contract: Contract.nullable().meta({
    description:
      "The contract that verifies attestations on chain; null without one",
  }),
  chainId: ChainId,
  domain: z.union([Domain, z.null()]).meta({
    description: "The EIP-712 domain; null if nothing is signed",
  }),
  types: Types,
  signers: z.array(z.object({
    address: Signer,
    status: z.enum(SIGNER_STATES).meta({
      description:
        "active: signs; retiring: signs no more, its attestations stay valid; revoked: reject its attestations",
      example: "active",
    }),
  })).meta({ description: "All current and former signers" }),
}).meta({ id: "AttestationInfo" });
/** The signers of this deployment, and the EIP-712 domain and types they use. */
export type AttestationInfo = z.infer<typeof AttestationInfo>;
