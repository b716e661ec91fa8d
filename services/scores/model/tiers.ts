/** Tiers of headline and legacy v1 scores. */
import { TIER_IDS, type TierId, TIERS } from "./score_terms_schema.ts";

/** A tier, as it stands in answers. */
export interface Tier {
  readonly tier: TierId;
  readonly tierLabel: string;
}

/** The lowest score of each tier, in points of 100. */
type Floors = Readonly<Record<TierId, number>>;

const HEADLINE_FLOORS: Floors = {
  starter: 0,
  newcomer: 15,
  rising: 30,
  established: 45,
  elite: 65,
  legendary: 85,
};

const LEGACY_FLOORS: Floors = {
  starter: 0,
  newcomer: 5,
  rising: 10,
  established: 25,
  elite: 50,
  legendary: 100,
};

/** Returns the tier of a headline score, whole points from 0 to 100. */
export function headlineTier(score: number): Tier {
  return tierOf(score, HEADLINE_FLOORS);
}

/** Returns the tier of a legacy v1 score, points from 0 to 100. */
export function legacyTier(points: number): Tier {
  return tierOf(points, LEGACY_FLOORS);
}

function tierOf(score: number, floors: Floors): Tier {
  const tier = TIER_IDS.findLast((id) => score >= floors[id]) ?? "starter";
  return { tier, tierLabel: TIERS[tier].label };
}
