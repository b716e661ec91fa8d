/** Labels of a score's terms on pages. */
import type {
  Dimension,
  SignalState,
} from "../../../services/scores/model/score_terms_schema.ts";
import type { ReasonKind } from "../../../services/scores/model/reasons_schema.ts";
import type { Obstacle } from "../../../services/scores/public_scores_schema.ts";

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

/** Label and badge of each kind of reason. */
export const KIND_WORDS: Readonly<
  Record<ReasonKind, { readonly label: string; readonly badge: string }>
> = {
  coverage: { label: "Coverage", badge: "badge" },
  risk: { label: "Risk", badge: "badge badge-warn" },
  positive: { label: "Positive", badge: "badge badge-good" },
};

/** How current the on-chain data of a score is. */
export const SIGNAL_WORDS: Readonly<Record<SignalState, string>> = {
  fresh: "read within the last 24 hours",
  stale: "more than a day old",
  none: "none",
};

/** Why a page has no current score. */
export const OBSTACLE_WORDS: Readonly<Record<Obstacle, string>> = {
  busy:
    "Many addresses are being scored right now. This one is in the queue and will be scored within minutes.",
  down:
    "A source of on-chain data is unreachable. This address is in the queue and will be scored when the source is back.",
};
