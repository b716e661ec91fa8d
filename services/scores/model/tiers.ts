/** Tiers of headline and legacy v1 scores. */
import { TIER_IDS, type TierId, TIERS } from "./score_terms_schema.ts";

/** A tier, as it stands in answers. */
export interface Tier {
  readonly tier: TierId;
  readonly tierLabel: string;
}

/** The lowest score of each tier, in points of 100. */
export type TierFloors = Readonly<Record<TierId, number>>;

const LEGACY_FLOORS: TierFloors = {
  starter: 0,
  newcomer: 5,
  rising: 10,
  established: 25,
  elite: 50,
  legendary: 100,
};

/** Returns the tier of a legacy v1 score, points from 0 to 100. */
export function legacyTier(points: number): Tier {
  return tierOf(points, LEGACY_FLOORS);
}

/** Returns the tier of a score with these floors. */
export function tierOf(score: number, floors: TierFloors): Tier {
  const tier = TIER_IDS.findLast((id) => score >= floors[id]) ?? "starter";
  return { tier, tierLabel: TIERS[tier].label };
}
