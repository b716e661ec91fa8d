/** The public part of a score, for badges and score pages. */
import type { ScoreRead } from "./model/scores_schema.ts";
import type { SignalState } from "./model/score_terms_schema.ts";

/** The public headline of a score. */
export type Headline = Pick<
  ScoreRead["headline"],
  "score" | "tier" | "tierLabel"
>;

/** What a badge shows. */
export interface BadgeScore {
  /** Null where the address was never scored. */
  readonly headline: Headline | null;
  /** Null without a number, and while the accounts that one requires are not linked. */
  readonly verifiedHuman: number | null;
}

/** The last recorded headline of an address. */
export interface LastHeadline extends Headline {
  readonly date: string;
}

/** The headline score of a UTC day, `YYYY-MM-DD`. */
export interface HeadlinePoint {
  readonly date: string;
  readonly score: number;
}

/** Why there is no current score: the call limit is reached, or a source is unreachable. */
export type Obstacle = "busy" | "down";

/** The content of an address's score page. */
export interface ScorePage {
  readonly address: string;
  /** Null where no usable signals are stored and none could be read. */
  readonly read: ScoreRead | null;
  readonly signals: SignalState;
  /** Why the score is not current; null where it is. */
  readonly obstacle: Obstacle | null;
  /** The last recorded headline; null where the address was never scored. */
  readonly last: LastHeadline | null;
  readonly history: {
    readonly from: string;
    readonly to: string;
    /** Oldest first, at most one a day. */
    readonly points: readonly HeadlinePoint[];
  };
  /** Null where no profile is claimed for the address. */
  readonly profile: {
    readonly displayName: string | null;
    /** The reserved name that it looks like; null if there is none. */
    readonly resembles: string | null;
  } | null;
}
