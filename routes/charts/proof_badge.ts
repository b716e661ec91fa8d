/** The scale of proof as pages show it: badges, and the list of the terms. */
import { html } from "hono/html";
import type { SeriesCheck } from "../../services/chain_data/catalogue/answer_fields_schema.ts";
import {
  type Proof,
  PROOFS,
} from "../../services/chain_data/catalogue/check_rules_schema.ts";
import { proofOf } from "../../services/chain_data/catalogue/proof.ts";
import type { Html } from "../pages/layout.ts";
import { capitalised, formatShare, formatValue } from "./chart_words.ts";

/** The colour of each term. Only agreement is green, and none is that of an error. */
const STYLES: Readonly<Record<Proof, string>> = {
  agree: "badge-good",
  differ: "badge-differ",
  oneSource: "",
  gap: "badge-warn",
  notIndexed: "",
};

/** What a badge needs of the comparison of a series. */
export type Compared =
  & Pick<SeriesCheck, "agreementPct" | "comparedDayCount">
  & Partial<Pick<SeriesCheck, "reason">>;

/** Renders a term: `Two sources agree`, or the words that are given. */
export function proofBadge(
  proof: Proof,
  words: string = PROOFS[proof].term,
): Html {
  return html`<span class="badge ${STYLES[proof]}">${
    capitalised(words)
  }</span>`;
}

/** Describes a series: `two sources agree on 99.72 % of 362 days`. */
export function proofWords(check: Compared): string {
  const { agreementPct, comparedDayCount } = check;
  const { term } = PROOFS[proofOf(check)];
  return agreementPct === null
    ? term
    : `${PROOFS.agree.term} on ${formatShare(agreementPct)} of ${
      formatValue(comparedDayCount)
    } ${comparedDayCount === 1 ? "day" : "days"}`;
}

/** Describes a series where there is little room: `agree 99.72 %`. */
export function shortProof(check: Compared): string {
  const { agreementPct } = check;
  return agreementPct === null
    ? proofWords(check)
    : `agree ${formatShare(agreementPct)}`;
}

/** Renders the badge of a series, as its card says it. */
export function seriesProof(check: Compared): Html {
  return proofBadge(proofOf(check), proofWords(check));
}

/** Renders what the terms mean. */
export function proofLegend(): Html {
  return html`
    <dl class="facts small">
      ${(Object.keys(PROOFS) as Proof[]).map((proof) =>
        html`
          <dt>${proofBadge(proof)}</dt>
          <dd>${capitalised(PROOFS[proof].meaning)}</dd>
        `
      )}
    </dl>
  `;
}
