/** The sections of a score page. */
import { html } from "hono/html";
import {
  type Dimension,
  DIMENSIONS,
  GRAPH_FLAGS,
  type Standing,
  type TierId,
  TIERS,
} from "../../services/model/score_terms_schema.ts";
import type { ReasonCode } from "../../services/model/reasons_schema.ts";
import type {
  ScoreRead,
  ScoreVector,
} from "../../services/model/scores_schema.ts";
import type { Html } from "../pages/layout.ts";
import {
  amongWords,
  copyWords,
  DIMENSION_WORDS,
  evidenceWords,
  FLAG_WORDS,
  proofWords,
  PURPOSE,
  standingWords,
} from "./score_words.ts";

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
    <p>${amongWords(s4.composite)}.</p>
    <p class="lede">${explanation.summary}</p>
      </div>
      <div class="dimensions-box">${dimensionsPicture(s4)}</div>
    </section>
  `;
}

/** Renders what the score is good for, what it is not, and what a copy costs. */
export function purposeCard({ costToFake }: ScoreRead): Html {
  return html`
    <section class="card stack stack-small" aria-labelledby="purpose">
      <h2 id="purpose">What this score is for</h2>
      <p><strong>Good for</strong> ${PURPOSE.good}.</p>
      <p><strong>Not for</strong> ${PURPOSE.bad}.</p>
      <p>${copyWords(costToFake)} <a href="/docs/model-card">How well the score
    works, and how it was measured</a></p>
    </section>
  `;
}

/** Renders the tiers as steps of equal width. */
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

/** Renders the Verified Human number, what it rests on, and proofs of a unique human. */
export function humanCard(
  { verifiedHuman, verifiedHumanEvidence, humanProofs }: ScoreRead,
): Html {
  return html`<section class="card stack stack-small" aria-labelledby="human">
<h2 id="human">Verified Human</h2>
${
    verifiedHuman === null
      ? html`<p class="muted">This address has no Verified Human number.</p>`
      : html`<p class="stat-value">#${verifiedHuman}</p>
<p>A permanent number. It is never assigned to another address. ${
        verifiedHumanEvidence === null
          ? ""
          : evidenceWords(verifiedHumanEvidence)
      }</p>`
  }
${
    humanProofs.length === 0 ? "" : html`<h3>Proofs of a unique human</h3>
<ul>${humanProofs.map((proof) => html`<li>${proofWords(proof)}</li>`)}</ul>
<p class="small muted">Of all proofs only the strongest counts. <a
href="/docs/profiles#proofs-of-a-unique-human">Where they are read</a></p>`
  }
</section>`;
}

/** Centre of the dimensions picture, and the distance of 100 from it. */
const CENTRE = { x: 180, y: 130 };
const RADIUS = 92;

/** Direction of each dimension, and how its label is aligned. */
const AXES: Readonly<
  Record<Dimension, { dx: number; dy: number; anchor: string }>
> = {
  humanity: { dx: 0, dy: -1, anchor: "middle" },
  activity: { dx: 1, dy: 0, anchor: "start" },
  social: { dx: 0, dy: 1, anchor: "middle" },
  economic: { dx: -1, dy: 0, anchor: "end" },
};

/** Draws the four dimensions as a polygon. */
function dimensionsPicture(vector: ScoreVector): Html {
  const words = DIMENSIONS.map((dimension) =>
    `${DIMENSION_WORDS[dimension].label} ${vector[dimension]}`
  );
  return html`
    <svg class="dimensions" viewBox="0 0 360 264" role="img"
      aria-label="Four dimensions of 100 points: ${words.join(", ")}">
    ${[25, 50, 75, 100].map((value) =>
      html`
        <polygon class="ring" points="${pointsOf(() => value)}" />
      `
    )}
    <path class="axis" d="M${CENTRE.x} ${CENTRE.y - RADIUS}v${2 *
      RADIUS}M${CENTRE.x - RADIUS} ${CENTRE.y}h${2 * RADIUS}"/>
    <polygon class="shape" points="${pointsOf((dimension) =>
      vector[dimension]
    )}"/>
    ${DIMENSIONS.map((dimension) => {
      const { x, y } = pointOf(dimension, vector[dimension]);
      return html`
        <circle class="corner" cx="${x}" cy="${y}" r="3.5" />
      `;
    })}
    ${DIMENSIONS.map((dimension) => labelOf(dimension, vector[dimension]))}
    </svg>
  `;
}

function labelOf(dimension: Dimension, value: number) {
  const { dx, dy, anchor } = AXES[dimension];
  const x = CENTRE.x + dx * (RADIUS + 10);
  const y = CENTRE.y + dy * (RADIUS + 20) + (dy === 1 ? 2 : -2);
  return html`
    <text class="name" x="${x}" y="${y}"
      text-anchor="${anchor}">${DIMENSION_WORDS[dimension].label}</text>
    <text class="value" x="${x}" y="${y + 16}"
      text-anchor="${anchor}">${value}</text>
  `;
}

function pointOf(dimension: Dimension, value: number) {
  const { dx, dy } = AXES[dimension];
  const reach = RADIUS * value / 100;
  return {
    x: Math.round((CENTRE.x + dx * reach) * 10) / 10,
    y: Math.round((CENTRE.y + dy * reach) * 10) / 10,
  };
}

function pointsOf(valueOf: (dimension: Dimension) => number): string {
  return DIMENSIONS.map((dimension) => {
    const { x, y } = pointOf(dimension, valueOf(dimension));
    return `${x},${y}`;
  }).join(" ");
}
