/** The four checked series: what each is checked against, and how closely. */

/** How far two sources may be apart, in percent. */
export interface TolerancePct {
  readonly day: number;
  readonly month: number;
}

interface CheckRule {
  /** Where its days are, below the open surface; a query follows. */
  readonly days: string;
  readonly unit: string;
  readonly tolerancePct: TolerancePct;
}

/**
 * Sources cut days differently by 0.1 to 0.2 % while their months agree to
 * 0.002 %; blocks are counted exactly on both sides.
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
