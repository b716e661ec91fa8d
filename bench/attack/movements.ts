/** How a change of the model moves honest wallets. */
import { analyzeFollowers } from "../../services/model/follower_analysis.ts";
import type { ScoringModel } from "../../services/model/measures.ts";
import { type ScoreSignals, vectorOf } from "../../services/model/model.ts";
import {
  TIER_IDS,
  type TierId,
} from "../../services/model/score_terms_schema.ts";
import { tierOf } from "../../services/model/tiers.ts";
import { NOW } from "./honest_life.ts";

/** Shares of honest wallets at which models are compared. */
export const ACCEPTED = [0.28, 0.15, 0.08, 0.016] as const;

/** A wallet under two models. */
interface Movement {
  readonly before: { readonly composite: number; readonly tier: TierId };
  readonly after: { readonly composite: number; readonly tier: TierId };
  /** Tiers lost; negative if it rises. */
  readonly tiersLost: number;
}

/** Returns the composite of an address. */
export function compositeOf(
  { chain, profile, graph }: ScoreSignals,
  model: ScoringModel,
  now = NOW,
): number {
  const followers = analyzeFollowers(graph, profile);
  const measures = model.summarize(chain, now)
    .measure({ profile, graph }, followers);
  return vectorOf(measures, model).composite;
}

/** Returns how a wallet moves from one model to another. */
export function movementOf(
  signals: ScoreSignals,
  models: { readonly before: ScoringModel; readonly after: ScoringModel },
): Movement {
  const before = standing(signals, models.before);
  const after = standing(signals, models.after);
  const tiersLost = TIER_IDS.indexOf(before.tier) -
    TIER_IDS.indexOf(after.tier);
  return { before, after, tiersLost };
}

function standing(signals: ScoreSignals, model: ScoringModel) {
  const composite = compositeOf(signals, model);
  const { tier } = tierOf(Math.round(composite), model.floors);
  return { composite, tier };
}

/** Returns the composites at which these shares of wallets are accepted. */
export function thresholdsFor(
  composites: readonly number[],
  shares: readonly number[],
): number[] {
  const sorted = composites.toSorted((a, b) => b - a);
  return shares.map((share) => sorted[Math.floor(share * sorted.length)]!);
}
