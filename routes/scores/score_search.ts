/** The address search page, and its search box. */
import { html } from "hono/html";
import { DIMENSIONS } from "../../services/model/score_terms_schema.ts";
import type { Html, Page } from "../pages/layout.ts";
import { shortAddress } from "../pages/dates.ts";
import { DIMENSION_WORDS, PURPOSE } from "./score_words.ts";

/** What a score is for, before anybody looks one up. */
const purpose = html`
  <section class="stack stack-small" aria-labelledby="purpose">
    <h2 id="purpose">What a score is for</h2>
    <p class="prose"><strong>Good for</strong> ${PURPOSE.good}.</p>
    <p class="prose"><strong>Not for</strong> ${PURPOSE.bad}.</p>
    <p
      class="prose">Each score says how it stands among real wallets, and what a copy of its
      evidence would cost. <a href="/docs/model-card">How well it works</a></p>
  </section>
`;

/** An invalid address, and why it is invalid. */
interface Mistake {
  readonly given: string;
  readonly problem: string;
}

/** Renders the search page. */
export function searchPage(
  { url, names, mistake = null }: {
    readonly url: string;
    readonly names: boolean;
    readonly mistake?: Mistake | null;
  },
): Page {
  return {
    title: mistake ? "Invalid address" : "Score a wallet",
    description:
      "The reputation of any Avalanche C-Chain address: a score with its reasons, its confidence and its history.",
    nav: "score",
    styles: ["score.css"],
    ...(mistake ? { isIndexed: false } : { url }),
    body: html`<div class="stack stack-large">
<div class="stack stack-small">
<h1>Score any <span class="nowrap">C-Chain</span> address</h1>
<p class="lede">Get a score from 0 to 100 with the reasons for and against it, and
how much evidence it rests on. No account needed.</p>
</div>
${searchBox({ names, mistake })}
${purpose}
<section class="stack" aria-labelledby="made-of">
<h2 id="made-of">What a score is made of</h2>
<dl class="grid dimension-cards">${
      DIMENSIONS.map((dimension) => {
        const { label, meaning } = DIMENSION_WORDS[dimension];
        return html`
          <div class="card stack stack-small">
            <dt>${label}</dt>
            <dd class="muted">${meaning}</dd>
          </div>
        `;
      })
    }</dl>
<p class="prose">Missing data lowers the confidence in a score, never the score
itself. Anomaly flags are listed and lower the dimension they concern.
<a href="/docs/scoring-method">How a score is made</a></p>
</section>
</div>`,
  };
}

/** A wallet that many lists of exchanges name: it is no person's. */
const EXAMPLE = "0x9f8c163cba728e99993abe7495f06c0a3c8ac8b9";

/** Longest input: an address with the prefixes of its chain, and a name. */
const MAX_ADDRESS = 64;
const MAX_NAME = 128;

/** Renders the search box. After a mistake it keeps the input and shows the problem. */
export function searchBox(
  { names, mistake = null }: {
    /** Whether names of addresses are accepted. */
    readonly names: boolean;
    readonly mistake?: Mistake | null;
  },
): Html {
  return html`<search><form class="cluster cluster-end search" action="/tools/score" method="get">
<div class="field grow">
<label for="address">${names ? "Address or .avax name" : "Address"}</label>
<input class="mono" id="address" name="address" required maxlength="${
    names ? MAX_NAME : MAX_ADDRESS
  }" placeholder="${
    names ? "0x… or alice.avax" : "0x…"
  }" autocomplete="off" autocapitalize="off" spellcheck="false"
value="${mistake?.given ?? ""}" ${
    mistake ? html`aria-invalid="true" aria-describedby="problem"` : ""
  }>
</div>
<button class="button-primary">Score</button>
</form>
${
    mistake
      ? html`<p class="problem" id="problem" role="alert">${mistake.problem}</p>`
      : ""
  }
<p class="small muted">For example <a
href="/tools/score/${EXAMPLE}">${
    shortAddress(EXAMPLE)
  }</a>, a wallet of an exchange.</p></search>`;
}
