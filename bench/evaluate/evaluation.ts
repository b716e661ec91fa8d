/** Evaluates a scoring model on labelled addresses. */
import type { ScoringModel } from "../../services/model/scoring_model.ts";
import { scoreOf, type ScoreSignals } from "../../services/model/model.ts";
import {
  type Dimension,
  DIMENSIONS,
  TIER_IDS,
  type TierId,
} from "../../services/model/score_terms_schema.ts";
import type { ChainSignals } from "../../services/model/signals.ts";
import { tierOf } from "../../services/model/tiers.ts";
import type { Labelled } from "./labelled.ts";
import {
  aucOf,
  brierOf,
  type Estimate,
  estimate,
  precisionAt,
  type ReliabilityBin,
  reliabilityOf,
  type Scored,
} from "./measures.ts";

/** The result of an evaluation. */
export interface Evaluation {
  readonly model: string;
  readonly auc: Estimate;
  /** Share of humans from each tier on. */
  readonly precision: Readonly<Record<TierId, Estimate>>;
  /** AUC without each list. */
  readonly withoutList: Readonly<Record<string, number>>;
  /** AUC without each dimension, and without each signal. */
  readonly withoutDimension: Readonly<Record<Dimension, number>>;
  readonly withoutSignal: Readonly<Record<string, number>>;
  /** Confidence, as the probability that the median score tells a human from a sybil. */
  readonly brier: number;
  readonly reliability: readonly ReliabilityBin[];
  /** Addresses by list and tier. */
  readonly tiers: Readonly<Record<string, Readonly<Record<TierId, number>>>>;
}

/** Signals that are taken away, by name. */
const SIGNALS: Readonly<Record<string, (chain: ChainSignals) => ChainSignals>> =
  {
    "first transaction": (chain) => ({
      ...chain,
      firstTxAt: chain.recentTxAt.at(-1) ?? null,
    }),
    "gas by day": (chain) => ({
      ...chain,
      use: {
        ...chain.use,
        days: chain.use.days.map((day) => ({ ...day, gasUnits: 0 })),
      },
    }),
    "shared funder": (chain) => ({ ...chain, alike: 0 }),
  };

/** Evaluates a model at an instant, epoch ms. Random numbers are from 0 up to 1. */
export function evaluate(
  labelled: readonly Labelled[],
  model: ScoringModel,
  { now, random }: { readonly now: number; readonly random: () => number },
): Evaluation {
  const reads = labelled.map((each) => ({
    ...each,
    read: scoreOf(each.signals, now, model),
  }));
  const scored = reads.map(({ isHuman, read }) => ({
    isHuman,
    score: read.s4.composite,
  }));
  const median = scored.map(({ score }) => score)
    .sort((a, b) => a - b)[Math.floor(scored.length / 2)]!;
  const predictions = reads.map(({ isHuman, read }) => ({
    probability: read.s4.confidence,
    isTrue: (read.s4.composite >= median) === isHuman,
  }));
  const lists = [...new Set(labelled.map(({ list }) => list))];
  const aucWith = (change: (signals: ScoreSignals) => ScoreSignals) =>
    aucOf(labelled.map(({ isHuman, signals }): Scored => ({
      isHuman,
      score: scoreOf(change(signals), now, model).s4.composite,
    })));
  return {
    model: model.id,
    auc: estimate(scored, aucOf, random),
    precision: record(TIER_IDS, (tier) =>
      estimate(
        scored,
        (some) => precisionAt(some, model.floors[tier] - 0.5),
        random,
      )),
    withoutList: record(
      lists,
      (left) => aucOf(scored.filter((_, nth) => labelled[nth]!.list !== left)),
    ),
    withoutDimension: record(
      DIMENSIONS,
      (left) =>
        aucOf(reads.map(({ isHuman, read }) => ({
          isHuman,
          score: read.s4.composite - model.weights[left] * read.s4[left] / 100,
        }))),
    ),
    withoutSignal: record(
      Object.keys(SIGNALS),
      (left) =>
        aucWith((signals) => ({
          ...signals,
          chain: SIGNALS[left]!(signals.chain),
        })),
    ),
    brier: brierOf(predictions),
    reliability: reliabilityOf(predictions),
    tiers: record(lists, (list) => {
      const some = reads.filter((each) => each.list === list);
      return record(
        TIER_IDS,
        (tier) =>
          some.filter(({ read }) =>
            tierOf(read.headline.score, model.floors).tier === tier
          ).length,
      );
    }),
  };
}

function record<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(
    names.map((name) => [name, valueOf(name)]),
  ) as Record<Name, Value>;
}
