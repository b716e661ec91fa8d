/** The answers of the scoring API: a score, batches and histories. */
import { z } from "@hono/zod-openapi";
import {
  BAND_NAMES,
  DIMENSIONS,
  GRAPH_FLAG_NAMES,
  SIGNAL_STATES,
  TIER_IDS,
} from "./score_terms_schema.ts";
import { HumanProofs, NumberEvidence } from "./human_proofs_schema.ts";
import { REASON_CODES, REASON_KINDS } from "./reasons_schema.ts";
import { Day, Instant, jsonObject, query } from "../platform/wire_schema.ts";
import { Address, LowerCaseAddress } from "../platform/address_schema.ts";

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

/** SHA-256 of the weights, floors and tables of `s4-2026.3`; a test computes it. */
export const MODEL_TABLES =
  "31533bc4a052c4b202e1be7612a755c6fd3e43d062db4bfc0c27415a8b3382c3";

/** The id of the scoring model. */
export const Model = z.string().meta({
  description:
    `Version of the scoring model; compare only scores of one version. The SHA-256 of the tables of s4-2026.3 is ${MODEL_TABLES}; that of the model in use is \`models.tables\` of \`/api/v1\``,
  example: "s4-2026.3",
});

/** Shared by several answers. */
const VerifiedHuman = z.int().nullable().meta({
  description:
    "Permanent Verified Human number; null without one. The reason VERIFIED_HUMAN_LAPSED says that the evidence it requires does not stand now",
  example: 7,
});
/** Shared by several answers. */
const Score100 = z.int().min(0).max(100).meta({
  description: "The headline score",
  example: 27,
});
/** Shared by several answers. */
const ReadAt = Instant.meta({
  description: "When the score was computed",
});

