/** Thresholds that a score must reach. */
import type { ScoreRead, ScoreVector } from "./api_types.ts";

/** The tiers, lowest first. */
const TIERS: readonly ScoreRead["headline"]["tier"][] = [
  "starter",
  "newcomer",
  "rising",
  "established",
  "elite",
  "legendary",
];

/**
 * The minimum of each dimension, 0 to 100, of the confidence, 0 to 1, the lowest tier,
 * and what a copy of the evidence must cost. Omitted ones are not checked.
 */
export type Thresholds =
  & { readonly [Dimension in keyof ScoreVector]?: number | undefined }
  & {
    /** The lowest tier of the headline that passes. */
    readonly tier?: ScoreRead["headline"]["tier"] | undefined;
    /** US dollars that each wallet of a farm must cost at least: `costToFake.usd`. */
    readonly costToFakeUsd?: number | undefined;
  };

/** A threshold that a score does not reach. */
export interface UnmetThreshold {
  /** The dimension, `tier` or `costToFakeUsd`. */
  readonly dimension: keyof Thresholds;
  /** The required minimum. */
  readonly required: number | string;
  /** The value of the score. */
  readonly actual: number | string;
}

/** Whether a score reaches all thresholds, and the parts of it that say why. */
export interface VerifyResult extends
  Pick<
    ScoreRead,
    "address" | "headline" | "s4" | "costToFake" | "verifiedHuman"
  > {
  /** Whether every threshold is reached. */
  readonly passed: boolean;
  /** The thresholds that are not reached; empty if `passed` is true. */
  readonly failed: readonly UnmetThreshold[];
}

/** Compares a score with thresholds. */
export function compare(
  { address, headline, s4, costToFake, verifiedHuman }: ScoreRead,
  thresholds: Thresholds,
): VerifyResult {
  const values = {
    ...s4,
    tier: headline.tier,
    // A service before s4-2026.3 states no cost, and must not pass.
    costToFakeUsd: costToFake?.usd,
  };
  const dimensions = Object.keys(thresholds) as (keyof Thresholds)[];
  const failed = dimensions.flatMap((dimension) => {
    const required = thresholds[dimension];
    const actual = values[dimension];
    // A dimension or tier that does not exist is a typing mistake, and must not pass.
    return required === undefined ||
        rankOf(actual) >= rankOf(required, Infinity)
      ? []
      : [{ dimension, required, actual }];
  });
  return {
    address,
    passed: failed.length === 0,
    headline,
    s4,
    costToFake,
    verifiedHuman,
    failed,
  };
}

/** Returns a number, or the place of a tier; the last argument if there is no such tier. */
function rankOf(
  value: number | ScoreRead["headline"]["tier"] | undefined,
  unknown = -1,
): number {
  if (typeof value !== "string") return value ?? unknown;
  const rank = TIERS.indexOf(value);
  return rank < 0 ? unknown : rank;
}
