/** The answers with many scores: batches and histories. */
import { z } from "@hono/zod-openapi";
import { LowerCaseAddress } from "../platform/address_schema.ts";
import { Day } from "../platform/wire_schema.ts";
import { SIGNAL_STATES } from "./score_terms_schema.ts";
import {
  Breakdown,
  CostToFake,
  GraphFindings,
  Headline,
  Model,
  NextScore,
  ReadAt,
  Score100,
  ScoreVector,
  Tier,
  TierLabel,
  VerifiedHuman,
} from "./scores_schema.ts";

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
