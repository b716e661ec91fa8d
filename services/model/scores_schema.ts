/** The answer of the score endpoint, and the parts that other answers share. */
import { z } from "@hono/zod-openapi";
import {
  BAND_NAMES,
  DIMENSIONS,
  GRAPH_FLAG_NAMES,
  TIER_IDS,
} from "./score_terms_schema.ts";
import { REASON_CODES, REASON_KINDS } from "./reasons_schema.ts";
import { Instant } from "../platform/wire_schema.ts";
import { LowerCaseAddress } from "../platform/address_schema.ts";

const Points = z.number().min(0).max(100);

/** The tier of the headline score. */
export const Tier = z.enum(TIER_IDS).meta({
  description: "Tier of the headline score; the values are listed lowest first",
  example: "elite",
});

/** The label of the headline score's tier. */
export const TierLabel = z.string().meta({
  description: "Display label of the tier",
  example: "Elite",
});

/** SHA-256 of the weights, floors and tables of `s4-2026.2`; a test computes it. */
export const MODEL_TABLES =
  "8c17c790e8bd91d351892ae4230238e6d6b0028983bd8f65f7a6e20257f5407a";

/** The id of the scoring model. */
export const Model = z.string().meta({
  description:
    `Version of the scoring model; compare only scores of one version. The SHA-256 of the tables of s4-2026.2 is ${MODEL_TABLES}; that of the model in use is \`models.tables\` of \`/api/v1\``,
  example: "s4-2026.2",
});

/** Shared by several answers. */
export const VerifiedHuman = z.int().nullable().meta({
  description:
    "Permanent Verified Human number; null without one. The reason VERIFIED_HUMAN_LAPSED says that the accounts it requires are not linked now",
  example: 7,
});
/** Shared by several answers. */
export const LegacyScore = Points.meta({
  description: "The legacy v1 score: the sum of its breakdown",
  example: 90,
});
/** Shared by several answers. */
export const LegacyTier = Tier.meta({
  description:
    "Tier of the legacy v1 score; the values are listed lowest first",
});
/** Shared by several answers. */
export const LegacyTierLabel = TierLabel.meta({
  description: "Display label of the legacy tier",
});
/** Shared by several answers. */
export const ReadAt = Instant.meta({
  description: "When the score was computed",
});

/** A score in four dimensions. */
export const ScoreVector = z.object({
  humanity: Points.meta({
    description: "Evidence of a real person: verified socials and wallet age",
    example: 75.9,
  }),
  activity: Points.meta({
    description:
      "On-chain activity: days of use, recent ones more, and transactions with many addresses and methods, on log scales",
    example: 89.9,
  }),
  social: Points.meta({
    description: "Quality of followers, reduced by anomaly flags",
    example: 65.1,
  }),
  economic: Points.meta({
    description:
      "Spending: gas, premium membership, paid slug and donations, on a log scale",
    example: 74.8,
  }),
  composite: Points.meta({
    description:
      "Weighted mean of the four dimensions as shown; headline.score is this value rounded",
    example: 78.21,
  }),
  confidence: z.number().min(0).max(1).meta({
    description:
      "Share of the evidence that could be read; missing evidence lowers this, not the score",
    example: 0.98,
  }),
}).meta({ id: "ScoreVector" });
/** A score in four dimensions. */
export type ScoreVector = z.infer<typeof ScoreVector>;

/** The result of analysing the followers. */
export const GraphFindings = z.object({
  analyzed: z.boolean().meta({
    description: "Whether the followers were analysed",
    example: true,
  }),
  flags: z.array(z.enum(GRAPH_FLAG_NAMES)).meta({
    description: "Anomaly flags; empty if none was found",
    example: [],
  }),
  socialDamping: z.number().min(0.25).max(1).meta({
    description: "Factor applied to social; 1 if no flag was found",
    example: 1,
  }),
}).meta({ id: "GraphFindings" });
/** The result of analysing the followers. */
export type GraphFindings = z.infer<typeof GraphFindings>;

