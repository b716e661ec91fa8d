/** Words for chains: names, ages, changes, states, and the scale of proof. */
import { html } from "hono/html";
import {
  COVERAGE,
  COVERAGE_STATES,
} from "../../services/chain_data/catalogue/chains_schema.ts";
import {
  type ChainSummary,
  NO_CHANGE,
  type NoChange,
} from "../../services/chain_data/overview/overview_schema.ts";
import type { SeriesCheck } from "../../services/chain_data/catalogue/fields_schema.ts";
import {
  type Proof,
  proofOf,
  PROOFS,
} from "../../services/chain_data/catalogue/cross_checks_schema.ts";
import {
  capitalised,
  formatPct,
  formatShare,
  formatValue,
} from "./chart_words.ts";
import { DISPUTES, REVISIONS } from "../http/paths.ts";
import { printable } from "../pages/drawable_names.ts";
import type { Html } from "../pages/layout.ts";
import { unbroken } from "../pages/unbroken.ts";

/** The path of the overview. */
export const CHAINS = "/chains";

/** Renders a link to the page of a chain. */
export function chainLink(
  { chainId, chainName }: Pick<ChainSummary, "chainId" | "chainName">,
): Html {
  return html`<a href="${CHAINS}/${chainId}"><bdi>${
    unbroken(printable(chainName))
  }</bdi></a>`;
}

/** Renders how well a chain's transactions are backed, and what the source lacks of them. */
export function chainProof(
  { state, since }: Pick<ChainSummary, "since" | "state">,
  check: SeriesCheck | null,
  wordsOf: (check: Compared) => string = proofWords,
): Html {
  const { term } = COVERAGE[state];
  if (state === "unread") {
    return html`<span class="muted small">${term}</span>`;
  }
  const known = check ?? { agreementPct: null, comparedDayCount: 0 };
  const note = state === "served"
    ? ""
    : html`<span class="small muted">${term}${
      since === null ? "" : html`
        <span class="nowrap">since ${since}</span>
      `
    }</span>`;
  return html`<span class="cluster">${
    proofBadge(proofOf(known), wordsOf(known))
  }${note}</span>`;
}

/** Renders what the terms of proof and of coverage mean. */
export function stateLegend(): Html {
  return html`
    ${proofLegend()}
        <dl class="facts small">
          ${COVERAGE_STATES.map((state) =>
            html`
              <dt>${COVERAGE[state].term}</dt>
              <dd>${COVERAGE[state].meaning}</dd>
            `
          )}
        </dl>
  `;
}

/** Renders a change in the format of its column, or why there is none. */
export function changeCell(
  { changePct, noChange }: {
    readonly changePct: number | null;
    readonly noChange: NoChange | null;
  },
  format: (pct: number) => string = formatPct,
): Html | string {
  if (changePct === null) {
    return html`<span class="muted small">${NO_CHANGE[noChange!]}</span>`;
  }
  return format(changePct);
}

/** Formats the share of a chain, rounded. It can be too small, or too close to all, to show. */
export function formatChainShare(pct: number): string {
  if (pct > 0 && pct < 0.01) return "< 0.01 %";
  if (pct >= 99.995 && pct < 100) return "> 99.99 %";
  return `${SHARE.format(pct)} %`;
}

const SHARE = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** Units of ages, the longest first, and their days. */
const AGE_UNITS = [
  ["year", 365.25],
  ["month", 365.25 / 12],
  ["day", 1],
] as const;

/** Formats an age in its longest unit, rounded down: `3 years`, `5 months`, `12 days`. */
export function formatAge(days: number): string {
  const [unit, length] = AGE_UNITS.find(([, length]) => days >= length) ??
    AGE_UNITS[2];
  const count = Math.floor(days / length);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

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

/** Renders links to the pages of the check. */
export function checkLinks(): Html {
  return html`<a href="${DISPUTES}">Days on which two sources differ</a> ·
    <a href="${REVISIONS}">days that a source changed afterwards</a>`;
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
