/** The quality of the open chain data on the wire: rules that a chain's own series must keep. */
import { z } from "@hono/zod-openapi";
import { CHECK_NAMES } from "../checks/check_rules_schema.ts";
import { Day, Instant } from "../../platform/wire_schema.ts";

/**
 * The self-identities: what a chain's own series say about each other. Each
 * compares two numbers a day, and its meaning names the left one first.
 */
export const IDENTITIES = {
  cumulativeTxCountGrowsByTxCount: {
    meaning:
      "the growth of cumulativeTxCount since the day before (left) is txCount (right)",
  },
  avgTpsMatchesTxCount: {
    meaning:
      "avgTps × 86,400 (left) is txCount (right) within the rounding of avgTps to two decimals, 432 transactions; upstream divides by the time from last block to last block, so a chain with few blocks may differ by more",
  },
  avgTpsWithinMaxTps: {
    meaning: "avgTps (left) is at most maxTps (right)",
  },
  avgGpsWithinMaxGps: {
    meaning: "avgGps (left) is at most maxGps (right)",
  },
  activeSendersWithinActiveAddresses: {
    meaning: "activeSenders (left) is at most activeAddresses (right)",
  },
  cumulativeTxCountNeverFalls: {
    meaning:
      "cumulativeTxCount of the last day before that has one (left) is at most the day's own (right)",
  },
  cumulativeAddressesNeverFalls: {
    meaning:
      "cumulativeAddresses of the last day before that has one (left) is at most the day's own (right)",
  },
  cumulativeContractsNeverFalls: {
    meaning:
      "cumulativeContracts of the last day before that has one (left) is at most the day's own (right)",
  },
  cumulativeDeployersNeverFalls: {
    meaning:
      "cumulativeDeployers of the last day before that has one (left) is at most the day's own (right)",
  },
} as const satisfies Record<string, { meaning: string }>;

/** The name of a self-identity; clients branch on it. */
export type IdentityName = keyof typeof IDENTITIES;
/** The names of the self-identities in the order of the catalogue. */
export const IDENTITY_NAMES = Object.keys(IDENTITIES) as IdentityName[];

/** A self-identity as it is published. */
export const Identity = z.object({
  name: z.enum(IDENTITY_NAMES),
  meaning: z.string().meta({
    description: "What must hold each day, and which number is left or right",
  }),
}).meta({ id: "Identity" });
/** A self-identity as it is published. */
export type Identity = z.infer<typeof Identity>;

/** The self-identities as they are published. */
export const IDENTITY_LIST: readonly Identity[] = IDENTITY_NAMES.map(
  (name) => ({ name, meaning: IDENTITIES[name].meaning }),
);

/** The most failing days that the answer lists of one chain. */
export const MOST_FAILING_DAYS = 100;

/** A day on which an identity does not hold, with the two numbers it compares. */
export const IdentityFailure = z.object({
  identity: z.enum(IDENTITY_NAMES),
  day: Day,
  left: z.number(),
  right: z.number(),
}).meta({ id: "IdentityFailure" });
/** A day on which an identity does not hold, with the two numbers it compares. */
export type IdentityFailure = z.infer<typeof IdentityFailure>;

/** What the self-identities found in the stored series of a chain. */
export const ChainQuality = z.object({
  chainId: z.int(),
  chainName: z.string(),
  checkedDayCount: z.int().meta({
    description:
      "Days checked, once for each identity; incomplete and absent days are not, 0 where nothing is stored",
  }),
  failingDayCount: z.int().meta({
    description: "Days that failed, once for each identity",
  }),
  failingDays: z.array(IdentityFailure).max(MOST_FAILING_DAYS).meta({
    description:
      `Newest first, at most ${MOST_FAILING_DAYS}: failingDayCount says how many there are`,
  }),
}).meta({ id: "ChainQuality" });
/** What the self-identities found in the stored series of a chain. */
export type ChainQuality = z.infer<typeof ChainQuality>;

/** How current a source is. */
export const SourceQuality = z.object({
  source: z.string(),
  url: z.string(),
  serves: z.string().meta({ description: "What is read of it" }),
  lastSuccessAt: Instant.nullable(),
  lagHours: z.number().nullable().meta({
    description: "Hours since the last success",
  }),
}).meta({ id: "SourceQuality" });
/** How current a source is. */
export type SourceQuality = z.infer<typeof SourceQuality>;

/** How far the two sources of a checked series agree. */
export const CheckQuality = z.object({
  series: z.enum(CHECK_NAMES),
  source: z.string(),
  crossCheckSource: z.string(),
  checkedThrough: Day.nullable(),
  comparedDayCount: z.int(),
  agreementPct: z.number().nullable(),
  recentAgreementPct: z.number().nullable(),
  openDisputeCount: z.int(),
}).meta({ id: "CheckQuality" });
/** How far the two sources of a checked series agree. */
export type CheckQuality = z.infer<typeof CheckQuality>;

/** The answer of `GET /quality`. */
export const QualityAnswer = z.object({
  sources: z.array(SourceQuality),
  checks: z.array(CheckQuality),
  identities: z.array(Identity),
  chains: z.array(ChainQuality),
}).meta({ id: "Quality" });
/** The answer of `GET /quality`. */
export type QualityAnswer = z.infer<typeof QualityAnswer>;
