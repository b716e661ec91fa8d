/** Thresholds that a score must reach. */
import type { ScoreRead, ScoreVector } from "./api_types.ts";

/**
 * The minimum of each dimension, 0 to 100, and of the confidence, 0 to 1. Omitted ones
 * are not checked.
 */
export type Thresholds = {
  readonly [Dimension in keyof ScoreVector]?: number | undefined;
};

/** A threshold that a score does not reach. */
export interface UnmetThreshold {
  /** The dimension. */
  readonly dimension: keyof ScoreVector;
  /** The required minimum. */
  readonly required: number;
  /** The value of the score. */
  readonly actual: number;
}

/** Whether a score reaches all thresholds, and the parts of it that say why. */
export interface VerifyResult
  extends Pick<ScoreRead, "address" | "headline" | "s4" | "verifiedHuman"> {
  /** Whether every threshold is reached. */
  readonly passed: boolean;
  /** The thresholds that are not reached; empty if `passed` is true. */
  readonly failed: readonly UnmetThreshold[];
}

/** Compares a score with thresholds. */
export function compare(
  { address, headline, s4, verifiedHuman }: ScoreRead,
  thresholds: Thresholds,
): VerifyResult {
  const dimensions = Object.keys(thresholds) as (keyof ScoreVector)[];
  const failed = dimensions.flatMap((dimension) => {
    const required = thresholds[dimension];
    const actual = s4[dimension];
    // A dimension that the score lacks is a typing mistake, and must not pass.
    return required === undefined || actual >= required
      ? []
      : [{ dimension, required, actual }];
  });
  return {
    address,
    passed: failed.length === 0,
    headline,
    s4,
    verifiedHuman,
    failed,
  };
}
