/** The words of a score on pages: what its dimensions and kinds of reasons are called. */
import type {
  Dimension,
  ReasonKind,
  SignalState,
} from "../../../services/scores/model/score_terms_schema.ts";
import type { Obstacle } from "../../../services/scores/public_scores_schema.ts";

/** What each dimension is called, and what it is evidence of. */
export const DIMENSION_WORDS: Readonly<
  Record<Dimension, { readonly label: string; readonly meaning: string }>
> = {
  humanity: {
    label: "Humanity",
    meaning: "Evidence of a real person: verified socials and wallet age",
  },
  activity: {
    label: "Activity",
    meaning: "Use of the chain, where the recent counts more than the old",
  },
  social: {
    label: "Social",
    meaning: "Standing in the follower graph, damped by anomalies",
  },
  economic: {
    label: "Economic",
    meaning: "What was spent at a cost: gas, premium, a name, donations",
  },
};

/** What each kind of reason is called, and the badge it is shown on. */
export const KIND_WORDS: Readonly<
  Record<ReasonKind, { readonly label: string; readonly badge: string }>
> = {
  coverage: { label: "Coverage", badge: "badge" },
  risk: { label: "Risk", badge: "badge badge-warn" },
  positive: { label: "Positive", badge: "badge badge-good" },
};

/** How current the on-chain data behind a score are. */
export const SIGNAL_WORDS: Readonly<Record<SignalState, string>> = {
  fresh: "read within the last 24 hours",
  stale: "older than a day",
  none: "none",
};

/** What a page says where it has no current score. */
export const OBSTACLE_WORDS: Readonly<Record<Obstacle, string>> = {
  busy:
    "Many addresses are being looked up at this moment. This one is on the list and will be scored within minutes.",
  down:
    "A source of on-chain data is out of reach. This address is on the list and will be scored when it is back.",
};
