/** The reasons of a score, ranked by their impact, and a summary in words. */
import type { Reason, ScoreVector } from "./scores_schema.ts";
import {
  type ConfidenceBand,
  type Dimension,
  DIMENSIONS,
  type GraphFlag,
  type SignalState,
} from "./score_terms_schema.ts";
import {
  REASON_CODES,
  REASON_KINDS,
  type ReasonCode,
  REASONS,
} from "./reasons_schema.ts";
import { dampingOf, type FollowerAnalysis } from "./follower_analysis.ts";
import type { Measures, Tenure } from "./scoring_model.ts";
import type { ChainSignals, GraphSignals, ProfileSignals } from "./signals.ts";
import { countedGas } from "./s4_2026_3.ts";

/** A kind of evidence that confidence rests on. */
export type ConfidenceTerm =
  | "history"
  | "currency"
  | "profile"
  | "socials"
  | "graph";

/** The data that reasons are derived from. */
export interface Findings {
  readonly chain: ChainSignals;
  readonly profile: ProfileSignals;
  readonly graph: GraphSignals;
  readonly freshness: SignalState;
  readonly tenure: Tenure;
  readonly followers: FollowerAnalysis;
  readonly measures: Measures;
  readonly vector: Omit<ScoreVector, "confidence">;
  /** The weights of the composite, in percent. */
  readonly weights: Readonly<Record<Dimension, number>>;
  /** Confidence lost to missing evidence, by term, out of 1. */
  readonly confidenceLost: Readonly<Record<ConfidenceTerm, number>>;
}

/** Thresholds of the reasons, in transactions, followers, days, points, mass or gas. */
const THRESHOLDS = {
  fullHistoryTxs: 10,
  fullGraphFollowers: 10,
  newWalletDays: 30,
  longHistoryDays: 730,
  recentDays: 30,
  dormantDays: 180,
  concentratedTxs: 20,
  concentratedDays: 5,
  sustainedDays: 30,
  sustainedSpanDays: 180,
  highActivity: 50,
  lowCostActivity: 40,
  lowCostEconomic: 20,
  qualityMass: 5,
  gasUnits: 20_000_000,
  /** Points of the composite. */
  removed: 1.2,
};

type Impact = (findings: Findings) => number;

/**
 * When each reason applies, and its impact: confidence lost, or composite points lost or
 * gained. A risk based on missing data needs complete signals.
 */
const RULES: Readonly<
  Record<ReasonCode, {
    readonly applies: (findings: Findings) => boolean;
    readonly impact: Impact;
  }>
