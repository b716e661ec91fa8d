/** Labels of a score's terms on pages. */
import {
  type Dimension,
  type GraphFlag,
  type SignalState,
  type SocialKind,
  type Standing,
  type TierId,
  TIERS,
} from "../../services/model/score_terms_schema.ts";
import {
  type HumanProofs,
  type NumberEvidenceShown,
  PROOF_SOURCES,
  type ProofKind,
} from "../../services/model/human_proofs_schema.ts";
import { dayWords, monthWords } from "../pages/dates.ts";
import { percentBelow } from "../../services/model/scoring_model.ts";
import type { CostToFake } from "../../services/model/scores_schema.ts";
import type { Obstacle } from "../../services/scores/public_scores.ts";

/** Label and meaning of each dimension. */
export const DIMENSION_WORDS: Readonly<
  Record<Dimension, { readonly label: string; readonly meaning: string }>
> = {
  humanity: {
    label: "Humanity",
    meaning:
      "Evidence of a real person: months of use, wallet age, verified socials and proofs of a unique human",
  },
  activity: {
    label: "Activity",
    meaning: "Use of the chain; recent activity counts more",
  },
  social: {
    label: "Social",
    meaning: "Quality of followers, reduced by anomaly flags",
  },
  economic: {
    label: "Economic",
    meaning:
      "Gas of its own transactions; a little for membership, a paid name and donations",
  },
};

/** Names of the anomaly flags. */
export const FLAG_WORDS: Readonly<Record<GraphFlag, string>> = {
  follow_ring: "Follow ring",
  follower_burst: "Follower burst",
  thin_followers: "Thin followers",
  self_donation: "Self-donation",
};

/** Names of the social accounts. */
export const SOCIAL_WORDS: Readonly<Record<SocialKind, string>> = {
  x: "X",
  github: "GitHub",
  farcaster: "Farcaster",
  domain: "a domain",
  discord: "Discord",
  telegram: "Telegram",
  email: "an e-mail address",
};

/** Names of everything that a Verified Human number can rest on. */
const EVIDENCE_WORDS: Readonly<Record<ProofKind | SocialKind, string>> = {
  ...SOCIAL_WORDS,
  worldId: "World ID",
  coinbase: "a Coinbase verified account",
  passport: "Human Passport",
};

/** Returns what a Verified Human number rests on, in a sentence. */
export function evidenceWords({ rule, kinds }: NumberEvidenceShown): string {
  const named = kinds.map((kind) => EVIDENCE_WORDS[kind]).join(", ");
  return {
    uniqueHuman: `It rests on a proof of a unique human: ${named}.`,
    accounts: `It rests on linked accounts, each old and used: ${named}.`,
    operator: "The operator of this service granted it.",
    earlier:
      `It was given by an earlier rule, for two linked accounts of any age. Linked now: ${
        named || "none"
      }.`,
  }[rule];
}

/** Returns what a registry said about an address, in a sentence. */
export function proofWords(
  { source, chain, state, verifiedAt, expiresAt, readAt, failedAt }:
    HumanProofs[number],
): string {
  const name = `${PROOF_SOURCES[source].name} on ${chain}`;
  const made = verifiedAt === null ? "" : ` since ${dayWords(verifiedAt)}`;
  const end = expiresAt === null ? "" : `, until ${dayWords(expiresAt)}`;
  const read = readAt === null ? "" : ` Read on ${dayWords(readAt)}.`;
  const failed = failedAt === null
    ? ""
    : ` It could not be read on ${dayWords(failedAt)}${
      state === "proven" ? "; the proof still counts" : ""
    }.`;
  return {
    proven: `${name}: proven${made}${end}.${read}${failed}`,
    none: `${name}: no current proof.${read}${failed}`,
    unread: `${name}: not read yet.${failed}`,
  }[state];
}

/** Returns where a score stands in its tier, which is named beside it: "Close to Elite". */
export function standingWords(
  standing: Standing,
  { tier }: { readonly tier: TierId },
): string {
  const next = Object.values(TIERS)
    .find(({ index }) => index === TIERS[tier].index + 1)?.label ?? "";
  return {
    entered: "In the lower part of its tier",
    midway: "Midway through its tier",
    close: `Close to ${next}`,
    highest: "In the highest tier",
  }[standing];
}

/** Returns how a composite stands among real wallets. */
export function amongWords(composite: number): string {
  const percent = percentBelow(composite);
  return percent === 0
    ? "Lower than most wallets with ten or more transactions"
    : `Higher than about ${percent} % of wallets with ten or more transactions`;
}

/** Returns what a copy of the evidence of a score would cost. */
export function copyWords({ usd, of, days, asOf }: CostToFake): string {
  const money = usd < 0.01 ? "less than a cent" : `about ${usd.toFixed(2)} USD`;
  const time = days === 0
    ? ""
    : days === 1
    ? " and a day of waiting"
    : ` and ${days.toLocaleString("en-US")} days of waiting`;
  return `A copy of this wallet’s evidence would cost ${money}${time}, each in a farm of ${of}, at prices of ${
    monthWords(asOf)
  }.`;
}

/** What a score is good for, and what it is not. */
export const PURPOSE = {
  good:
    "ranking addresses, and asking for more proof below a tier, where a gift or a vote is worth less than a copy costs",
  bad:
    "counting people, credit, or deciding alone who gets something that they need: one person may own many addresses, and a patient program scores like a person",
};

/** How current the on-chain data of a score is. */
export const SIGNAL_WORDS: Readonly<Record<SignalState, string>> = {
  fresh: "read within the last 24 hours",
  stale: "that is not current",
  none: "none",
};

/** Why a page has no current score. */
export const OBSTACLE_WORDS: Readonly<Record<Obstacle, string>> = {
  reading:
    "Its on-chain history is being read. Most addresses take a few seconds.",
  busy:
    "All reads of on-chain data that visitors may make are taken just now. This address is in the queue and will be scored within minutes.",
  down:
    "A source of on-chain data is unreachable. This address is in the queue and will be scored when the source is back.",
};
