/** A scoring model, and what it measures of an address. */
import type { FollowerAnalysis } from "./follower_analysis.ts";
import type { Breakdown } from "./scores_schema.ts";
import type { Dimension } from "./score_terms_schema.ts";
import type { ChainSignals, GraphSignals, ProfileSignals } from "./signals.ts";
import type { TierFloors } from "./tiers.ts";

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
