/** The fixed sets of terms in a score: tiers, dimensions, flags and bands. */

/** The social accounts that a profile can verify. */
export const SOCIAL_KINDS = [
  "x",
  "github",
  "farcaster",
  "domain",
  "discord",
  "telegram",
  "email",
] as const;
/** A social account that a profile can verify. */
export type SocialKind = typeof SOCIAL_KINDS[number];

/** How current the signals of a score are. `none`: the address was never scored. */
export const SIGNAL_STATES = ["fresh", "stale", "none"] as const;
/** How current the signals of a score are. */
export type SignalState = typeof SIGNAL_STATES[number];

/** The tiers, lowest first. Attestations carry the index. */
export const TIERS = {
  starter: { label: "Starter", index: 0 },
  newcomer: { label: "Newcomer", index: 1 },
  rising: { label: "Rising", index: 2 },
  established: { label: "Established", index: 3 },
  elite: { label: "Elite", index: 4 },
  legendary: { label: "Legendary", index: 5 },
} as const satisfies Record<string, { label: string; index: number }>;

/** The identifier of a tier. */
export type TierId = keyof typeof TIERS;
/** The identifiers of the tiers, lowest first. */
export const TIER_IDS = Object.keys(TIERS) as TierId[];

/** Where a score stands within its tier. */
export type Standing = "entered" | "midway" | "close" | "highest";

/** The four dimensions of a score, in the order of an answer. */
export const DIMENSIONS = [
  "humanity",
  "activity",
  "social",
  "economic",
] as const;
/** One of the four dimensions of a score. */
export type Dimension = typeof DIMENSIONS[number];

/** The anomaly flags of a follower graph. */
export const GRAPH_FLAGS = {
  follow_ring: "most followers are followed back, a reciprocal ring",
  follower_burst: "most followers arrived within one 24-hour window",
  thin_followers:
    "followers are mostly unclaimed wallets with no on-chain history",
  self_donation: "donations sent from the address to itself",
} as const satisfies Record<string, string>;

/** An anomaly flag of a follower graph. */
export type GraphFlag = keyof typeof GRAPH_FLAGS;
/** The anomaly flags in the order of an answer. */
export const GRAPH_FLAG_NAMES = Object.keys(GRAPH_FLAGS) as GraphFlag[];

/** The confidence bands, highest first. */
export const CONFIDENCE_BANDS = {
  high: "High confidence",
  medium: "Medium confidence",
  low: "Low confidence",
  minimal: "Minimal confidence",
} as const satisfies Record<string, string>;

/** Explanations of the confidence bands, for display. */
export const CONFIDENCE_DETAILS: Readonly<Record<ConfidenceBand, string>> = {
  high: "Most of the evidence that a score rests on could be read.",
  medium: "Much of the evidence that a score rests on could be read.",
  low: "Little of the evidence that a score rests on could be read.",
  minimal: "Almost none of the evidence that a score rests on could be read.",
};

/** A confidence band. */
export type ConfidenceBand = keyof typeof CONFIDENCE_BANDS;
/** The confidence bands, highest first. */
export const BAND_NAMES = Object.keys(CONFIDENCE_BANDS) as ConfidenceBand[];
