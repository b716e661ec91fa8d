/** What is compared with a second source, within which tolerance, and the words for the result. */

/** Accepted difference between two sources, in percent. */
interface TolerancePct {
  readonly day: number;
  readonly month: number;
}

interface CheckRule {
  /** Its endpoint below `/api/chain-data/`. Its chart has the same name. */
  readonly endpoint: string;
  /** The OpenAPI operation of the endpoint. */
  readonly operationId: string;
  /** Query parameters that select daily buckets. */
  readonly dailyQuery: string;
  /** The field that is compared and drawn. */
  readonly valueField: string;
  /** The fields of an item of the answer that tables show between its day and `complete`. */
  readonly columns: readonly string[];
  readonly unit: string;
  readonly tolerancePct: TolerancePct;
}

/**
 * The sources end a day at slightly different times. Days differ by 0.1 to 0.2 %,
 * months by 0.002 %. Both sources count blocks exactly.
 */
const COUNTED: TolerancePct = { day: 0.5, month: 0.05 };
const EXACT: TolerancePct = { day: 0, month: 0 };

/** The fields of a comparison. */
export const COMPARED_FIELDS = ["differencePct", "agrees"] as const;

/** The fields of validators and delegators; a snapshot has them, too. */
export const STAKING_FIELDS = [
  "validators",
  "delegators",
  "validatorStake",
  "delegatorStake",
  "totalStake",
] as const;

/** Every checked series by name. */
export const CHECKS = {
  transactions: {
    endpoint: "monthly-transactions",
    operationId: "getMonthlyTransactions",
    dailyQuery: "interval=day&",
    valueField: "txCount",
    columns: [
      "txCount",
      "crossCheckTxCount",
      ...COMPARED_FIELDS,
      "monthOverMonthPct",
      "yearOverYearPct",
    ],
    unit: "count",
    tolerancePct: COUNTED,
  },
  fees: {
    endpoint: "transaction-fees",
    operationId: "getTransactionFees",
    dailyQuery: "interval=day&",
    valueField: "feesPaid",
    columns: ["feesPaid", "crossCheckFeesPaid", ...COMPARED_FIELDS],
    unit: "avax",
    tolerancePct: COUNTED,
  },
  blocks: {
    endpoint: "block-production",
    operationId: "getBlockProduction",
    dailyQuery: "",
    valueField: "blocks",
    columns: ["blocks", "meanBlockTimeSeconds"],
    unit: "count",
    tolerancePct: EXACT,
  },
  stake: {
    endpoint: "validators",
    operationId: "getValidators",
    dailyQuery: "",
    valueField: "totalStake",
    columns: [...STAKING_FIELDS, ...COMPARED_FIELDS],
    unit: "avax",
    tolerancePct: COUNTED,
  },
} as const satisfies Record<string, CheckRule>;

/** The name of a checked series. */
export type CheckName = keyof typeof CHECKS;
/** The names of the checked series. */
export const CHECK_NAMES = Object.keys(CHECKS) as CheckName[];

/** How two sources of a metric of any chain are compared. */
interface IndexCheckRule {
  /** Accepted difference of a day, in percent. */
  readonly tolerancePct: number;
  /**
   * Transactions or addresses by which a day may differ whatever its size. A day's
   * fees may differ by the fees of as many transactions.
   */
  readonly slack: number;
  readonly unit: "count" | "avax";
}

/**
 * The metrics that the explorer index has of any chain. Sources cut days differently:
 * of the chains captured in July 2025, one had days of 7 and 74 transactions where
 * the other source had 74 and 7, so 100 are accepted.
 *
 * No capture has the daily addresses of both sources: the first one's are distinct ones
 * of a week. The cut of a day moves up to 0.46 % of its transactions. Each of them can
 * add or remove two addresses, and an address had 3.4 transactions a day on the C-Chain,
 * so the cut explains up to 3.2 % of the addresses. From one day to the next they change
 * by more than 5 % on 24 of 29 days, so a day in the wrong place is seen
 * (`comparison_test.ts` computes these figures). Sources that differ by more on
 * most days count something else, and are not compared.
 */
export const INDEX_CHECKS = {
  txCount: { tolerancePct: 0.5, slack: 100, unit: "count" },
  activeAddresses: { tolerancePct: 5, slack: 100, unit: "count" },
  feesPaid: { tolerancePct: 0.5, slack: 100, unit: "avax" },
} as const satisfies Readonly<Record<string, IndexCheckRule>>;

/** A metric that the explorer index has of any chain; fees in the chain's own token. */
export type IndexMetric = keyof typeof INDEX_CHECKS;
/** The metrics that the explorer index has of any chain. */
export const INDEX_METRICS = Object.keys(INDEX_CHECKS) as IndexMetric[];

/** Days that the second source must have of a chain before they are compared. */
export const MIN_COVERED_DAYS = 7;

/** Why a series is not compared with a second source. */
export const NOT_COMPARED = {
  noSecondSource: "only one source publishes this series",
  notRead: "the second source was not read yet",
  notIndexed:
    "the second source has nothing but zeroes, or no day of the chain",
  tooFewDays:
    `the second source has fewer than ${MIN_COVERED_DAYS} days of the chain`,
  countedDifferently:
    "the sources differ on most days, so they count something else",
} as const;

/** The scale of proof: how well a figure is backed, in the same terms on every surface. Being compared never ranks below not being compared. */
export const PROOFS = {
  agree: {
    term: "two sources agree",
    meaning:
      "a second, independent source has the same figure, within the tolerance",
  },
  differ: {
    term: "two sources differ",
    meaning:
      "both figures are published with their difference: such a day is disputed",
  },
  oneSource: {
    term: "one source only",
    meaning:
      "nobody else publishes the figure, or the second source was not read yet",
  },
  gap: {
    term: "gap",
    meaning: "the source has no figure of the day; it is never filled",
  },
  notIndexed: {
    term: "not indexed",
    meaning: "the second source does not read this chain",
  },
} as const satisfies Record<string, { term: string; meaning: string }>;

/** A term of the scale. */
export type Proof = keyof typeof PROOFS;

/** Why a day is not believed. */
export const DOUBTS = {
  otherUnit:
    "the value differs from its neighbours, or from the stored one, by a factor that only another unit explains",
  fallingTotal: "the running total falls",
  outOfRange: "the value is out of range",
} as const;
/** Why a day is not believed. */
export type DoubtKind = keyof typeof DOUBTS;

/** Below this share of agreeing days, in percent, a series as a whole differs. */
export const MOST_PCT = 50;

/** Returns the term of a series, by how most of its compared days compare. */
export function proofOf(
  { agreementPct, reason = null }: {
    readonly agreementPct: number | null;
    readonly reason?: keyof typeof NOT_COMPARED | null;
  },
): Proof {
  if (reason === "notIndexed") return "notIndexed";
  if (agreementPct === null) return "oneSource";
  return agreementPct < MOST_PCT ? "differ" : "agree";
}