/** A score in four dimensions. */
export const ScoreVector = z.object({
  humanity: Points.meta({
    description:
      "Evidence of a real person: months of use, wallet age, verified socials and proofs of a unique human",
    example: 75.9,
  }),
  activity: Points.meta({
    description:
      "On-chain activity: days of use and transactions, recent ones more",
    example: 89.9,
  }),
  social: Points.meta({
    description: "Quality of followers, reduced by anomaly flags",
    example: 65.1,
  }),
  economic: Points.meta({
    description:
      "Spending: gas, premium membership, paid slug and donations, on log scales. Gas counts in units, whatever its price was",
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
const GraphFindings = z.object({
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
type GraphFindings = z.infer<typeof GraphFindings>;

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
    example: "The address was used on many days.",
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

/** The points of each signal. They add up to the total. */
export const Breakdown = z.object({
  walletAge: z.number().min(0).meta({
    description:
      "Points for the age of the wallet and its months of use, less what a risk of its origin takes",
    example: 9.41,
  }),
  verifiedSocials: z.number().min(0).meta({
    description: "Points for verified social accounts",
    example: 8.02,
  }),
  humanProofs: z.number().min(0).meta({
    description: "Points for proofs of a unique human",
    example: 0,
  }),
  txActivity: z.number().min(0).meta({
    description: "Points for transactions sent, and days of use",
    example: 8.26,
  }),
  followers: z.number().min(0).meta({
    description: "Points for followers, less what anomaly flags take",
    example: 6.78,
  }),
  gasSpent: z.number().min(0).meta({
    description: "Points for gas used",
    example: 9.87,
  }),
  premium: z.number().min(0).meta({
    description: "Points for premium membership",
    example: 0.84,
  }),
  paidSlug: z.number().min(0).meta({
    description: "Points for a paid slug",
    example: 0,
  }),
  donations: z.number().min(0).meta({
    description: "Points for donations",
    example: 0,
  }),
  total: z.number().min(0).max(100).meta({
    description: "Sum of all points; equals s4.composite",
    example: 43.18,
  }),
}).meta({ id: "Breakdown" });
/** The points of each signal. */
export type Breakdown = z.infer<typeof Breakdown>;

/** What the evidence of an address would cost to copy. */
export const CostToFake = z.object({
  usd: z.number().min(0).meta({
    description: "US dollars for each wallet of a farm of `of` wallets",
    example: 12.61,
  }),
  of: z.int().min(1).meta({
    description: "Wallets of the farm",
    example: 100,
  }),
  alone: z.number().min(0).meta({
    description: "US dollars for one wallet alone",
    example: 13.2,
  }),
  days: z.int().min(0).meta({
    description:
      "Days that a copy takes at least. Nothing buys them but a wallet that was used",
    example: 700,
  }),
  asOf: z.string().meta({
    description: "Month of the prices, `YYYY-MM`; they are part of the model",
    example: "2026-11",
  }),
}).meta({
  id: "CostToFake",
  description:
    "What the evidence that counts would cost to copy, by the rules and prices of the model card. It is no part of the score",
});
/** What the evidence of an address would cost to copy. */
export type CostToFake = z.infer<typeof CostToFake>;

/** The score to display. */
const Headline = z.object({
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
const NextScore = z.object({
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
type NextScore = z.infer<typeof NextScore>;

/** The answer of `GET /score/:address`. */
export const ScoreRead = z.object({
  address: LowerCaseAddress,
  headline: Headline,
  s4: ScoreVector,
  graph: GraphFindings,
  explanation: Explanation,
  verifiedHuman: VerifiedHuman,
  score: Score100,
  tier: Tier,
  tierLabel: TierLabel,
  breakdown: Breakdown,
  costToFake: CostToFake,
  verifiedHumanEvidence: NumberEvidence,
  humanProofs: HumanProofs,
  next: NextScore,
  fetchedAt: ReadAt,
  model: Model,
}).meta({ id: "ScoreRead" });
/** The answer of `GET /score/:address`. */
export type ScoreRead = z.infer<typeof ScoreRead>;
/** A score without its address and time, and without what the model does not read. */
export type Score = Omit<
  ScoreRead,
  "address" | "fetchedAt" | "humanProofs" | "next" | "verifiedHumanEvidence"
>;

/** The score of one address of a batch, from stored signals. */
export const BatchItem = z.object({
  address: LowerCaseAddress,
  headline: Headline.nullable().meta({
    description: "The score to display; null if the address was never scored",
  }),
  score: Score100,
  tier: Tier,
  tierLabel: TierLabel,
  s4: ScoreVector,
  graph: GraphFindings,
  verifiedHuman: VerifiedHuman,
  costToFake: CostToFake.nullable().meta({
    description:
      "What the evidence that counts would cost to copy; null if the address was never scored",
  }),
  signals: z.enum(SIGNAL_STATES).meta({
    description:
      "fresh: the signals are current. stale: they are older than a day, or older than five minutes if a part of them was missing. none: the address was never scored, so its score and its dimensions are 0",
    example: "fresh",
  }),
  next: NextScore,
}).meta({ id: "BatchItem" });
/** The score of one address of a batch. */
export type BatchItem = z.infer<typeof BatchItem>;

/** The answer of `POST /score/batch`. */
export const BatchAnswer = z.object({
  count: z.int().meta({ description: "Number of results", example: 1 }),
  results: z.array(BatchItem).meta({
    description: "One item per address, in the order of the request",
  }),
  fetchedAt: ReadAt,
  model: Model,
}).meta({ id: "Batch" });
/** The answer of `POST /score/batch`. */
export type BatchAnswer = z.infer<typeof BatchAnswer>;

/** The last score of one UTC day. */
const HistoryEntry = z.object({
  date: Day.meta({ description: "UTC day of the entry, YYYY-MM-DD" }),
  score: z.number().min(0).max(100).meta({
    description:
      "The headline score; of a point before s4-2026.3, the legacy v1 score of that time",
    example: 27,
  }),
  tier: Tier.meta({ description: "Tier of `score`" }),
  tierLabel: TierLabel,
  headline: Headline.meta({ description: "The headline score of that day" }),
  model: Model.meta({ description: "Model of that day's headline score" }),
  breakdown: Breakdown.optional().meta({
    description:
      "Points per signal; they add up to `score`, for a point of s4-2026.3 or later before rounding. Present with include=breakdown",
  }),
}).meta({ id: "HistoryEntry" });
/** The last score of one UTC day. */
type HistoryEntry = z.infer<typeof HistoryEntry>;

/** The answer of `GET /score/:address/history`. */
export const HistoryAnswer = z.object({
  address: LowerCaseAddress,
  days: z.int().meta({
    description: "Requested days, today included",
    example: 30,
  }),
  count: z.int().meta({
    description: "Number of entries returned",
    example: 1,
  }),
  history: z.array(HistoryEntry).meta({
    description: "One entry per scored UTC day, oldest first",
  }),
  fetchedAt: ReadAt,
  model: Model,
}).meta({ id: "ScoreHistory" });
/** The answer of `GET /score/:address/history`. */
export type HistoryAnswer = z.infer<typeof HistoryAnswer>;

/** The query of `GET /score/:address`. */
export const ScoreQuery = query({
  allowStale: z.string().regex(/^(true|false)$/, "true or false")
    .transform((value) => value === "true").default(false).openapi({
      type: "boolean",
      default: false,
      description:
        "Whether signals of up to seven days, with the reason STALE_SIGNALS, stand in for a 429 SCORING_BUSY or CAPACITY_SPENT",
    }),
});

/** Maximum number of addresses in a batch. */
export const MAX_ADDRESSES = 50;

const COUNT = `1 to ${MAX_ADDRESSES}`;

/** The body of `POST /score/batch`. */
export const BatchBody = jsonObject({
  addresses: z.array(Address, `an array of ${COUNT} addresses`)
    .min(1, COUNT).max(MAX_ADDRESSES, COUNT).meta({
      description: "The addresses to score; repeated addresses are allowed",
      example: ["0x52908400098527886E0F7030069857D2E4169EE7"],
    }),
}).meta({ id: "BatchBody" });

/** Days of history that are kept and shown, today included. */
export const HISTORY_DAYS = 90;

/** Default of `days` in a history query. */
const USUAL_HISTORY_DAYS = 30;

const DAYS = `a whole number from 1 to ${HISTORY_DAYS}`;

/** The query of `GET /score/:address/history`. */
export const HistoryQuery = query({
  days: z.string().regex(/^[1-9]\d*$/, DAYS).transform(Number)
    .refine((days) => days <= HISTORY_DAYS, DAYS)
    .default(USUAL_HISTORY_DAYS).openapi({
      type: "integer",
      minimum: 1,
      maximum: HISTORY_DAYS,
      default: USUAL_HISTORY_DAYS,
      description: "UTC days to return, today included",
    }),
  include: z.enum(["breakdown"]).optional().meta({
    description: "Adds the points per signal to each entry",
    example: "breakdown",
  }),
});
