/** The change of a line against earlier windows. */
import type { Fold } from "../chain_data/catalogue/metrics_schema.ts";

/** The value of a window of days. */
export interface LineChanges {
  readonly from: string;
  /** The newest complete day. */
  readonly to: string;
  readonly fold: Fold;
  /** The complete days, folded; null if a day that it needs is missing. */
  readonly value: number | null;
  /** Days of the window without a complete value. */
  readonly missingDays: number;
  /**
   * The change against the same number of days directly before; null for a
   * window of about a year, or if those days precede the series.
   */
  readonly before: Change | null;
  /**
   * The change against the same days 365 days earlier; null for longer windows,
   * or if those days precede the series.
   */
  readonly yearBefore: Change | null;
}

/** The change against an earlier window of the same length. */
export interface Change {
  readonly from: string;
  readonly to: string;
  /** Null if a day of either window is missing, or the earlier value is 0. */
  readonly changePct: number | null;
  readonly missingDays: number;
}
