/** Tiers of scores. */
import {
  type Standing,
  TIER_IDS,
  type TierId,
  TIERS,
} from "./score_terms_schema.ts";

/** A tier, as it stands in answers. */
export interface Tier {
  readonly tier: TierId;
  readonly tierLabel: string;
}

/** The lowest score of each tier, in points of 100. */
export type TierFloors = Readonly<Record<TierId, number>>;

/** Returns the tier of a score with these floors. */
export function tierOf(score: number, floors: TierFloors): Tier {
  const tier = TIER_IDS.findLast((id) => score >= floors[id]) ?? "starter";
  return { tier, tierLabel: TIERS[tier].label };
}

/** Returns where a score stands within its tier. It never says how many points are missing. */
export function standingOf(score: number, floors: TierFloors): Standing {
  const index = TIER_IDS.findLastIndex((id) => score >= floors[id]);
  const next = TIER_IDS[index + 1];
  if (next === undefined) return "highest";
  const floor = floors[TIER_IDS[Math.max(0, index)]!];
  const part = (score - floor) / (floors[next] - floor);
  if (part < 1 / 3) return "entered";
  return part < 2 / 3 ? "midway" : "close";
}
