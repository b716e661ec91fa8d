/** The four checked series, and the tolerance of each. */

/** Accepted difference between two sources, in percent. */
export interface TolerancePct {
  readonly day: number;
  readonly month: number;
}

interface CheckRule {
  /** Path of its daily values below `/api/chain-data`, ready for a query. */
  readonly days: string;
  readonly unit: string;
  readonly tolerancePct: TolerancePct;
}

/**
 * The sources end a day at slightly different times: days differ by 0.1 to 0.2 %,
 * months by 0.002 %. Both sides count blocks exactly.
 */
const COUNTED: TolerancePct = { day: 0.5, month: 0.05 };
const EXACT: TolerancePct = { day: 0, month: 0 };

/** Every checked series by name. */
export const CHECKS = {
  transactions: {
    days: "/monthly-transactions?interval=day&",
    unit: "count",
    tolerancePct: COUNTED,
  },
  fees: {
    days: "/transaction-fees?interval=day&",
    unit: "avax",
    tolerancePct: COUNTED,
  },
  blocks: { days: "/block-production?", unit: "count", tolerancePct: EXACT },
  stake: { days: "/validators?", unit: "avax", tolerancePct: COUNTED },
} as const satisfies Record<string, CheckRule>;

/** The name of a checked series. */
export type CheckName = keyof typeof CHECKS;
/** The names of the checked series. */
export const CHECK_NAMES = Object.keys(CHECKS) as CheckName[];
