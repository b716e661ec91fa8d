/** The reasons of a score: codes, kinds, titles and explanations. `reasons.ts` decides which apply. */
import type { Dimension } from "./score_terms_schema.ts";

/** The kinds of a reason, in the order of an answer. */
export const REASON_KINDS = ["coverage", "risk", "positive"] as const;
/** The kind of a reason. */
export type ReasonKind = typeof REASON_KINDS[number];

type ReasonRow = readonly [ReasonKind, Dimension, title: string];

/** The reasons by code: kind, dimension and title. Clients branch on the code. */
export const REASONS = {
  NO_ONCHAIN_HISTORY: ["coverage", "activity", "No on-chain history"],
  LIMITED_ONCHAIN_HISTORY: ["coverage", "activity", "Limited on-chain history"],
  STALE_SIGNALS: ["coverage", "activity", "On-chain data is not current"],
  PARTIAL_SIGNALS: ["coverage", "activity", "Some on-chain data is missing"],
  NO_PROFILE: ["coverage", "social", "No claimed profile"],
  NO_VERIFIED_SOCIALS: ["coverage", "humanity", "No verified social accounts"],
  GRAPH_NOT_ANALYZED: ["coverage", "social", "Follower graph not analysed"],
  SMALL_GRAPH: ["coverage", "social", "Few followers to analyse"],
  CONTRACT_ACCOUNT: ["coverage", "humanity", "Address is a contract account"],
  VERIFIED_HUMAN_LAPSED: [
    "coverage",
    "humanity",
    "Verified Human, without current evidence",
  ],
  FOLLOW_RING: ["risk", "social", "Reciprocal follow pattern"],
  FOLLOWER_BURST: ["risk", "social", "Sudden follower growth"],
  THIN_FOLLOWERS: ["risk", "social", "Followers with little history"],
  SELF_DONATION: ["risk", "economic", "Donations to itself"],
  SHARED_FUNDER: ["risk", "humanity", "Funded and emptied like other wallets"],
  COLLECTED_BEFORE_USE: [
    "risk",
    "humanity",
    "Paid by several before its first use",
  ],
  NEW_WALLET: ["risk", "humanity", "Recently created wallet"],
  DORMANT: ["risk", "activity", "No recent activity"],
  CONCENTRATED_ACTIVITY: [
    "risk",
    "activity",
    "Activity concentrated in few days",
  ],
  LOW_COST_FOOTPRINT: [
    "risk",
    "economic",
    "Little costly spend for its activity",
  ],
  LONG_HISTORY: ["positive", "humanity", "Long wallet history"],
  VERIFIED_SOCIALS: ["positive", "humanity", "Verified social accounts"],
  UNIQUE_HUMAN_PROOF: ["positive", "humanity", "Proof of a unique human"],
  VERIFIED_HUMAN: ["positive", "humanity", "Verified Human"],
  RECENT_ACTIVITY: ["positive", "activity", "Active recently"],
  SUSTAINED_ACTIVITY: ["positive", "activity", "Sustained activity over time"],
  HIGH_ACTIVITY: ["positive", "activity", "High on-chain activity"],
  QUALITY_FOLLOWERS: ["positive", "social", "Followers with their own history"],
  CLEAN_GRAPH: ["positive", "social", "No follower anomalies found"],
  GAS_SPENT: ["positive", "economic", "Meaningful gas spent"],
  PREMIUM_MEMBER: ["positive", "economic", "Premium membership"],
  PAID_SLUG: ["positive", "economic", "Paid profile name"],
  DONOR: ["positive", "economic", "Donations to others"],
} as const satisfies Record<string, ReasonRow>;

/** The code of a reason. */
export type ReasonCode = keyof typeof REASONS;
/** The codes of the reasons in the order of the catalogue. */
export const REASON_CODES = Object.keys(REASONS) as ReasonCode[];

/** Explanations of the reasons, for display. They never name a threshold. */
export const REASON_DETAILS: Readonly<Record<ReasonCode, string>> = {
  NO_ONCHAIN_HISTORY:
    "No transaction sent by this address was found on the C-Chain.",
  LIMITED_ONCHAIN_HISTORY:
    "The address has sent few transactions, so there is little to read.",
  STALE_SIGNALS:
    "Current on-chain data could not be read; the score uses the data of the last successful read.",
  PARTIAL_SIGNALS:
    "Some on-chain data could not be read; what is missing is not held against the address.",
  NO_PROFILE: "Nobody has claimed a profile for this address.",
  NO_VERIFIED_SOCIALS: "No social account is verified for this address.",
  GRAPH_NOT_ANALYZED: "The followers of this address have not been looked at.",
  SMALL_GRAPH: "The address has too few followers to say much about them.",
  CONTRACT_ACCOUNT:
    "The address holds contract code, so evidence of a person may not apply.",
  VERIFIED_HUMAN_LAPSED:
    "The address has a Verified Human number, but the evidence that a number requires does not stand now.",
  FOLLOW_RING:
    "Most of the followers that count are followed back, which lowers social.",
  FOLLOWER_BURST:
    "Most of the followers that count arrived at about the same time, which lowers social.",
  THIN_FOLLOWERS:
    "Most followers are unclaimed wallets with no on-chain history, which lowers social.",
  SELF_DONATION:
    "The address sent donations to itself; they do not count, and lower social.",
  SHARED_FUNDER:
    "Other wallets had the same funder shortly before, and moved their AVAX to the same address, which lowers humanity a little.",
  COLLECTED_BEFORE_USE:
    "Several addresses paid it before it sent its first transaction, and it waited, which lowers humanity a little.",
  NEW_WALLET: "The address sent its first transaction only recently.",
  DORMANT: "The address has sent no transaction for a long time.",
  CONCENTRATED_ACTIVITY: "Its transactions fall on few days.",
  LOW_COST_FOOTPRINT: "The address is active, but has spent little on it.",
  LONG_HISTORY: "The address has a long history on the C-Chain.",
  VERIFIED_SOCIALS: "Social accounts are verified for this address.",
  UNIQUE_HUMAN_PROOF:
    "A registry on another chain says that a unique human stands behind this address.",
  VERIFIED_HUMAN:
    "The owner of this address has a Verified Human number, and the evidence that it rests on stands.",
  RECENT_ACTIVITY: "The address has sent transactions recently.",
  SUSTAINED_ACTIVITY: "Its transactions are spread over many days.",
  HIGH_ACTIVITY: "The address was used on many days.",
  QUALITY_FOLLOWERS:
    "Wallets with on-chain history of their own follow this address.",
  CLEAN_GRAPH: "Nothing unusual was found among the followers.",
  GAS_SPENT: "The address has paid for its use of the chain.",
  PREMIUM_MEMBER: "The profile has paid for membership.",
  PAID_SLUG: "The profile has paid for its name.",
  DONOR: "The address has donated to others.",
};
