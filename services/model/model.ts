/**
 * Scores: pure functions of signals and time. No answer contains the weights of a
 * model; changing one makes another model.
 */
import type { Score, ScoreVector } from "./scores_schema.ts";
import {
  BAND_NAMES,
  CONFIDENCE_BANDS,
  CONFIDENCE_DETAILS,
  type ConfidenceBand,
  type Dimension,
  DIMENSIONS,
  type SignalState,
} from "./score_terms_schema.ts";
import type { Measures, ScoringModel } from "./measures.ts";
import { sha256Hex } from "../platform/sha256.ts";
import { analyzeFollowers } from "./follower_analysis.ts";
import { legacyScoreOf } from "./legacy_score.ts";
import { type ConfidenceTerm, reasonsOf, summaryOf } from "./reasons.ts";
import {
  type ChainSignals,
  type GraphSignals,
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
  type ProfileSignals,
} from "./signals.ts";
import { S4_2026_1 } from "./s4_2026_1.ts";
import { S4_2026_2 } from "./s4_2026_2.ts";
import { type Tier, tierOf } from "./tiers.ts";

/** The method of headline scores, and that of the legacy score. */
export const METHODS = { headline: "s4-composite", legacy: "v1" };

/** Returns the SHA-256 of the weights, floors and tables of a model. */
export function tablesHashOf(
  { id, weights, floors, tables }: ScoringModel,
): string {
  return sha256Hex(JSON.stringify([id, weights, floors, tables]));
}

/** All models, the newest first. */
export const SCORING_MODELS: readonly [ScoringModel, ...ScoringModel[]] = [
  S4_2026_2,
  S4_2026_1,
];

/** The signals of an address. */
export interface ScoreSignals {
  readonly chain: ChainSignals;
  readonly profile: ProfileSignals;
  readonly graph: GraphSignals;
  /** Freshness of `chain`; with `none`, no signal counts. */
  readonly freshness: SignalState;
}

/** The terms of confidence, out of 1. `half` is the count that gives half of a term. */
const CONFIDENCE = {
  currency: { most: 0.40, floor: 0.25, half: 10 },
  history: { most: 0.20, half: 20 },
  profile: 0.15,
  socials: 0.10,
  graph: { most: 0.15, half: 10 },
  perFlag: 0.85,
};

/** Weight of on-chain data by freshness. Partial data counts as stale. */
const CURRENCY: Readonly<Record<SignalState | "partial", number>> = {
  fresh: 1,
  partial: 0.6,
  stale: 0.6,
  none: 0,
};

const BAND_FLOORS: Readonly<Record<ConfidenceBand, number>> = {
  high: 0.75,
  medium: 0.50,
  low: 0.25,
  minimal: 0,
};

/** Scores an address by a model at `now` (epoch ms). */
export function scoreOf(
  signals: ScoreSignals,
  now: number,
  model: ScoringModel,
): Score {
  const isKnown = signals.freshness !== "none";
  const known = isKnown ? signals : {
    chain: NO_CHAIN,
    profile: NO_PROFILE,
    graph: NO_GRAPH,
    freshness: signals.freshness,
  };
  const followers = analyzeFollowers(known.graph, known.profile);
  const flags = [...followers.factors.keys()];
  const analyzed = known.graph.analyzed || flags.length > 0;
  const graph = { ...known.graph, analyzed };
  const { tenure, measure } = model.summarize(known.chain, now);
  const measures = measure(known, followers);
  const { confidence, lost } = confidenceOf(known, flags.length);
  const vector = { ...vectorOf(measures, model), confidence };
  const reasons = reasonsOf({
    ...known,
    graph,
    tenure,
    followers,
    measures,
    weights: model.weights,
    confidenceLost: lost,
  });
  const score = Math.round(vector.composite);
  const headline = {
    score,
    ...tierOf(score, model.floors),
    model: METHODS.headline,
  };
  const band = bandOf(confidence);
  const { tierLabel } = headline;
  return {
    headline,
    s4: vector,
    graph: { analyzed, flags, socialDamping: followers.damping },
    explanation: {
      summary: summaryOf({ tierLabel, band, vector, reasons }),
      confidence: {
        value: confidence,
        band,
        label: CONFIDENCE_BANDS[band],
        detail: CONFIDENCE_DETAILS[band],
      },
      reasons,
    },
    verifiedHuman: signals.profile.verifiedHuman,
    ...legacyScoreOf(known, now),
    model: model.id,
  };
}

/**
 * Returns the model of this id. The newest one if there is none: a history may hold
 * points of a model that is gone.
 */
export function modelOf(id: string): ScoringModel {
  return SCORING_MODELS.find((model) => model.id === id) ?? SCORING_MODELS[0];
}

/** Returns the tier of a headline score by the model of this id. */
export function headlineTierOf(score: number, modelId: string): Tier {
  return tierOf(score, modelOf(modelId).floors);
}

/**
 * Rounds dimensions to one decimal and the composite to two. Integer arithmetic
 * keeps the composite exact, so that a reader computes the same number.
 */
export function vectorOf(
  measures: Measures,
  { weights }: Pick<ScoringModel, "weights">,
): Omit<ScoreVector, "confidence"> {
  const tenths = (dimension: Dimension) =>
    Math.round(measures[dimension].all * 10);
  let thousandths = 0;
  for (const dimension of DIMENSIONS) {
    thousandths += weights[dimension] * tenths(dimension);
  }
  return {
    humanity: tenths("humanity") / 10,
    activity: tenths("activity") / 10,
    social: tenths("social") / 10,
    economic: tenths("economic") / 10,
    composite: Math.round(thousandths / 10) / 100,
  };
}

/** Returns the confidence, to two decimals, and what missing evidence costs of it. */
function confidenceOf(
  { chain, profile, graph, freshness }: ScoreSignals,
  flagCount: number,
): { confidence: number; lost: Record<ConfidenceTerm, number> } {
  const { currency, history } = CONFIDENCE;
  const current = Math.min(
    CURRENCY[freshness],
    chain.isPartial ? CURRENCY.partial : 1,
  );
  const seen = partOf(chain.nonce, currency.half);
  const read = currency.most * (currency.floor + (1 - currency.floor) * seen);
  const unseen = currency.most * (1 - currency.floor) * (1 - seen);
  const past = history.most * partOf(chain.nonce, history.half);
  const owner = profile.claimed ? CONFIDENCE.profile : 0;
  const person = profile.socials.length > 0 ? CONFIDENCE.socials : 0;
  const around = CONFIDENCE.graph.most *
    partOf(graph.followers, CONFIDENCE.graph.half);
  const sum = current * read + past + owner + person + around;
  const damped = sum * CONFIDENCE.perFlag ** flagCount;
  return {
    confidence: Math.round(Math.min(1, Math.max(0, damped)) * 100) / 100,
    lost: {
      history: current * unseen + history.most - past,
      currency: (1 - current) * read,
      profile: CONFIDENCE.profile - owner,
      socials: CONFIDENCE.socials - person,
      graph: CONFIDENCE.graph.most - around,
    },
  };
}

/**
 * The part of a term that a count gives: one half at `half`, and always less than all
 * of it.
 */
function partOf(count: number, half: number): number {
  return count > 0 ? count / (count + half) : 0;
}

function bandOf(confidence: number): ConfidenceBand {
  return BAND_NAMES.find((band) => confidence >= BAND_FLOORS[band]) ??
    "minimal";
}