> = {
  NO_ONCHAIN_HISTORY: {
    applies: ({ chain, tenure }) => !chain.isPartial && tenure.ageDays === null,
    impact: confidence("history"),
  },
  LIMITED_ONCHAIN_HISTORY: {
    applies: ({ chain, tenure }) =>
      tenure.ageDays !== null && chain.nonce < THRESHOLDS.fullHistoryTxs,
    impact: confidence("history"),
  },
  STALE_SIGNALS: {
    applies: ({ freshness }) => freshness === "stale",
    impact: confidence("currency"),
  },
  PARTIAL_SIGNALS: {
    applies: ({ chain }) => chain.isPartial,
    impact: confidence("currency"),
  },
  NO_PROFILE: {
    applies: ({ profile }) => !profile.claimed,
    impact: confidence("profile"),
  },
  NO_VERIFIED_SOCIALS: {
    applies: ({ profile }) => profile.socials.length === 0,
    impact: confidence("socials"),
  },
  GRAPH_NOT_ANALYZED: {
    applies: ({ graph }) => !graph.analyzed,
    impact: confidence("graph"),
  },
  SMALL_GRAPH: {
    applies: ({ graph }) =>
      graph.analyzed && graph.followers < THRESHOLDS.fullGraphFollowers,
    impact: confidence("graph"),
  },
  CONTRACT_ACCOUNT: {
    applies: ({ chain }) => chain.isContract,
    impact: () => 0,
  },
  VERIFIED_HUMAN_LAPSED: {
    applies: ({ profile }) =>
      profile.verifiedHuman !== null && !profile.isHumanNow,
    impact: () => 0,
  },
  FOLLOW_RING: {
    applies: ({ followers }) => followers.factors.has("follow_ring"),
    impact: damped("follow_ring"),
  },
  FOLLOWER_BURST: {
    applies: ({ followers }) => followers.factors.has("follower_burst"),
    impact: damped("follower_burst"),
  },
  THIN_FOLLOWERS: {
    applies: ({ followers }) => followers.factors.has("thin_followers"),
    impact: damped("thin_followers"),
  },
  SELF_DONATION: {
    applies: ({ followers }) => followers.factors.has("self_donation"),
    impact: damped("self_donation"),
  },
  SHARED_FUNDER: {
    applies: ({ measures }) =>
      measures.removed.sharedFunder >= THRESHOLDS.removed,
    impact: ({ measures }) => measures.removed.sharedFunder,
  },
  COLLECTED_BEFORE_USE: {
    applies: ({ measures }) =>
      measures.removed.manyPayers >= THRESHOLDS.removed,
    impact: ({ measures }) => measures.removed.manyPayers,
  },
  NEW_WALLET: {
    applies: ({ chain, tenure: { ageDays } }) =>
      !chain.isPartial && ageDays !== null &&
      ageDays < THRESHOLDS.newWalletDays,
    impact: gap("humanity"),
  },
  DORMANT: {
    applies: ({ chain, tenure: { idleDays } }) =>
      !chain.isPartial && idleDays !== null &&
      idleDays >= THRESHOLDS.dormantDays,
    impact: gap("activity"),
  },
  CONCENTRATED_ACTIVITY: {
    applies: ({ chain, tenure: { activeDays } }) =>
      !chain.isPartial && chain.nonce >= THRESHOLDS.concentratedTxs &&
      activeDays > 0 && activeDays <= THRESHOLDS.concentratedDays,
    impact: gap("activity"),
  },
  LOW_COST_FOOTPRINT: {
    applies: ({ chain, vector }) =>
      !chain.isPartial && vector.activity >= THRESHOLDS.lowCostActivity &&
      vector.economic < THRESHOLDS.lowCostEconomic,
    impact: gap("economic"),
  },
  LONG_HISTORY: {
    applies: ({ tenure: { ageDays } }) =>
      ageDays !== null && ageDays >= THRESHOLDS.longHistoryDays,
    impact: points("walletAge"),
  },
  VERIFIED_SOCIALS: {
    applies: ({ profile }) => profile.socials.length > 0,
    impact: points("verifiedSocials"),
  },
  UNIQUE_HUMAN_PROOF: {
    applies: ({ measures }) => measures.parts.humanProofs > 0,
    impact: points("humanProofs"),
  },
  VERIFIED_HUMAN: {
    applies: ({ profile }) => profile.isHumanNow,
    impact: () => 0,
  },
  RECENT_ACTIVITY: {
    applies: ({ tenure: { idleDays } }) =>
      idleDays !== null && idleDays < THRESHOLDS.recentDays,
    impact: ({ measures }) => measures.activity.volume,
  },
  SUSTAINED_ACTIVITY: {
    applies: ({ tenure: { activeDays, ageDays, idleDays } }) =>
      activeDays >= THRESHOLDS.sustainedDays &&
      (ageDays ?? 0) - (idleDays ?? 0) >= THRESHOLDS.sustainedSpanDays,
    impact: ({ measures }) => measures.activity.days,
  },
  HIGH_ACTIVITY: {
    applies: ({ vector }) => vector.activity >= THRESHOLDS.highActivity,
    impact: points("txActivity"),
  },
  QUALITY_FOLLOWERS: {
    applies: ({ graph }) => graph.paidMass >= THRESHOLDS.qualityMass,
    impact: ({ measures, followers }) =>
      measures.social.paid * followers.damping,
  },
  CLEAN_GRAPH: {
    applies: ({ graph, followers }) =>
      graph.analyzed && graph.followers >= THRESHOLDS.fullGraphFollowers &&
      followers.factors.size === 0,
    impact: () => 0,
  },
  GAS_SPENT: {
    applies: ({ chain }) => countedGas(chain.use.days) >= THRESHOLDS.gasUnits,
    impact: points("gasSpent"),
  },
  PREMIUM_MEMBER: {
    applies: ({ profile }) => profile.claimed && profile.premiumMonths > 0,
    impact: points("premium"),
  },
  PAID_SLUG: {
    applies: ({ profile }) => profile.claimed && profile.paidSlug,
    impact: points("paidSlug"),
  },
  DONOR: {
    applies: ({ profile }) => profile.donatedUsdc > 0,
    impact: points("donations"),
  },
};

function points(part: keyof Measures["parts"]): Impact {
  return ({ measures }) => measures.parts[part];
}

function confidence(term: ConfidenceTerm): Impact {
  return ({ confidenceLost }) => confidenceLost[term];
}

/** Returns what a flag removes from social in addition to the other flags. */
function damped(flag: GraphFlag): Impact {
  return ({ measures, followers }) =>
    measures.social.undamped *
    (dampingOf(followers.factors, flag) - followers.damping);
}

function gap(dimension: Dimension): Impact {
  return ({ vector, weights }) =>
    weights[dimension] / 100 * (100 - vector[dimension]);
}

/** Lists the reasons that apply: by kind, then by impact, then in the order of the catalogue. */
export function reasonsOf(findings: Findings): Reason[] {
  const found = REASON_CODES
    .filter((code) => RULES[code].applies(findings))
    .map((code) => ({ code, impact: RULES[code].impact(findings) }));
  return REASON_KINDS.flatMap((kind) =>
    found.filter(({ code }) => REASONS[code][0] === kind)
      .toSorted((a, b) => b.impact - a.impact)
      .map(({ code }) => reasonOf(code))
  );
}

/** Returns a reason as answers show it. */
export function reasonOf(code: ReasonCode): Reason {
  const [kind, dimension, title, detail] = REASONS[code];
  return { code, kind, dimension, title, detail };
}

/** Summarises a score: tier, confidence, strengths and risks. */
export function summaryOf(
  { tierLabel, band, vector, reasons }: {
    readonly tierLabel: string;
    readonly band: ConfidenceBand;
    readonly vector: ScoreVector;
    readonly reasons: readonly Reason[];
  },
): string {
  const ranked = DIMENSIONS.toSorted((a, b) => vector[b] - vector[a]);
  const strength = vector.composite > 0
    ? `Strongest in ${ranked[0]}, weakest in ${ranked.at(-1)}.`
    : "Nothing that was read speaks for this address yet.";
  const risks = reasons.filter(({ kind }) => kind === "risk")
    .map(({ title }) => title.toLowerCase());
  const caution = risks.length > 0
    ? `Risks: ${risks.join(", ")}.`
    : "No risk was found in what was read.";
  return `${tierLabel}, with ${band} confidence. ${strength} ${caution}`;
}
