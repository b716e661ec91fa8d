/** The scale of proof: how well a figure is backed. */
import type { SeriesCheck } from "./fields_schema.ts";
import type { Proof } from "./check_rules_schema.ts";

/** Below this share of agreeing days, in percent, a series as a whole differs. */
export const MOST_PCT = 50;

/** Returns the term of a series, by how most of its compared days compare. */
export function proofOf(
  { agreementPct, reason = null }:
    & Pick<SeriesCheck, "agreementPct">
    & Partial<Pick<SeriesCheck, "reason">>,
): Proof {
  if (reason === "notIndexed") return "notIndexed";
  if (agreementPct === null) return "oneSource";
  return agreementPct < MOST_PCT ? "differ" : "agree";
}
