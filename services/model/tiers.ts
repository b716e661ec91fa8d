/** Tiers of scores, and how scores stand among real wallets. */
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

/**
 * Composite below which these percentages of honest wallets with ten or more own
 * transactions stand: figures of `deno task evaluate`, see the model card.
 */
export const REAL_WALLETS: readonly (readonly [
  percent: number,
  composite: number,
])[] = [
  [5, 4.43],
  [10, 5.51],
  [20, 7.68],
  [30, 9.65],
  [40, 12.03],
  [50, 14.16],
  [60, 16.21],
  [70, 18.29],
  [80, 21.77],
  [90, 28.12],
  [95, 33.58],
  [99, 45.4],
];

/** Returns the percentage of such wallets that a composite is higher than; 0 for the lowest twentieth. */
export function percentBelow(composite: number): number {
  return REAL_WALLETS.findLast(([, least]) => composite >= least)?.[0] ?? 0;
}
