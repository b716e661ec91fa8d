/** A scoring model: what it measures of an address, the curves that it measures by, and the tiers of its scores. */
import type { FollowerAnalysis } from "./follower_analysis.ts";
import type { Breakdown } from "./scores_schema.ts";
import {
  type Dimension,
  type Standing,
  TIER_IDS,
  type TierId,
  TIERS,
} from "./score_terms_schema.ts";
import type { ChainSignals, GraphSignals, ProfileSignals } from "./signals.ts";
import { DAY_MS } from "../platform/days.ts";

/** The parts of a score, in points of the composite. Their sum is the composite. */
export type Parts = Readonly<Omit<Breakdown, "total">>;

/** What a model measures, unrounded, in points of the composite. */
export interface Measures {
  readonly parts: Parts;
  /** The parts of `txActivity`. */
  readonly activity: { readonly days: number; readonly volume: number };
  /** Both without damping. `paid`: for the paid mass alone. `undamped`: for all mass that counts. */
  readonly social: { readonly paid: number; readonly undamped: number };
  /** What others did before the first use. The stronger risk acts alone. */
  readonly removed: {
    /** By several payers, and a wait before the first use. */
    readonly manyPayers: number;
    /** By wallets with the same funder and sweep target. */
    readonly sharedFunder: number;
  };
}

/** When an address sent its transactions. */
export interface Tenure {
  readonly activeDays: number;
  /** Days since the first transaction; null if there is none. */
  readonly ageDays: number | null;
  /** Days since the last transaction; null if there is none. */
  readonly idleDays: number | null;
}

/** The signals from the service's own database. */
export interface DatabaseSignals {
  readonly profile: ProfileSignals;
  readonly graph: GraphSignals;
}

/** The chain signals of an address, summarised at an instant. */
interface ChainSummary {
  readonly tenure: Tenure;
  /** Measures the address with the signals from the database. */
  readonly measure: (
    signals: DatabaseSignals,
    followers: FollowerAnalysis,
  ) => Measures;
}

/** A scoring model: its tables, and how it measures an address. */
export interface ScoringModel {
  readonly id: string;
  /** Weight of each dimension in the composite, in percent. */
  readonly weights: Readonly<Record<Dimension, number>>;
  /** The lowest headline score of each tier. */
  readonly floors: TierFloors;
  /** All numbers that the measures depend on. */
  readonly tables: unknown;
  /** Summarises chain signals at an instant, epoch ms. */
  readonly summarize: (chain: ChainSignals, now: number) => ChainSummary;
}

/** A logarithmic curve that reaches `points` at `reference`. */
export interface Curve {
  readonly points: number;
  readonly reference: number;
  readonly steepness: number;
}

/** Returns the points of a value on a curve: 0 at 0, all points from the reference on. */
export function rise(
  value: number,
  { points, reference, steepness }: Curve,
): number {
  if (value <= 0) return 0;
  const part = Math.log1p(steepness * value / reference) /
    Math.log1p(steepness);
  return points * Math.min(1, part);
}

/** Returns the saturating share of a count: 0 at 0, one half at `half`, and always less than 1. */
export function partOf(count: number, half: number): number {
  return count > 0 ? count / (count + half) : 0;
}

/** Returns the days since an instant (epoch ms); 0 if it is in the future. */
export function daysSince(at: number, now: number): number {
  return Math.max(0, now - at) / DAY_MS;
}

/** Returns the part that is left after some days: one half after each half-life. */
export function decay(days: number, halfLifeDays: number): number {
  return 2 ** (-days / halfLifeDays);
}

/** Returns the mean decay over ages that are spread evenly between two, in days. */
export function meanDecay(
  from: number,
  to: number,
  halfLifeDays: number,
): number {
  const exponent = Math.LN2 * (to - from) / halfLifeDays;
  const mean = exponent > 0 ? -Math.expm1(-exponent) / exponent : 1;
  return mean * decay(from, halfLifeDays);
}

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
