/** The models that are attacked, and what they read of a wallet's past. */
import { analyzeFollowers } from "../../services/model/follower_analysis.ts";
import { roundedOf } from "../../services/model/model.ts";
import {
  COPY_PRICES,
  S4_2026_3,
  TABLES,
} from "../../services/model/s4_2026_3.ts";
import type {
  DatabaseSignals,
  TierFloors,
} from "../../services/model/scoring_model.ts";
import type { ActiveDay, ChainSignals } from "../../services/model/signals.ts";
import {
  type EarlierChain,
  earlierComposite,
  type EarlierModel,
} from "../evaluate/models/earlier_model.ts";
import { S4_2026_2 } from "../evaluate/models/s4_2026_2.ts";

/** What a wallet did, with what any of the models reads. */
export interface Past extends Omit<ChainSignals, "use"> {
  readonly gasUnits: number;
  readonly use: Omit<EarlierChain["use"], "days"> & {
    readonly days: readonly (ActiveDay & { readonly gasAvax: number })[];
  };
  /** Wallets of the same funder that do the same. They move their AVAX to no common address. */
  readonly cohort: number;
}

/** A model, as an attacker sees it. */
export interface Target {
  readonly id: string;
  readonly floors: TierFloors;
  /** Gas of a day in AVAX beyond which nothing counts, at a gas price in nAVAX. */
  readonly burnADay: (gasPrice: number) => number;
  /** Gas of a follower with full standing in AVAX, at a gas price in nAVAX. */
  readonly followerAvax: (gasPrice: number) => number;
  /** The part of a full standing that a wallet has as a follower. */
  readonly standingOf: (past: Past) => number;
  /** Summarises a past; returns the composite with what the service knows besides. */
  readonly summarize: (
    past: Past,
    now: number,
  ) => (signals: DatabaseSignals) => number;
}

/** The model in use. */
export const AFTER: Target = {
  id: S4_2026_3.id,
  floors: S4_2026_3.floors,
  burnADay: (gasPrice) => TABLES.gas.mostADay * gasPrice * 1e-9,
  followerAvax: (gasPrice) => COPY_PRICES.followerGas * gasPrice * 1e-9,
  standingOf: ({ gasUnits }) => gasUnits / COPY_PRICES.followerGas,
  summarize(past, now) {
    const { measure } = S4_2026_3.summarize(past, now);
    return (signals) => {
      const followers = analyzeFollowers(signals.graph, signals.profile);
      return roundedOf(measure(signals, followers), S4_2026_3).composite;
    };
  },
};

/** Gas of a follower with full standing in AVAX, and that of a day that counts, in the model before. */
const EARLIER = { followerAvax: 0.05, burnADay: 0.02 };

/** The model before. */
export const BEFORE: Target = earlierTarget(S4_2026_2);

function earlierTarget(model: EarlierModel): Target {
  return {
    id: model.id,
    floors: model.floors,
    burnADay: () => EARLIER.burnADay,
    followerAvax: () => EARLIER.followerAvax,
    standingOf: ({ gasAvax }) => gasAvax / EARLIER.followerAvax,
    summarize: ({ cohort, ...past }, now) => (signals) =>
      earlierComposite(
        { ...signals, chain: { ...past, alike: cohort } },
        now,
        model,
      ),
  };
}
