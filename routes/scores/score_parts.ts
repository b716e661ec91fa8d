/** The sections of a score page. */
import { html } from "hono/html";
import {
  GRAPH_FLAGS,
  type Standing,
  type TierId,
  TIERS,
} from "../../services/model/score_terms_schema.ts";
import type { ReasonCode } from "../../services/model/reasons_schema.ts";
import type { ScoreRead } from "../../services/model/scores_schema.ts";
import type { Html } from "../pages/layout.ts";
import { dimensionsPicture } from "./score_charts.ts";
import { FLAG_WORDS, standingWords } from "./score_words.ts";

/** Renders the headline, its tier, where it stands in it, the summary and the dimensions. */
export function heroCard(
  { headline, s4, explanation }: ScoreRead,
  standing: Standing | null = null,
): Html {
  const { score, tier, tierLabel } = headline;
  return html`
    <section class="card score-hero" aria-label="Score">
      <div class="stack">
    <p class="score-figure tier-${tier}"><span class="score-value">${score}</span>
    <span class="score-of">of 100</span><span class="badge tier-${tier}">${tierLabel}</span></p>
    ${tierLadder(tier)}
    ${standing &&
      html`<p class="standing">${standingWords(standing, headline)}</p>`}
    <p class="lede">${explanation.summary}</p>
      </div>
      <div class="dimensions-box">${dimensionsPicture(s4)}</div>
    </section>
  `;
}

/** Renders the tiers as steps of equal width. The thresholds are not public. */
function tierLadder(current: TierId): Html {
  const reached = TIERS[current].index;
  return html`
    <ol class="tier-ladder tier-${current}"
      aria-label="Tiers, lowest first">${Object.entries(TIERS).map((
        [id, { label, index }],
      ) =>
        html`
          <li class="${index <= reached ? "is-reached" : ""}"
            ${id === current
              ? html`aria-current="step"`
              : ""}><span>${label}</span></li>
        `
      )}</ol>
  `;
}

/** Renders the confidence, and what lowers it in one line. */
export function confidenceCard({ explanation, graph }: ScoreRead): Html {
  const { value, label, detail } = explanation.confidence;
  const lowering = explanation.reasons.filter(({ kind, code }) =>
    kind === "coverage" && !NO_CONFIDENCE.has(code)
  ).map(({ title }) => title.replace(/^[A-Z]/, toLowerCase));
  if (graph.flags.length > 0) lowering.push("anomalies in the follower graph");
  return html`
    <section class="card stack stack-small" aria-labelledby="confidence">
      <h2 id="confidence">${label}</h2>
      <meter min="0" max="1" value="${value}"
        aria-label="Confidence">${value}</meter>
      <p><span class="num">${value.toFixed(
        2,
      )} of 1.</span> ${detail} ${lowering.length === 0
        ? value < 1 ? "More transactions and followers would raise it." : ""
        : `Lowered by: ${lowering.join("; ")}.`}</p>
    </section>
  `;
}

/** Reasons of coverage that cost no confidence. */
const NO_CONFIDENCE: ReadonlySet<ReasonCode> = new Set([
  "CONTRACT_ACCOUNT",
  "VERIFIED_HUMAN_LAPSED",
]);

const toLowerCase = (text: string) => text.toLowerCase();

/** Renders the findings of the follower analysis. */
export function graphCard({ graph }: ScoreRead): Html {
  const { analyzed, flags, socialDamping } = graph;
  const findings = flags.length === 0
    ? html`<p><span class="badge badge-good">No anomalies found</span></p>`
    : html`<ul class="flags">${
      flags.map((flag) =>
        html`<li><span class="badge badge-warn">${FLAG_WORDS[flag]}</span> ${
          GRAPH_FLAGS[flag]
        }</li>`
      )
    }</ul>`;
  return html`<section class="card stack stack-small" aria-labelledby="graph">
<h2 id="graph">Follower graph</h2>
${
    analyzed
      ? html`${findings}<p>${
        socialDamping === 1
          ? "The social score is not lowered."
          : html`The social score is multiplied by <span class="num">${
            socialDamping.toFixed(2)
          }</span>.`
      }</p>`
      : html`<p class="muted">The followers of this address have not been analysed.</p>`
  }
</section>`;
}

/** Renders the Verified Human number. */
export function humanCard({ verifiedHuman }: ScoreRead): Html {
  return html`<section class="card stack stack-small" aria-labelledby="human">
<h2 id="human">Verified Human</h2>
${
    verifiedHuman === null
      ? html`<p class="muted">This address has no Verified Human number.</p>`
      : html`<p class="stat-value">#${verifiedHuman}</p>
<p>A permanent number. It is never assigned to another address.</p>`
  }
</section>`;
}