/** A reason for a score: its direction and category, never a threshold. */
export const Reason = z.object({
  code: z.enum(REASON_CODES).meta({
    description: "Machine-readable code; branch on this, not on the text",
    example: "HIGH_ACTIVITY",
  }),
  kind: z.enum(REASON_KINDS).meta({
    description:
      "coverage: evidence is missing; risk: lowers the score; positive: raises it",
    example: "positive",
  }),
  dimension: z.enum(DIMENSIONS).meta({
    description: "Dimension that the reason concerns",
    example: "activity",
  }),
  title: z.string().meta({
    description: "Short title for display",
    example: "High on-chain activity",
  }),
  detail: z.string().meta({
    description: "Explanation for display; show it verbatim",
    example:
      "The address was used on many days, with many addresses and methods.",
  }),
}).meta({ id: "Reason" });
/** A reason for a score. */
export type Reason = z.infer<typeof Reason>;

/** A score in words. */
const Explanation = z.object({
  summary: z.string().meta({
    description: "The score in a few sentences of English",
    example:
      "Elite, with high confidence. Strongest in activity, weakest in social. No risk was found in what was read.",
  }),
  confidence: z.object({
    value: z.number().min(0).max(1).meta({
      description: "The same value as s4.confidence",
      example: 0.98,
    }),
    band: z.enum(BAND_NAMES).meta({
      description: "Band that the value falls in; branch on this",
      example: "high",
    }),
    label: z.string().meta({
      description: "Display label of the band",
      example: "High confidence",
    }),
    detail: z.string().meta({
      description: "Explanation of the band for display; show it verbatim",
      example: "Most of the evidence that a score rests on could be read.",
    }),
  }).meta({ description: "How much of the evidence could be read" }),
  reasons: z.array(Reason).meta({
    description:
      "Coverage first, then risks, then positives; within a kind the most important first",
  }),
}).meta({ id: "Explanation" });
/** A score in words. */
type Explanation = z.infer<typeof Explanation>;

/** The points of the legacy v1 score. They add up to the total. */
export const Breakdown = z.object({
  walletAge: z.number().meta({
    description: "Points for the age of the wallet",
    example: 25,
  }),
  txActivity: z.number().meta({
    description: "Points for transactions sent",
    example: 24.4,
  }),
  gasSpent: z.number().meta({
    description: "Points for fees paid",
    example: 12.1,
  }),
  verifiedSocials: z.number().meta({
    description: "Points for verified social accounts",
    example: 15,
  }),
  followers: z.number().meta({
    description: "Points for followers",
    example: 10,
  }),
  donations: z.number().meta({
    description: "Points for donations",
    example: 0,
  }),
  premium: z.number().meta({
    description: "Points for premium membership",
    example: 1.5,
  }),
  paidSlug: z.number().meta({
    description: "Points for a paid slug",
    example: 2,
  }),
  total: z.number().meta({
    description: "Sum of all points",
    example: 90,
  }),
}).meta({ id: "Breakdown" });
/** The points of the legacy v1 score. */
export type Breakdown = z.infer<typeof Breakdown>;

/** The score to display. */
export const Headline = z.object({
  score: z.int().min(0).max(100).meta({
    description: "The composite score, rounded to a whole number",
    example: 78,
  }),
  tier: Tier,
  tierLabel: TierLabel,
  model: z.string().meta({
    description: "Method that the headline score is computed with",
    example: "s4-composite",
  }),
}).meta({ id: "Headline", description: "The score to display" });

/** The score by the next model, while it is announced. */
export const NextScore = z.object({
  model: z.string().meta({
    description: "Id of the announced model",
    example: "s4-2027.1",
  }),
  headline: Headline,
}).optional().meta({
  description:
    "The score by the announced model; absent while no model is announced. `next` of `/api/v1` says from when it is used",
});
/** The score by the next model. */
export type NextScore = z.infer<typeof NextScore>;

/** The answer of `GET /score/:address`. */
export const ScoreRead = z.object({
  address: LowerCaseAddress,
  headline: Headline,
  s4: ScoreVector,
  graph: GraphFindings,
  explanation: Explanation,
  verifiedHuman: VerifiedHuman,
  score: LegacyScore,
  tier: LegacyTier,
  tierLabel: LegacyTierLabel,
  breakdown: Breakdown,
  next: NextScore,
  fetchedAt: ReadAt,
  model: Model,
}).meta({ id: "ScoreRead" });
/** The answer of `GET /score/:address`. */
export type ScoreRead = z.infer<typeof ScoreRead>;
/** A score without its address and time. */
export type Score = Omit<ScoreRead, "address" | "fetchedAt" | "next">;
