/** The result of measuring an address: four dimensions with their parts, before rounding. */
import type { Dimension } from "./score_terms_schema.ts";
import type { TierFloors } from "./tiers.ts";
import type { FollowerAnalysis } from "./follower_analysis.ts";
import type { ChainSignals, GraphSignals, ProfileSignals } from "./signals.ts";

/** The points of a dimension: `all`, which is scored, and its parts. */
type PointsOf<Part extends string> = Readonly<
  Record<Part | "all", number>
>;

/** The four dimensions with their parts, unrounded. */
export interface Measures {
  /** Each part: the points that would be lost without it. */
  readonly humanity: PointsOf<"age" | "socials">;
  readonly activity: PointsOf<"volume" | "regularity">;
  /** Both without damping. `paid`: points for the paid mass alone. `undamped`: for all mass that counts. */
  readonly social: PointsOf<"paid" | "undamped">;
  readonly economic: PointsOf<"gas" | "premium" | "slug" | "donations">;
  /** What a pattern removes: points of a dimension times the weight of the dimension. */
  readonly removed: {
    /** By wallets of the same funder or sweep target that did the same before. */
    readonly sharedFunder: number;
    /** By a use of few ten-minute slots of the day, as of a program with a schedule. */
    readonly automated: number;
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
export interface ChainSummary {
  readonly tenure: Tenure;
  /** Computes the dimensions with the signals from the database. */
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
