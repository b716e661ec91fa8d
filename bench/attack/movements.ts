/** Where honest wallets stand. */
import { analyzeFollowers } from "../../services/model/follower_analysis.ts";
import type { ScoringModel } from "../../services/model/scoring_model.ts";
import { roundedOf, type ScoreSignals } from "../../services/model/model.ts";
import { NOW } from "./honest_life.ts";

/** Shares of honest wallets at which costs are compared. */
export const ACCEPTED = [0.28, 0.15, 0.08, 0.016] as const;

/** Returns the composite of an address. */
export function compositeOf(
  { chain, profile, graph }: ScoreSignals,
  model: ScoringModel,
  now = NOW,
): number {
  const followers = analyzeFollowers(graph, profile);
  const measures = model.summarize(chain, now)
    .measure({ profile, graph }, followers);
  return roundedOf(measures, model).composite;
}

/** Returns the composites at which these shares of wallets are accepted. */
export function thresholdsFor(
  composites: readonly number[],
  shares: readonly number[],
): number[] {
  const sorted = composites.toSorted((a, b) => b - a);
  return shares.map((share) => sorted[Math.floor(share * sorted.length)]!);
}
