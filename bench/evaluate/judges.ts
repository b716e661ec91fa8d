/** What an evaluation compares: the model, earlier models, and rules of one line. */
import { DAY_MS } from "../../services/platform/days.ts";
import { costToFake } from "../../services/model/cost_to_fake.ts";
import { analyzeFollowers } from "../../services/model/follower_analysis.ts";
import { roundedOf } from "../../services/model/model.ts";
import {
  monthsOf,
  originOf,
  S4_2026_3,
  TABLES,
} from "../../services/model/s4_2026_3.ts";
import { DIMENSIONS } from "../../services/model/score_terms_schema.ts";
import type { Measures } from "../../services/model/scoring_model.ts";
import {
  type ChainSignals,
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
} from "../../services/model/signals.ts";
import type { Judge, JudgedModel } from "./evaluation.ts";
import type { LabelledWallet } from "./labelled.ts";
import {
  type EarlierChain,
  earlierComposite,
  type EarlierModel,
} from "./models/earlier_model.ts";
import { legacyPointsOf } from "./models/legacy_score.ts";
import { S4_2026_1 } from "./models/s4_2026_1.ts";
import { S4_2026_2 } from "./models/s4_2026_2.ts";

const NOTHING_ELSE = { profile: NO_PROFILE, graph: NO_GRAPH };
const NO_FOLLOWERS = analyzeFollowers(NO_GRAPH, NO_PROFILE);

/** Price of a unit of gas in `days25`, in AVAX. */
const GAS_AVAX = 25e-9;

/** Returns a wallet's chain signals. Labelled wallets have no profile. */
function chainOf(wallet: LabelledWallet): ChainSignals {
  const { firstTxAt, recentTxAt, nonce, gas, use, chain } = wallet;
  if (chain !== undefined) return chain;
  const { days25 = [], before, received } = wallet;
  const days = use.days.map(({ day, varied }, nth) => ({
    day,
    varied,
    gasUnits: days25[nth]! / GAS_AVAX,
  }));
  const firstIn = received?.firstIn ?? null;
  return {
    ...NO_CHAIN,
    firstTxAt,
    recentTxAt,
    nonce,
    gasAvax: gas.eth,
    use: { ...NO_CHAIN.use, count: nonce, days },
    origin: before && before.count > 0 && firstIn !== null && firstTxAt !== null
      ? originOf(before.amounts, Math.max(0, firstTxAt - firstIn) / DAY_MS)
      : null,
  };
}

function measure(chain: ChainSignals, now: number): Measures {
  return S4_2026_3.summarize(chain, now).measure(NOTHING_ELSE, NO_FOLLOWERS);
}

function compositeOf(chain: ChainSignals, now: number): number {
  return roundedOf(measure(chain, now), S4_2026_3).composite;
}

function without(
  name: string,
  change: (chain: ChainSignals, now: number) => ChainSignals,
): Judge {
  return {
    name,
    scoreOf: (wallet, now) => compositeOf(change(chainOf(wallet), now), now),
  };
}

/** A judge that takes points of the composite away. */
function less(name: string, pointsOf: (measures: Measures) => number): Judge {
  return {
    name,
    scoreOf(wallet, now) {
      const measures = measure(chainOf(wallet), now);
      const parts = Object.values(measures.parts);
      return parts.reduce((sum, points) => sum + points, 0) -
        pointsOf(measures);
    },
  };
}

/** The model in use. */
export const CURRENT: JudgedModel = {
  name: S4_2026_3.id,
  floors: S4_2026_3.floors,
  scoreOf: (wallet, now) => compositeOf(chainOf(wallet), now),
  costOf: (wallet, now) =>
    costToFake({ chain: chainOf(wallet), ...NOTHING_ELSE }, now).usd,
  without: [
    ...DIMENSIONS.filter((dimension) => dimension !== "social").map(
      (dimension): Judge => ({
        name: dimension,
        scoreOf(wallet, now) {
          const vector = roundedOf(measure(chainOf(wallet), now), S4_2026_3);
          return vector.composite -
            S4_2026_3.weights[dimension] / 100 * vector[dimension];
        },
      }),
    ),
    without("age", (chain, now) => ({ ...chain, firstTxAt: now })),
    {
      name: "months of use",
      scoreOf(wallet, now) {
        const { months } = TABLES.humanity;
        const { evidence } = months;
        try {
          months.evidence = 0;
          return CURRENT.scoreOf(wallet, now);
        } finally {
          months.evidence = evidence;
        }
      },
    },
    less("days of use", ({ activity }) => activity.days),
    less("transactions", ({ activity }) => activity.volume),
    without("payers before the first use", (chain) => ({
      ...chain,
      origin: null,
    })),
    without("the wait before the first use", (chain) => ({
      ...chain,
      origin: chain.origin && { ...chain.origin, delayDays: 1e6 },
    })),
  ],
  alone: DIMENSIONS.filter((dimension) => dimension !== "social").map(
    (dimension) => ({
      name: dimension,
      scoreOf: (wallet, now) =>
        roundedOf(measure(chainOf(wallet), now), S4_2026_3)[dimension],
    }),
  ),
};

/** The models before, the legacy score first: strata are compared with it. */
export const EARLIER: readonly [Judge, ...Judge[]] = [
  {
    name: "legacy",
    scoreOf: ({ firstTxAt, nonce, gas }, now) =>
      legacyPointsOf({
        chain: { firstTxAt, nonce, gasAvax: gas.eth },
        ...NOTHING_ELSE,
      }, now).reduce((sum, points) => sum + points, 0),
  },
  earlier(S4_2026_1),
  earlier(S4_2026_2),
];

function earlier(model: EarlierModel): Judge {
  return {
    name: model.id,
    scoreOf(wallet, now) {
      // Wallets that this service read lack what the earlier models read.
      if (wallet.chain !== undefined) return NaN;
      const { gas, ...line } = wallet as
        & LabelledWallet
        & Pick<EarlierChain, "use">;
      const chain = { ...line, gasAvax: gas.eth, alike: 0 };
      return earlierComposite({ chain, ...NOTHING_ELSE }, now, model);
    },
  };
}

/** Rules of one line. A model that does not beat them is not worth its code. */
export const RULES: readonly Judge[] = [
  { name: "age", scoreOf: ({ firstTxAt }, now) => now - (firstTxAt ?? now) },
  {
    name: "months of use",
    scoreOf: (wallet) => monthsOf(chainOf(wallet).use.days),
  },
  { name: "units of gas", scoreOf: ({ gas }) => gas.units },
  { name: "own transactions", scoreOf: ({ nonce }) => nonce },
];
