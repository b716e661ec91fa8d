/** The scale of proof: how well a figure is backed, in one table of terms for pages, cards and pictures. */
import type { SeriesCheck } from "./answer_fields_schema.ts";

/** The terms of the scale. Being compared never ranks below not being compared. */
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
