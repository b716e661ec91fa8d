/** The public part of a score, for badges and score pages. */
import type { ScoreRead } from "../model/scores_schema.ts";
import type {
  SignalState,
  SocialKind,
  Standing,
} from "../model/score_terms_schema.ts";

/** The public headline of a score. */
export type Headline = Pick<
  ScoreRead["headline"],
  "score" | "tier" | "tierLabel"
>;

/** What a badge shows. */
export interface BadgeScore {
  /** Null if the address was never scored. */
  readonly headline: Headline | null;
  /** Composite of the model in use; null if the headline is of an earlier day. */
  readonly composite: number | null;
  /**
   * Null without a number, and while the accounts that a number requires are not
   * linked.
   */
  readonly verifiedHuman: number | null;
  /** Titles of what speaks for the address, the strongest first; empty without stored signals. */
  readonly strengths: readonly string[];
}

/** The last recorded headline of an address. */
export interface LastHeadline extends Headline {
  readonly date: string;
}

/** The headline score of a UTC day, `YYYY-MM-DD`. */
export interface HeadlinePoint {
  readonly date: string;
  readonly score: number;
  /** The model of the score. */
  readonly model: string;
}

/**
 * Why there is no current score: it is being read, the budget of visitors or of
 * their network is used up, or a source is unreachable.
 */
export type Obstacle = "reading" | "busy" | "down";

/** Counts of what an address has done. They contain no threshold of the model. */
export interface Figures {
  readonly transactions: number;
  readonly activeDays: number;
  /** Whether there are transactions whose days and gas are unknown. */
  readonly isCut: boolean;
  /** UTC days, `YYYY-MM-DD`; null without a transaction. */
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  /** Days since the first and the last transaction; null without one. */
  readonly ageDays: number | null;
  readonly idleDays: number | null;
  /** Payers before the first use that count. */
  readonly payers: number;
  readonly gasAvax: number;
  readonly socials: readonly SocialKind[];
  readonly followers: number;
  /** Followers that are followed back. */
  readonly mutual: number;
  /** Unclaimed followers without on-chain history. */
  readonly thin: number;
  /** Maximum number of followers that arrived within 24 hours. */
  readonly burst: number;
  readonly premiumMonths: number;
  readonly donatedUsdc: number;
}

/** Points of the score that linking an account would add. */
export interface Gain {
  /** At once, with a new account. */
  readonly least: number;
  /** With the best account, once it has been linked for long. */
  readonly most: number;
}

/** The content of an address's score page. */
export interface ScorePage {
  readonly address: string;
  /** Null if no signals are stored and none could be read. */
  readonly read: ScoreRead | null;
  readonly signals: SignalState;
  /** Why the score is not current; null if it is. */
  readonly obstacle: Obstacle | null;
  /** When a page with an obstacle should be loaded again, in milliseconds. */
  readonly retryAfterMs: number;
  /** Counts of what the address has done; null without a score. */
  readonly figures: Figures | null;
  /** What linking an account would add; null without a score. */
  readonly gains: Readonly<Record<"github" | "domain", Gain>> | null;
  /** Where the score stands within its tier; null without a score. */
  readonly standing: Standing | null;
  /** The last recorded headline; null if the address was never scored. */
  readonly last: LastHeadline | null;
  readonly history: {
    readonly from: string;
    readonly to: string;
    /** Oldest first, at most one a day. */
    readonly points: readonly HeadlinePoint[];
  };
  /** Null if no profile is claimed for the address. */
  readonly profile: {
    readonly displayName: string | null;
    /** The reserved name that it looks like; null if there is none. */
    readonly resembles: string | null;
  } | null;
}
