/** Scores on the wire: the score read, batch items, and history. */
import { z } from "@hono/zod-openapi";
import {
  BAND_NAMES,
  DIMENSIONS,
  GRAPH_FLAG_NAMES,
  REASON_CODES,
  REASON_KINDS,
  SIGNAL_STATES,
  TIER_IDS,
} from "./model/score_terms_schema.ts";
import { Day, Instant } from "../platform/wire_schema.ts";

const Address = z.string().regex(/^0x[0-9a-f]{40}$/).meta({
  description: "A C-Chain address, lower-case",
  example: "0x52908400098527886e0f7030069857d2e4169ee7",
});
const Points = z.number().min(0).max(100);
const Tier = z.enum(TIER_IDS).meta({ description: "Lowest to highest" });
const TierLabel = z.string().meta({ description: "Display label of the tier" });
const Model = z.string().meta({
  description: "Identifies the scoring model; another one may score otherwise",
});
const VerifiedHuman = z.int().nullable().meta({
  description: "The permanent Verified Human number, null where there is none",
});
const LegacyScore = Points.meta({
  description: "The legacy v1 score, the sum of its breakdown",
});
const LegacyTier = z.enum(TIER_IDS).meta({
  description: "The tier of the legacy v1 score, lowest to highest",
});
const LegacyTierLabel = z.string().meta({
  description: "Display label of the legacy tier",
});

/** A score as four dimensions. */
export const ScoreVector = z.object({
  humanity: Points.meta({
    description: "Evidence of a real person: verified socials and wallet age",
  }),
  activity: Points.meta({
    description: "On-chain activity, recency-decayed, volume log-damped",
  }),
  social: Points.meta({
    description: "Follower-graph standing, damped by anomaly heuristics",
  }),
  economic: Points.meta({
    description:
      "Costly timestamped spend: gas, premium, paid slug, donations; log scale",
  }),
  composite: Points.meta({
    description:
      "Weighted blend of the four as shown; equals headline.score before rounding",
  }),
  confidence: z.number().min(0).max(1).meta({
    description: "Data coverage; little data lowers confidence, not the score",
  }),
}).meta({ id: "ScoreVector" });
/** A score as four dimensions. */
export type ScoreVector = z.infer<typeof ScoreVector>;

/** What the analysis of the followers found. */
export const GraphFindings = z.object({
  analyzed: z.boolean().meta({ description: "Whether graph analysis ran" }),
  flags: z.array(z.enum(GRAPH_FLAG_NAMES)).meta({
    description: "Anomaly flags, empty when none",
  }),
  socialDamping: z.number().min(0.25).max(1).meta({
    description: "Multiplier applied to social; 1 without any flag",
  }),
}).meta({ id: "GraphFindings" });
/** What the analysis of the followers found. */
export type GraphFindings = z.infer<typeof GraphFindings>;

/** Why a score is as it is: direction and category, never a threshold. */
export const Reason = z.object({
  code: z.enum(REASON_CODES).meta({ description: "Clients branch on it" }),
  kind: z.enum(REASON_KINDS),
  dimension: z.enum(DIMENSIONS),
  title: z.string(),
  detail: z.string().meta({ description: "To be shown verbatim" }),
}).meta({ id: "Reason" });
/** Why a score is as it is. */
export type Reason = z.infer<typeof Reason>;

/** A score in words. */
export const Explanation = z.object({
  summary: z.string().meta({ description: "Plain English" }),
  confidence: z.object({
    value: z.number().min(0).max(1),
    band: z.enum(BAND_NAMES),
    label: z.string(),
    detail: z.string(),
  }),
  reasons: z.array(Reason).meta({
    description:
      "Ranked: coverage caveats first, then risks, then positives; the weightier first",
  }),
}).meta({ id: "Explanation" });
/** A score in words. */
export type Explanation = z.infer<typeof Explanation>;

/** The points of the legacy v1 score; they add up to the total. */
export const Breakdown = z.object({
  walletAge: z.number(),
  txActivity: z.number(),
  gasSpent: z.number(),
  verifiedSocials: z.number(),
  followers: z.number(),
  donations: z.number(),
  premium: z.number(),
  paidSlug: z.number(),
  total: z.number(),
}).meta({ id: "Breakdown" });
/** The points of the legacy v1 score. */
export type Breakdown = z.infer<typeof Breakdown>;

/** The answer of `GET /score/:address`. */
export const ScoreRead = z.object({
  address: Address,
  headline: z.object({
    score: z.int().min(0).max(100).meta({ description: "The composite score" }),
    tier: Tier,
    tierLabel: TierLabel,
    model: Model,
  }),
  s4: ScoreVector,
  graph: GraphFindings,
  explanation: Explanation,
  verifiedHuman: VerifiedHuman,
  score: LegacyScore,
  tier: LegacyTier,
  tierLabel: LegacyTierLabel,
  breakdown: Breakdown,
  fetchedAt: Instant,
  model: Model,
}).meta({ id: "ScoreRead" });
/** The answer of `GET /score/:address`. */
export type ScoreRead = z.infer<typeof ScoreRead>;
/** A score read without whose it is and when it was read. */
export type Score = Omit<ScoreRead, "address" | "fetchedAt">;

/** The score of one address of a batch, from stored signals. */
export const BatchItem = z.object({
  address: Address,
  score: LegacyScore,
  tier: LegacyTier,
  tierLabel: LegacyTierLabel,
  s4: ScoreVector,
  graph: GraphFindings,
  verifiedHuman: VerifiedHuman,
  signals: z.enum(SIGNAL_STATES).meta({
    description: "none: the address has never been scored, so all is zero",
  }),
}).meta({ id: "BatchItem" });
/** The score of one address of a batch. */
export type BatchItem = z.infer<typeof BatchItem>;

/** The answer of `POST /score/batch`. */
export const BatchAnswer = z.object({
  count: z.int(),
  results: z.array(BatchItem).meta({ description: "In the order sent" }),
  fetchedAt: Instant,
  model: Model,
}).meta({ id: "Batch" });
/** The answer of `POST /score/batch`. */
export type BatchAnswer = z.infer<typeof BatchAnswer>;

/** The last score of one UTC day. */
export const HistoryEntry = z.object({
  date: Day,
  score: LegacyScore,
  tier: LegacyTier,
  tierLabel: LegacyTierLabel,
  breakdown: Breakdown.optional().meta({
    description: "Points per signal, with include=breakdown",
  }),
}).meta({ id: "HistoryEntry" });
/** The last score of one UTC day. */
export type HistoryEntry = z.infer<typeof HistoryEntry>;

/** The answer of `GET /score/:address/history`. */
export const HistoryAnswer = z.object({
  address: Address,
  days: z.int().meta({ description: "Days asked for, today included" }),
  count: z.int().meta({ description: "Entries returned" }),
  history: z.array(HistoryEntry),
  fetchedAt: Instant,
  model: Model,
}).meta({ id: "ScoreHistory" });
/** The answer of `GET /score/:address/history`. */
export type HistoryAnswer = z.infer<typeof HistoryAnswer>;
