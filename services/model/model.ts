/**
 * Scores: pure functions of signals and time; and which model scores at a time. No answer
 * contains the weights of a model; changing one makes another model. A later model is
 * announced before it is used.
 */
import type { Breakdown, Score, ScoreVector } from "./scores_schema.ts";
import {
  BAND_NAMES,
  CONFIDENCE_BANDS,
  CONFIDENCE_DETAILS,
  type ConfidenceBand,
  type Dimension,
  DIMENSIONS,
  type SignalState,
} from "./score_terms_schema.ts";
import { sha256Hex } from "../platform/bytes.ts";
import { analyzeFollowers } from "./follower_analysis.ts";
import { costToFake } from "./cost_to_fake.ts";
import { type ConfidenceTerm, reasonsOf, summaryOf } from "./reasons.ts";
import {
  type ChainSignals,
  type GraphSignals,
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
  type ProfileSignals,
} from "./signals.ts";
import {
  type Measures,
  partOf,
  type Parts,
  type ScoringModel,
  tierOf,
} from "./scoring_model.ts";
import { dayAt, formatDay, parseDay } from "../platform/days.ts";
import { S4_2026_3 } from "./s4_2026_3.ts";

/** The method of headline scores. */
export const METHOD = "s4-composite";

/** Returns the SHA-256 of the weights, floors and tables of a model. */
export function tablesHashOf(
  { id, weights, floors, tables }: ScoringModel,
): string {
  return sha256Hex(JSON.stringify([id, weights, floors, tables]));
}

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
  const { breakdown, ...dimensions } = roundedOf(measures, model);
  const vector = { ...dimensions, confidence };
  const reasons = reasonsOf({
    ...known,
    graph,
    tenure,
    followers,
    measures,
    vector,
    weights: model.weights,
    confidenceLost: lost,
  });
  const score = Math.round(vector.composite);
  const headline = {
    score,
    ...tierOf(score, model.floors),
    model: METHOD,
  };
  const band = bandOf(confidence);
  const { tier, tierLabel } = headline;
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
    score,
    tier,
    tierLabel,
    breakdown,
    costToFake: costToFake(known, now),
    model: model.id,
  };
}

/** The dimension of each part of a score. */
const DIMENSION_OF: Readonly<Record<keyof Parts, Dimension>> = {
  walletAge: "humanity",
  verifiedSocials: "humanity",
  humanProofs: "humanity",
  txActivity: "activity",
  followers: "social",
  gasSpent: "economic",
  premium: "economic",
  paidSlug: "economic",
  donations: "economic",
};
const PARTS = Object.keys(DIMENSION_OF) as (keyof Parts)[];

/**
 * Rounds dimensions to one decimal, and the composite and its parts to two. Integer
 * arithmetic keeps the composite exact, so that a reader computes the same number;
 * it is shared among the parts by largest remainder.
 */
export function roundedOf(
  { parts }: Pick<Measures, "parts">,
  { weights }: Pick<ScoringModel, "weights">,
): Omit<ScoreVector, "confidence"> & { readonly breakdown: Breakdown } {
  const sums: Record<Dimension, number> = {
    humanity: 0,
    activity: 0,
    social: 0,
    economic: 0,
  };
  for (const part of PARTS) sums[DIMENSION_OF[part]] += parts[part];
  let all = 0;
  let thousandths = 0;
  for (const dimension of DIMENSIONS) {
    all += sums[dimension];
    const tenths = Math.round(sums[dimension] / weights[dimension] * 1_000);
    thousandths += weights[dimension] * tenths;
    sums[dimension] = tenths / 10;
  }
  const hundredths = Math.round(thousandths / 10);
  const composite = hundredths / 100;
  const exact = PARTS.map((part) =>
    all > 0 ? parts[part] / all * hundredths : 0
  );
  const wholes = exact.map(Math.floor);
  const left = hundredths - wholes.reduce((sum, whole) => sum + whole, 0);
  const byRest = PARTS.map((_, nth) => nth)
    .sort((a, b) => exact[b]! - wholes[b]! - (exact[a]! - wholes[a]!));
  for (const nth of byRest.slice(0, left)) wholes[nth]!++;
  const breakdown = Object.fromEntries([
    ...PARTS.map((part, nth) => [part, wholes[nth]! / 100]),
    ["total", composite],
  ]) as Breakdown;
  return { ...sums, composite, breakdown };
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

function bandOf(confidence: number): ConfidenceBand {
  return BAND_NAMES.find((band) => confidence >= BAND_FLOORS[band]) ??
    "minimal";
}

/** Days from the announcement of a model to its use. */
const NOTICE_DAYS = 30;

/** A model and its announcement. */
export interface ScheduledModel {
  readonly model: ScoringModel;
  /** The UTC day of the announcement, `YYYY-MM-DD`; null for the first model. */
  readonly announcedOn: string | null;
}

/** The models of this service, the oldest first. */
export const MODEL_SCHEDULE: readonly ScheduledModel[] = [
  { model: S4_2026_3, announcedOn: null },
];

/** A model that is announced and not used yet. */
interface AnnouncedModel {
  readonly model: ScoringModel;
  /** UTC days, `YYYY-MM-DD`. */
  readonly announcedOn: string;
  readonly usedFrom: string;
}

/** The model in use, and the announced one; null if there is none. */
export interface ModelsAt {
  readonly current: ScoringModel;
  readonly next: AnnouncedModel | null;
}

/** Returns the models of a schedule at an instant, epoch ms. */
export function modelsAt(
  now: number,
  schedule: readonly ScheduledModel[],
): ModelsAt {
  const today = dayAt(now);
  let current = schedule[0]!.model;
  for (const { model, announcedOn } of schedule) {
    if (announcedOn === null) continue;
    const day = parseDay(announcedOn);
    const usedFrom = day + NOTICE_DAYS;
    if (usedFrom <= today) current = model;
    else if (day <= today) {
      const next = { model, announcedOn, usedFrom: formatDay(usedFrom) };
      return { current, next };
    }
  }
  return { current, next: null };
}
