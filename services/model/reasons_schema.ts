/** The reasons of a score: codes, kinds, titles and explanations. `reasons.ts` decides which apply. */
import type { Dimension } from "./score_terms_schema.ts";

/** The kinds of a reason, in the order of an answer. */
export const REASON_KINDS = ["coverage", "risk", "positive"] as const;
/** The kind of a reason. */
export type ReasonKind = typeof REASON_KINDS[number];

type ReasonRow = readonly [
  ReasonKind,
  Dimension,
  title: string,
  detail: string,
];

/**
 * The reasons by code: kind, dimension, title, and an explanation that never names a
 * threshold. Clients branch on the code.
 */
export const REASONS = {
  NO_ONCHAIN_HISTORY: [
    "coverage",
    "activity",
    "No on-chain history",
    "No transaction sent by this address was found on the C-Chain.",
  ],
  LIMITED_ONCHAIN_HISTORY: [
    "coverage",
    "activity",
    "Limited on-chain history",
    "The address has sent few transactions, so there is little to read.",
  ],
  STALE_SIGNALS: [
    "coverage",
    "activity",
    "On-chain data is not current",
    "Current on-chain data could not be read; the score uses the data of the last successful read.",
  ],
  PARTIAL_SIGNALS: [
    "coverage",
    "activity",
    "Some on-chain data is missing",
    "Some on-chain data could not be read; what is missing is not held against the address.",
  ],
  NO_PROFILE: [
    "coverage",
    "social",
    "No claimed profile",
    "Nobody has claimed a profile for this address.",
  ],
  NO_VERIFIED_SOCIALS: [
    "coverage",
    "humanity",
    "No verified social accounts",
    "No social account is verified for this address.",
  ],
  GRAPH_NOT_ANALYZED: [
    "coverage",
    "social",
    "Follower graph not analysed",
    "The followers of this address have not been looked at.",
  ],
  SMALL_GRAPH: [
    "coverage",
    "social",
    "Few followers to analyse",
    "The address has too few followers to say much about them.",
  ],
  CONTRACT_ACCOUNT: [
    "coverage",
    "humanity",
    "Address is a contract account",
    "The address holds contract code, so evidence of a person may not apply.",
  ],
  VERIFIED_HUMAN_LAPSED: [
    "coverage",
    "humanity",
    "Verified Human, without current evidence",
    "The address has a Verified Human number, but the evidence that a number requires does not stand now.",
  ],
  FOLLOW_RING: [
    "risk",
    "social",
    "Reciprocal follow pattern",
    "Most of the followers that count are followed back, which lowers social.",
  ],
  FOLLOWER_BURST: [
    "risk",
    "social",
    "Sudden follower growth",
    "Most of the followers that count arrived at about the same time, which lowers social.",
  ],
  THIN_FOLLOWERS: [
    "risk",
    "social",
    "Followers with little history",
    "Most followers are unclaimed wallets with no on-chain history, which lowers social.",
  ],
  SELF_DONATION: [
    "risk",
    "economic",
    "Donations to itself",
    "The address sent donations to itself; they do not count, and lower social.",
  ],
  SHARED_FUNDER: [
    "risk",
    "humanity",
    "Funded and emptied like other wallets",
    "Other wallets had the same funder shortly before, and moved their AVAX to the same address, which lowers humanity a little.",
  ],
  COLLECTED_BEFORE_USE: [
    "risk",
    "humanity",
    "Paid by several before its first use",
    "Several addresses paid it before it sent its first transaction, and it waited, which lowers humanity a little.",
  ],
  NEW_WALLET: [
    "risk",
    "humanity",
    "Recently created wallet",
    "The address sent its first transaction only recently.",
  ],
  DORMANT: [
    "risk",
    "activity",
    "No recent activity",
    "The address has sent no transaction for a long time.",
  ],
  CONCENTRATED_ACTIVITY: [
    "risk",
    "activity",
    "Activity concentrated in few days",
    "Its transactions fall on few days.",
  ],
  LOW_COST_FOOTPRINT: [
    "risk",
    "economic",
    "Little costly spend for its activity",
    "The address is active, but has spent little on it.",
  ],
  LONG_HISTORY: [
    "positive",
    "humanity",
    "Long wallet history",
    "The address has a long history on the C-Chain.",
  ],
  VERIFIED_SOCIALS: [
    "positive",
    "humanity",
    "Verified social accounts",
    "Social accounts are verified for this address.",
  ],
  UNIQUE_HUMAN_PROOF: [
    "positive",
    "humanity",
    "Proof of a unique human",
    "A registry on another chain says that a unique human stands behind this address.",
  ],
  VERIFIED_HUMAN: [
    "positive",
    "humanity",
    "Verified Human",
    "The owner of this address has a Verified Human number, and the evidence that it rests on stands.",
  ],
  RECENT_ACTIVITY: [
    "positive",
    "activity",
    "Active recently",
    "The address has sent transactions recently.",
  ],
  SUSTAINED_ACTIVITY: [
    "positive",
    "activity",
    "Sustained activity over time",
    "Its transactions are spread over many days.",
  ],
  HIGH_ACTIVITY: [
    "positive",
    "activity",
    "High on-chain activity",
    "The address was used on many days.",
  ],
  QUALITY_FOLLOWERS: [
    "positive",
    "social",
    "Followers with their own history",
    "Wallets with on-chain history of their own follow this address.",
  ],
  CLEAN_GRAPH: [
    "positive",
    "social",
    "No follower anomalies found",
    "Nothing unusual was found among the followers.",
  ],
  GAS_SPENT: [
    "positive",
    "economic",
    "Meaningful gas spent",
    "The address has paid for its use of the chain.",
  ],
  PREMIUM_MEMBER: [
    "positive",
    "economic",
    "Premium membership",
    "The profile has paid for membership.",
  ],
  PAID_SLUG: [
    "positive",
    "economic",
    "Paid profile name",
    "The profile has paid for its name.",
  ],
  DONOR: [
    "positive",
    "economic",
    "Donations to others",
    "The address has donated to others.",
  ],
} as const satisfies Record<string, ReasonRow>;

/** The code of a reason. */
export type ReasonCode = keyof typeof REASONS;
/** The codes of the reasons in the order of the catalogue. */
export const REASON_CODES = Object.keys(REASONS) as ReasonCode[];
