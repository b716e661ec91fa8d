/** The overview of all tracked chains: its shape, its rules, and the query of its page. */
import { z } from "@hono/zod-openapi";
import { type Metric, METRIC_NAMES } from "../catalogue/metrics_schema.ts";
import {
  COVERAGE_STATES,
  type CoverageState,
  type UntrackedChain,
} from "../catalogue/chains_schema.ts";
import type { Proof } from "../catalogue/cross_checks_schema.ts";

/** Why there is no change over a week. */
export const NO_CHANGE = {
  unread: "not read yet",
  noCompleteDay: "no complete day",
  idle: "idle",
  young: "fewer than 14 complete days",
  missing: "a day of the two weeks is missing",
  withdrawn: "the source withdraws a day of the two weeks",
  fromZero: "nothing in the week before",
} as const;
/** Why there is no change over a week. */
export type NoChange = keyof typeof NO_CHANGE;

/** Days of the small charts of the overview. */
export const OVERVIEW_DAYS = 30;

/** Days that a change compares with as many days before. */
export const CHANGE_DAYS = 7;

/** Chains of a card. */
export const CARD_CHAINS = 3;

/** A chain with fewer transactions a day in the week before is not ranked by growth. */
export const MIN_GROWING_FROM = 100;

/** A chain counts as newly live for this many days after its first transaction. */
export const NEW_DAYS = 90;

/** The change of a week against the week before; null with the reason. */
export type WeekChange =
  | {
    readonly changePct: number;
    readonly noChange: null;
    /** The folded value of the week before. */
    readonly from: number;
  }
  | {
    readonly changePct: null;
    readonly noChange: NoChange;
    readonly from: null;
  };

/** One chain of the overview. Days are YYYY-MM-DD. */
export interface ChainSummary {
  readonly chainId: number;
  readonly chainName: string;
  readonly token: string | null;
  /** What the source has of the chain. */
  readonly state: CoverageState;
  /** The first day that is missing; null if none is known. */
  readonly since: string | null;
  /** How well its transactions are backed. */
  readonly proof: Proof;
  /** Compared days on which both sources agree, in percent; null if none was compared. */
  readonly agreementPct: number | null;
  /** The chain's newest complete day; null if there is none. */
  readonly day: string | null;
  /** Transactions of that day. */
  readonly txCount: number | null;
  /** Mean of its last seven complete days against the seven before, in percent. */
  readonly changePct: number | null;
  /** Why there is no change; null if there is one. */
  readonly noChange: NoChange | null;
  /** Share of the transactions of all counted chains, in percent; null without a complete value of the day. */
  readonly sharePct: number | null;
  /** The first day with a transaction. */
  readonly liveSince: string | null;
  readonly ageDays: number | null;
  /** The complete days of the window; null for every other day. */
  readonly recent: readonly (number | null)[];
}

/** Periods of the chosen column, and their days. They end on the newest complete day. */
export const PERIODS = { day: 1, week: 7, month: 30 } as const;
/** A period of the chosen column. */
export type Period = keyof typeof PERIODS;

/** What a chain has of a metric. */
export interface ChainFigure {
  /** The complete days of the period, folded; null if one is missing. */
  readonly value: number | null;
  readonly changePct: number | null;
  readonly noChange: NoChange | null;
  readonly sharePct: number | null;
  readonly recent: readonly (number | null)[];
}

/** A metric over a period, of all chains. */
export interface ChainColumn {
  readonly metric: Metric;
  readonly period: Period;
  /** The newest complete day, which the period ends on; null before the first publication. */
  readonly day: string | null;
  /** Chains whose series was never read. While there are some, nothing is ranked or shared. */
  readonly unreadCount: number;
  /** By chain id. */
  readonly figures: ReadonlyMap<number, ChainFigure>;
}

/** A chain with the figure that the table shows and sorts by. */
export interface ChainRow extends ChainSummary {
  /** Of the same days for all chains; null if one of them is missing, or if chains can't be compared. */
  readonly value: number | null;
}

/** All tracked chains at a publication. */
export interface Overview {
  /** The newest complete day of the C-Chain, which shares are of; null before its first read. */
  readonly day: string | null;
  /** First day of `recent`. */
  readonly recentFrom: string | null;
  /** Transactions of the counted chains on that day. */
  readonly txCount: number | null;
  readonly chainCount: number;
  /** Chains with a complete value of that day. */
  readonly countedChainCount: number;
  /** Chain ids, the first one leading. */
  readonly mostActive: readonly number[];
  readonly fastestGrowing: readonly number[];
  readonly newlyLive: readonly number[];
  /** Chains that a public list names as active, and the source does not list. */
  readonly untracked: readonly UntrackedChain[];
  readonly chains: readonly ChainSummary[];
}

/** What the table can be sorted by. */
const SORT_KEYS = [
  "name",
  "value",
  "change",
  "share",
  "age",
  "state",
] as const;
/** What the table can be sorted by. */
export type SortKey = typeof SORT_KEYS[number];

/** The values of `sort`: a key, with a minus for descending. */
const SORTS = SORT_KEYS.flatMap((key) => [key, `-${key}`] as const);

/** The order of the table without a query. */
export const USUAL_SORT = "-value";

/** Upper limit of the characters of a search for chains. */
const MAX_SEARCH = 60;

const EmptyOr = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((given) => given === "" ? undefined : given, schema.optional());

/** The query of the page. Unknown parameters are ignored, because sites add tracking parameters to links. */
export const OverviewQuery = z.object({
  // The value was always of transactions once.
  sort: z.preprocess(
    (given) =>
      typeof given === "string"
        ? given.replace(/^(-?)transactions$/, "$1value")
        : given,
    z.enum(SORTS).default(USUAL_SORT),
  ),
  metric: EmptyOr(z.enum(METRIC_NAMES)).transform((metric) =>
    metric ?? "txCount"
  ),
  period: EmptyOr(z.enum(Object.keys(PERIODS) as Period[])).transform((
    period,
  ) => period ?? "day"),
  q: z.string().max(MAX_SEARCH, `at most ${MAX_SEARCH} characters`).default("")
    .transform((text) => text.trim()),
  state: EmptyOr(z.enum(COVERAGE_STATES)),
});
/** A checked query of the page. */
export type OverviewQuery = z.infer<typeof OverviewQuery>;
