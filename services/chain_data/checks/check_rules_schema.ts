/** The four checked series: endpoint, unit and tolerance. */

/** Accepted difference between two sources, in percent. */
interface TolerancePct {
  readonly day: number;
  readonly month: number;
}

interface CheckRule {
  /** Its endpoint below `/api/chain-data/`. Its chart has the same name. */
  readonly endpoint: string;
  /** Query parameters that select daily buckets. */
  readonly dailyQuery: string;
  readonly unit: string;
  readonly tolerancePct: TolerancePct;
}

/**
 * The sources end a day at slightly different times. Days differ by 0.1 to 0.2 %,
 * months by 0.002 %. Both sources count blocks exactly.
 */
const COUNTED: TolerancePct = { day: 0.5, month: 0.05 };
const EXACT: TolerancePct = { day: 0, month: 0 };

/** Every checked series by name. */
export const CHECKS = {
  transactions: {
    endpoint: "monthly-transactions",
    dailyQuery: "interval=day&",
    unit: "count",
    tolerancePct: COUNTED,
  },
  fees: {
    endpoint: "transaction-fees",
    dailyQuery: "interval=day&",
    unit: "avax",
    tolerancePct: COUNTED,
  },
  blocks: {
    endpoint: "block-production",
    dailyQuery: "",
    unit: "count",
    tolerancePct: EXACT,
  },
  stake: {
    endpoint: "validators",
    dailyQuery: "",
    unit: "avax",
    tolerancePct: COUNTED,
  },
} as const satisfies Record<string, CheckRule>;

/** The name of a checked series. */
export type CheckName = keyof typeof CHECKS;
/** The names of the checked series. */
export const CHECK_NAMES = Object.keys(CHECKS) as CheckName[];
