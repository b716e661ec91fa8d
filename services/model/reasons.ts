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
  REASON_DETAILS,
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

/** When each reason applies. A risk based on missing data needs complete signals. */
const APPLIES: Readonly<Record<ReasonCode, (findings: Findings) => boolean>> = {
  NO_ONCHAIN_HISTORY: ({ chain, tenure }) =>
    !chain.isPartial && tenure.ageDays === null,
  LIMITED_ONCHAIN_HISTORY: ({ chain, tenure }) =>
    tenure.ageDays !== null && chain.nonce < THRESHOLDS.fullHistoryTxs,
  STALE_SIGNALS: ({ freshness }) => freshness === "stale",
  PARTIAL_SIGNALS: ({ chain }) => chain.isPartial,
  NO_PROFILE: ({ profile }) => !profile.claimed,
  NO_VERIFIED_SOCIALS: ({ profile }) => profile.socials.length === 0,
  GRAPH_NOT_ANALYZED: ({ graph }) => !graph.analyzed,
  SMALL_GRAPH: ({ graph }) =>
    graph.analyzed && graph.followers < THRESHOLDS.fullGraphFollowers,
  CONTRACT_ACCOUNT: ({ chain }) => chain.isContract,
  VERIFIED_HUMAN_LAPSED: ({ profile }) =>
    profile.verifiedHuman !== null && !profile.isHumanNow,
  FOLLOW_RING: ({ followers }) => followers.factors.has("follow_ring"),
  FOLLOWER_BURST: ({ followers }) => followers.factors.has("follower_burst"),
  THIN_FOLLOWERS: ({ followers }) => followers.factors.has("thin_followers"),
  SELF_DONATION: ({ followers }) => followers.factors.has("self_donation"),
  SHARED_FUNDER: ({ measures }) =>
    measures.removed.sharedFunder >= THRESHOLDS.removed,
  COLLECTED_BEFORE_USE: ({ measures }) =>
    measures.removed.manyPayers >= THRESHOLDS.removed,
  NEW_WALLET: ({ chain, tenure: { ageDays } }) =>
    !chain.isPartial && ageDays !== null && ageDays < THRESHOLDS.newWalletDays,
  DORMANT: ({ chain, tenure: { idleDays } }) =>
    !chain.isPartial && idleDays !== null && idleDays >= THRESHOLDS.dormantDays,
  CONCENTRATED_ACTIVITY: ({ chain, tenure: { activeDays } }) =>
    !chain.isPartial && chain.nonce >= THRESHOLDS.concentratedTxs &&
    activeDays > 0 && activeDays <= THRESHOLDS.concentratedDays,
  LOW_COST_FOOTPRINT: ({ chain, vector }) =>
    !chain.isPartial && vector.activity >= THRESHOLDS.lowCostActivity &&
    vector.economic < THRESHOLDS.lowCostEconomic,
  LONG_HISTORY: ({ tenure: { ageDays } }) =>
    ageDays !== null && ageDays >= THRESHOLDS.longHistoryDays,
  VERIFIED_SOCIALS: ({ profile }) => profile.socials.length > 0,
  UNIQUE_HUMAN_PROOF: ({ measures }) => measures.parts.humanProofs > 0,
  VERIFIED_HUMAN: ({ profile }) => profile.isHumanNow,
  RECENT_ACTIVITY: ({ tenure: { idleDays } }) =>
    idleDays !== null && idleDays < THRESHOLDS.recentDays,
  SUSTAINED_ACTIVITY: ({ tenure: { activeDays, ageDays, idleDays } }) =>
    activeDays >= THRESHOLDS.sustainedDays &&
    (ageDays ?? 0) - (idleDays ?? 0) >= THRESHOLDS.sustainedSpanDays,
  HIGH_ACTIVITY: ({ vector }) => vector.activity >= THRESHOLDS.highActivity,
  QUALITY_FOLLOWERS: ({ graph }) => graph.paidMass >= THRESHOLDS.qualityMass,
  CLEAN_GRAPH: ({ graph, followers }) =>
    graph.analyzed && graph.followers >= THRESHOLDS.fullGraphFollowers &&
    followers.factors.size === 0,
  GAS_SPENT: ({ chain }) => countedGas(chain.use.days) >= THRESHOLDS.gasUnits,
  PREMIUM_MEMBER: ({ profile }) => profile.claimed && profile.premiumMonths > 0,
  PAID_SLUG: ({ profile }) => profile.claimed && profile.paidSlug,
  DONOR: ({ profile }) => profile.donatedUsdc > 0,
};

type Impact = (findings: Findings) => number;

/** The impact of each reason: confidence lost, or composite points lost or gained. */
const IMPACTS: Readonly<Record<ReasonCode, Impact>> = {
  NO_ONCHAIN_HISTORY: confidence("history"),
  LIMITED_ONCHAIN_HISTORY: confidence("history"),
  STALE_SIGNALS: confidence("currency"),
  PARTIAL_SIGNALS: confidence("currency"),
  NO_PROFILE: confidence("profile"),
  NO_VERIFIED_SOCIALS: confidence("socials"),
  GRAPH_NOT_ANALYZED: confidence("graph"),
  SMALL_GRAPH: confidence("graph"),
  CONTRACT_ACCOUNT: () => 0,
  VERIFIED_HUMAN_LAPSED: () => 0,
  FOLLOW_RING: damped("follow_ring"),
  FOLLOWER_BURST: damped("follower_burst"),
  THIN_FOLLOWERS: damped("thin_followers"),
  SELF_DONATION: damped("self_donation"),
  SHARED_FUNDER: ({ measures }) => measures.removed.sharedFunder,
  COLLECTED_BEFORE_USE: ({ measures }) => measures.removed.manyPayers,
  NEW_WALLET: gap("humanity"),
  DORMANT: gap("activity"),
  CONCENTRATED_ACTIVITY: gap("activity"),
  LOW_COST_FOOTPRINT: gap("economic"),
  LONG_HISTORY: points("walletAge"),
  VERIFIED_SOCIALS: points("verifiedSocials"),
  UNIQUE_HUMAN_PROOF: points("humanProofs"),
  VERIFIED_HUMAN: () => 0,
  RECENT_ACTIVITY: ({ measures }) => measures.activity.volume,
  SUSTAINED_ACTIVITY: ({ measures }) => measures.activity.days,
  HIGH_ACTIVITY: points("txActivity"),
  QUALITY_FOLLOWERS: ({ measures, followers }) =>
    measures.social.paid * followers.damping,
  CLEAN_GRAPH: () => 0,
  GAS_SPENT: points("gasSpent"),
  PREMIUM_MEMBER: points("premium"),
  PAID_SLUG: points("paidSlug"),
  DONOR: points("donations"),
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
    .filter((code) => APPLIES[code](findings))
    .map((code) => ({ code, impact: IMPACTS[code](findings) }));
  return REASON_KINDS.flatMap((kind) =>
    found.filter(({ code }) => REASONS[code][0] === kind)
      .toSorted((a, b) => b.impact - a.impact)
      .map(({ code }) => reasonOf(code))
  );
}

/** Returns a reason as answers show it. */
export function reasonOf(code: ReasonCode): Reason {
  const [kind, dimension, title] = REASONS[code];
  return { code, kind, dimension, title, detail: REASON_DETAILS[code] };
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
