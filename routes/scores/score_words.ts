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
import type { Obstacle } from "../../services/scores/public_scores_schema.ts";

/** Label and meaning of each dimension. */
export const DIMENSION_WORDS: Readonly<
  Record<Dimension, { readonly label: string; readonly meaning: string }>
> = {
  humanity: {
    label: "Humanity",
    meaning: "Evidence of a real person: verified socials and wallet age",
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
    meaning: "Spending: gas, premium membership, a profile name, donations",
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

/** Returns where a score stands, such as "Close to Elite". */
export function standingWords(
  standing: Standing,
  { tier, tierLabel }: { readonly tier: TierId; readonly tierLabel: string },
): string {
  const next = Object.values(TIERS)
    .find(({ index }) => index === TIERS[tier].index + 1)?.label ?? "";
  return {
    entered: `In the lower part of ${tierLabel}`,
    midway: `Midway through ${tierLabel}`,
    close: `Close to ${next}`,
    highest: "In the highest tier",
  }[standing];
}

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
