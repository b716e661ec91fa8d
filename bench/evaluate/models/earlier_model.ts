/** The models before `s4-2026.3`, kept to compare with, and the chain signals that they read. */
import {
  analyzeFollowers,
  type FollowerAnalysis,
} from "../../../services/model/follower_analysis.ts";
import {
  type Dimension,
  DIMENSIONS,
} from "../../../services/model/score_terms_schema.ts";
import type {
  DatabaseSignals,
  Tenure,
  TierFloors,
} from "../../../services/model/scoring_model.ts";
import type { ChainSignals } from "../../../services/model/signals.ts";

/** On-chain signals of an address; times in epoch ms. Files of labelled wallets hold them. */
export interface EarlierChain extends
  Pick<
    ChainSignals,
    "firstTxAt" | "recentTxAt" | "nonce" | "gasAvax" | "alike"
  > {
  readonly use: {
    readonly count: number;
    /** UTC days, newest first. `varied`: transactions, at most three to one target. */
    readonly days: readonly {
      readonly day: number;
      readonly gasAvax: number;
      readonly varied: number;
    }[];
    /** Distinct UTC months with a transaction. */
    readonly months: number;
    /** Distinct ten-minute slots of the day with a transaction, of 144. */
    readonly slots: number;
    /** Distinct called or paid addresses, and called methods. */
    readonly targets: number;
    readonly methods: number;
  };
}

/** The points of a dimension: `all`, which is scored, and its parts. */
type PointsOf<Part extends string> = Readonly<
  Record<Part | "all", number>
>;

/** The four dimensions with their parts, unrounded. */
export interface Measures {
  readonly humanity: PointsOf<"age" | "socials">;
  readonly activity: PointsOf<"volume" | "regularity">;
  readonly social: PointsOf<"paid" | "undamped">;
  readonly economic: PointsOf<"gas" | "premium" | "slug" | "donations">;
}

/** A model: its tables, and how it measures an address. */
export interface EarlierModel {
  readonly id: string;
  /** Weight of each dimension in the composite, in percent. */
  readonly weights: Readonly<Record<Dimension, number>>;
  /** The lowest headline score of each tier. */
  readonly floors: TierFloors;
  /** All numbers that the measures depend on. */
  readonly tables: unknown;
  /** Summarises chain signals at an instant, epoch ms. */
  readonly summarize: (chain: EarlierChain, now: number) => {
    readonly tenure: Tenure;
    readonly measure: (
      signals: DatabaseSignals,
      followers: FollowerAnalysis,
    ) => Measures;
  };
}

/** Returns the composite of an address by one of the models at an instant, epoch ms. */
export function earlierComposite(
  { chain, ...signals }: DatabaseSignals & { readonly chain: EarlierChain },
  now: number,
  { weights, summarize }: EarlierModel,
): number {
  const followers = analyzeFollowers(signals.graph, signals.profile);
  const measures = summarize(chain, now).measure(signals, followers);
  const thousandths = DIMENSIONS.reduce(
    (sum, dimension) =>
      sum + weights[dimension] * Math.round(measures[dimension].all * 10),
    0,
  );
  return Math.round(thousandths / 10) / 100;
}
