/** Proofs of a unique human: where they are read, and how answers show them. */
import { z } from "@hono/zod-openapi";
import { Instant } from "../platform/wire_schema.ts";
import { SOCIAL_KINDS } from "./score_terms_schema.ts";

/** The kinds of proofs. */
export const PROOF_KINDS = ["worldId", "coinbase", "passport"] as const;
/** A kind of proof. */
export type ProofKind = typeof PROOF_KINDS[number];

/** A chain on which proofs are read, and the setting of its node. */
interface ProofChain {
  readonly name: string;
  readonly chainId: number;
  readonly setting: "WORLD_CHAIN_RPC_URL" | "BASE_RPC_URL" | "OPTIMISM_RPC_URL";
}

/** The chains on which proofs are read. */
export const PROOF_CHAINS = {
  worldChain: {
    name: "World Chain",
    chainId: 480,
    setting: "WORLD_CHAIN_RPC_URL",
  },
  base: { name: "Base", chainId: 8453, setting: "BASE_RPC_URL" },
  optimism: { name: "Optimism", chainId: 10, setting: "OPTIMISM_RPC_URL" },
} as const satisfies Record<string, ProofChain>;
/** A chain on which proofs are read. */
export type ProofChainName = keyof typeof PROOF_CHAINS;

/** The sources: what is read on which chain. */
export const PROOF_SOURCES = {
  worldId: { kind: "worldId", chain: "worldChain", name: "World ID" },
  coinbase: {
    kind: "coinbase",
    chain: "base",
    name: "Coinbase verified account",
  },
  passportBase: { kind: "passport", chain: "base", name: "Human Passport" },
  passportOptimism: {
    kind: "passport",
    chain: "optimism",
    name: "Human Passport",
  },
} as const satisfies Record<
  string,
  {
    readonly kind: ProofKind;
    readonly chain: ProofChainName;
    readonly name: string;
  }
>;
/** A source of proofs. */
export type ProofSource = keyof typeof PROOF_SOURCES;
/** The sources in the order of an answer. */
export const PROOF_SOURCE_NAMES = Object.keys(PROOF_SOURCES) as ProofSource[];

/** What one registry said about an address. */
const HumanProof = z.object({
  source: z.enum(PROOF_SOURCE_NAMES).meta({
    description: "The registry that was asked",
    example: "worldId",
  }),
  chain: z.string().meta({
    description: "The chain of the registry",
    example: "World Chain",
  }),
  state: z.enum(["proven", "none", "unread"]).meta({
    description:
      "proven: the address has a current proof. none: it has none. unread: the registry has not answered yet",
    example: "proven",
  }),
  verifiedAt: Instant.nullable().meta({
    description: "When the proof was made; null without one",
  }),
  expiresAt: Instant.nullable().meta({
    description:
      "When the proof expires; null without one, and for one without an end, which counts for 90 days after it was last read",
  }),
  readAt: Instant.nullable().meta({
    description: "When the registry last answered; null if it never did",
  }),
  failedAt: Instant.nullable().meta({
    description:
      "When a later read failed; what was read before still counts until it expires. Null if none failed",
  }),
}).meta({ id: "HumanProof" });

/** The proofs of a unique human that other chains show for an address. */
export const HumanProofs = z.array(HumanProof).meta({
  description:
    "Registries of unique humans on other chains that were asked about this address, by calls made after a score read; empty if none was asked yet, or if this service asks none. Of all proofs only the strongest counts",
});
/** The proofs of a unique human that other chains show for an address. */
export type HumanProofs = z.infer<typeof HumanProofs>;

/** What a Verified Human number rests on. */
const Shown = z.object({
  rule: z.enum(["uniqueHuman", "accounts", "operator", "earlier"]).meta({
    description:
      "uniqueHuman: a proof of a unique human on another chain. accounts: several linked accounts, each old and used. operator: the operator of this service granted it. earlier: two linked accounts of any age, the rule before s4-2026.3",
    example: "uniqueHuman",
  }),
  kinds: z.array(z.enum([...PROOF_KINDS, ...SOCIAL_KINDS])).meta({
    description:
      "The proofs or accounts it was given for; with `earlier`, the accounts that are linked now",
    example: ["worldId"],
  }),
  since: Instant.nullable().meta({
    description: "When it was given; null if that is not known",
  }),
}).meta({ id: "VerifiedHumanEvidence" });

/** What a Verified Human number rests on; null without a number. */
export const NumberEvidence = Shown.nullable().meta({
  description: "What the Verified Human number rests on; null without a number",
});
/** What a Verified Human number rests on. */
export type NumberEvidenceShown = z.infer<typeof Shown>;
