/** What people without a key are shown of a score: on a badge, and on a page. */
import type { ScoreRead } from "./scores_schema.ts";
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
  readonly verifiedHuman: number | null;
}

/** A headline as it was when the signals behind it were last usable. */
export interface LastHeadline extends Headline {
  readonly date: string;
}

/** The headline score of a UTC day, `YYYY-MM-DD`. */
export interface HeadlinePoint {
  readonly date: string;
  readonly score: number;
}

/** Why there is no current score: too many were asked for, or a source is out of reach. */
export type Obstacle = "busy" | "down";

/** What the page of an address shows. */
export interface ScorePage {
  readonly address: string;
  /** Null where nothing usable is stored and nothing could be read. */
  readonly read: ScoreRead | null;
  readonly signals: SignalState;
  /** What kept the page from a current score; null where nothing did. */
  readonly obstacle: Obstacle | null;
  /** The last headline that was recorded; null where the address was never scored. */
  readonly last: LastHeadline | null;
  readonly history: {
    readonly from: string;
    readonly to: string;
    /** Oldest first, at most one a day. */
    readonly points: readonly HeadlinePoint[];
  };
  /** Null where nobody has claimed the address. */
  readonly profile: { readonly displayName: string | null } | null;
}
