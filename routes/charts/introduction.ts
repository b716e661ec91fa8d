/** The top of the first page: what Firn is, for whom, what it costs, and why its figures are believed. */
import { html } from "hono/html";
import type { CheckQuality } from "../../services/chain_data/quality/quality_schema.ts";
import { formatUsdc } from "../../services/payments/money.ts";
import { PLAN_NAMES, PLANS } from "../../services/payments/plans_schema.ts";
import type { Html } from "../pages/layout.ts";
import { formatShare } from "./chart_words.ts";

/** Days that must be compared before the agreement is shown as a figure. */
const MIN_COMPARED_DAYS = 30;

/** How far the two sources of a checked series agree. */
export type Proof = Pick<
  CheckQuality,
  "agreementPct" | "checkedThrough" | "comparedDayCount" | "openDisputeCount"
>;

/** Shows the introduction. The proof is that of the C-Chain's transactions; null if they were never read. */
export function introduction(proof: Proof | null): Html {
  const { free, builder } = PLANS;
  const largest = PLANS[PLAN_NAMES.at(-1)!];
  return html`
    <section class="introduction stack stack-small" aria-label="What Firn is">
      <p
        class="lede"><strong>Avalanche figures that you can check, and wallet scores that say what they rest on.</strong>
    For analysts and builders: two independent sources are compared<span class="wide"> day by day</span>, and every disagreement is published.</p>
      <ul class="introduction-parts">
        <li><strong><a href="/docs/quick-start-chain-data">Chain data</a></strong>
    Daily metrics <span class="wide">of the C-Chain and its L1s</span> since 2020, as JSON, CSV and
    <a href="/downloads">files</a>. Free, without a key.</li>
        <li><strong><a href="/tools/score">Wallet scores</a></strong>
    <span class="wide">Is an address really used, or made to look so?</span>
    ${free.requests.toLocaleString(
      "en",
    )} a month are free; <a href="/docs/limits">plans</a> cost ${wholeUsdc(
      builder.price,
    )} to ${wholeUsdc(largest.price)} USDC.</li>
        <li><strong><a href="/docs/checked-series">The check</a></strong> ${proofOf(
          proof,
        )}</li>
        <li><strong>Use something else</strong> for several ecosystems
    (<a href="https://www.growthepie.com">growthepie</a>, <a href="https://defillama.com">DefiLlama</a>),
    or for people verified by documents (<a href="https://passport.human.tech">Human Passport</a>).</li>
      </ul>
    </section>
  `;
}

/** Prices are whole USDC. */
const wholeUsdc = (price: bigint) => formatUsdc(price).replace(/\.00$/, "");

function proofOf(proof: Proof | null): Html | string {
  const days = proof?.comparedDayCount ?? 0;
  if (
    proof === null || days < MIN_COMPARED_DAYS || proof.agreementPct === null
  ) {
    return "C-Chain transactions: not yet compared.";
  }
  const { agreementPct, checkedThrough, openDisputeCount } = proof;
  return html`
    C-Chain transactions: <span
      class="wide">the Metrics API and an explorer index</span> agree on
        <span class="nowrap">${formatShare(agreementPct)}</span> of
        <span class="nowrap">${days.toLocaleString("en")} days</span> compared
        through <span class="nowrap">${checkedThrough};</span>
        <a href="/disputes">${openDisputeCount === 1
          ? "1 day is"
          : `${openDisputeCount} days are`} disputed</a>.
  `;
}
