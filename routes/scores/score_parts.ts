/** The sections of a score page, among them the reasons of a score in three groups, each with the figures of the address. */
import { html } from "hono/html";
import {
  DIMENSIONS,
  GRAPH_FLAGS,
  type Standing,
  type TierId,
  TIERS,
} from "../../services/model/score_terms_schema.ts";
import type {
  ReasonCode,
  ReasonKind,
} from "../../services/model/reasons_schema.ts";
import type { Reason, ScoreRead } from "../../services/model/scores_schema.ts";
import type { Html } from "../pages/layout.ts";
import {
  amongWords,
  copyWords,
  DIMENSION_WORDS,
  evidenceWords,
  FLAG_WORDS,
  proofWords,
  PURPOSE,
  SOCIAL_WORDS,
  standingWords,
} from "./score_words.ts";
import type { Figures } from "../../services/scores/public_scores.ts";
import { unbroken } from "../pages/unbroken.ts";
import { dayWords, showUsdc } from "../pages/dates.ts";

/**
 * Renders the verdict: the headline, its tier, how it stands among wallets, and the
 * dimensions that it is made of. Each is said once.
 */
export function heroCard(
  { headline, s4 }: Pick<ScoreRead, "headline" | "s4">,
  { standing = null, confidence = "" }: {
    readonly standing?: Standing | null;
    /** How much evidence the verdict rests on, where no other card says it. */
    readonly confidence?: Html | "";
  } = {},
): Html {
  const { score, tier, tierLabel } = headline;
  const among = amongWords(s4.composite);
  return html`
    <section class="card score-hero" aria-label="Score">
      <div class="stack">
    <p class="cluster score-figure tier-${tier}"><span class="score-value">${score}</span>
    <span class="score-of">of 100</span><span class="badge tier-${tier}">${tierLabel}</span></p>
    ${tierLadder(tier)}
    <p class="lede">${standing === null
      ? among
      : `${standingWords(standing, headline)}. ${among}`}.</p>
    ${confidence}
      </div>
      <dl class="dimensions">${DIMENSIONS.map((dimension) => {
        const { label } = DIMENSION_WORDS[dimension];
        return html`
          <div>
            <dt>${label}</dt>
            <dd class="num">${s4[dimension]}</dd>
            <dd><meter
                  min="0" max="100" value="${s4[
                    dimension
                  ]}" aria-label="${label}"></meter></dd>
          </div>
        `;
      })}</dl>
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
export function confidencePart(
  { explanation, graph }: Pick<ScoreRead, "explanation" | "graph">,
): Html {
  const { value, label, detail } = explanation.confidence;
  const lowering = explanation.reasons.filter(({ kind, code }) =>
    kind === "coverage" && !NO_CONFIDENCE.has(code)
  ).map(({ title }) => title.replace(/^[A-Z]/, toLowerCase));
  if (graph.flags.length > 0) lowering.push("anomalies in the follower graph");
  return html`
    <section class="stack stack-small confidence" aria-labelledby="confidence">
      <h2 id="confidence">${label}</h2>
      <meter min="0" max="1" value="${value}"
        aria-label="Confidence">${value}</meter>
      <p class="small">${value.toFixed(
        2,
      )} of 1. ${detail} ${lowering.length === 0
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

/** Renders the findings of the follower analysis; nothing without one, which is a gap in the reasons. */
export function graphCard({ graph }: Pick<ScoreRead, "graph">): Html | "" {
  const { analyzed, flags, socialDamping } = graph;
  if (!analyzed) return "";
  const findings = flags.length === 0
    ? html`<p><span class="badge badge-good">No anomalies found</span></p>`
    : html`<ul class="stack stack-small">${
      flags.map((flag) =>
        html`<li><span class="badge badge-warn">${FLAG_WORDS[flag]}</span> ${
          GRAPH_FLAGS[flag]
        }</li>`
      )
    }</ul>`;
  return html`<section class="card stack stack-small" aria-labelledby="graph">
<h2 id="graph">Follower graph</h2>
${findings}<p>${
    socialDamping === 1
      ? "The social score is not lowered."
      : html`The social score is multiplied by <span class="num">${
        socialDamping.toFixed(2)
      }</span>.`
  }</p>
</section>`;
}

/** Renders the Verified Human number, what it rests on, and proofs of a unique human; nothing if there is neither. */
export function humanCard(
  { verifiedHuman, verifiedHumanEvidence, humanProofs }: Pick<
    ScoreRead,
    "verifiedHuman" | "verifiedHumanEvidence" | "humanProofs"
  >,
): Html | "" {
  if (verifiedHuman === null && humanProofs.length === 0) return "";
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

/** A group of reasons on the page. */
interface Group {
  readonly kind: ReasonKind;
  readonly title: string;
  readonly badge: string;
  readonly meaning: string;
  readonly none: string;
}

const GROUPS: readonly Group[] = [
  {
    kind: "positive",
    title: "Strengths",
    badge: "badge badge-good",
    meaning: "What raises the score.",
    none: "Nothing that was read speaks for this address yet.",
  },
  {
    kind: "coverage",
    title: "Gaps",
    badge: "badge",
    meaning:
      "Missing or limited evidence. It never lowers the score; most of it lowers the confidence.",
    none: "Nothing is missing.",
  },
  {
    kind: "risk",
    title: "Risks",
    badge: "badge badge-warn",
    meaning: "What lowers the score.",
    none: "No risk was found in what was read.",
  },
];

/** Renders the groups. Within a group the order and the texts are those of the API. */
export function reasonGroups(
  reasons: readonly Reason[],
  figures: Figures | null,
): Html {
  return html`<div class="reason-groups">${
    GROUPS.map(({ kind, title, badge, meaning, none }) => {
      const some = reasons.filter((reason) => reason.kind === kind);
      const id = title.toLowerCase();
      return html`<section class="card stack stack-small" aria-labelledby="${id}">
<h3 id="${id}">${title} <span class="${
        some.length > 0 ? badge : "badge"
      }">${some.length}</span></h3>
<p class="small muted">${meaning}</p>
${
        some.length === 0
          ? html`<p>${none}</p>`
          : html`<ul class="reasons">${
            some.map((reason) => reasonItem(reason, figures))
          }</ul>`
      }</section>`;
    })
  }</div>`;
}

function reasonItem(
  { code, dimension, title, detail }: Reason,
  figures: Figures | null,
): Html {
  const behind = figures && figuresBehind(code, figures);
  return html`<li><p class="cluster reason-title">${title} <span class="muted small">${
    DIMENSION_WORDS[dimension].label
  }</span></p><p class="reason-detail">${unbroken(detail)}</p>${
    behind ? html`<p class="reason-figures num">${unbroken(behind)}</p>` : ""
  }</li>`;
}

/** Returns the figures behind a reason, such as "412 transactions on 96 days"; null if there are none to show. */
export function figuresBehind(
  code: ReasonCode,
  figures: Figures,
): string | null {
  return FIGURES[code]?.(figures) ?? null;
}

type FiguresText = (figures: Figures) => string | null;

const transactions: FiguresText = ({ transactions }) =>
  count(transactions, "transaction");

const transactionsOnDays: FiguresText = (
  { transactions, activeDays, isCut },
) =>
  `${count(transactions, "transaction")} on ${least(isCut)}${
    count(activeDays, "day")
  }`;

const first: FiguresText = ({ firstDay, ageDays }) =>
  firstDay && `First transaction on ${dayWords(firstDay)}, ${ago(ageDays!)}`;

const last: FiguresText = ({ lastDay, idleDays }) =>
  lastDay && `Last transaction on ${dayWords(lastDay)}, ${ago(idleDays!)}`;

const followers: FiguresText = ({ followers }) => count(followers, "follower");

const gas = ({ gasAvax, isCut }: Figures): string =>
  `${least(isCut)}${show(gasAvax)} AVAX of gas`;

const FIGURES: Readonly<Partial<Record<ReasonCode, FiguresText>>> = {
  LIMITED_ONCHAIN_HISTORY: transactions,
  STALE_SIGNALS: last,
  SMALL_GRAPH: followers,
  FOLLOW_RING: ({ followers, mutual }) =>
    `${show(mutual)} of ${count(followers, "follower")} followed back`,
  FOLLOWER_BURST: ({ followers, burst }) =>
    `${show(burst)} of ${count(followers, "follower")} within 24 hours`,
  THIN_FOLLOWERS: ({ followers, thin }) =>
    `${show(thin)} of ${count(followers, "follower")} without a history`,
  COLLECTED_BEFORE_USE: ({ payers }) =>
    `Paid by ${count(payers, "address", "addresses")}`,
  NEW_WALLET: first,
  DORMANT: last,
  CONCENTRATED_ACTIVITY: transactionsOnDays,
  LOW_COST_FOOTPRINT: (figures) => `${transactions(figures)}, ${gas(figures)}`,
  LONG_HISTORY: first,
  VERIFIED_SOCIALS: ({ socials }) =>
    socials.map((kind) => SOCIAL_WORDS[kind]).join(", "),
  RECENT_ACTIVITY: last,
  SUSTAINED_ACTIVITY: transactionsOnDays,
  HIGH_ACTIVITY: transactionsOnDays,
  QUALITY_FOLLOWERS: followers,
  CLEAN_GRAPH: followers,
  GAS_SPENT: (figures) => gas(figures).replace(/^a/, "A"),
  PREMIUM_MEMBER: ({ premiumMonths }) => count(premiumMonths, "month"),
  DONOR: ({ donatedUsdc }) => showUsdc(donatedUsdc),
};

/** Marks a figure of the known transactions alone. */
function least(isCut: boolean): string {
  return isCut ? "at least " : "";
}

/** Formats a count with its noun. */
function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${show(number)} ${number === 1 ? noun : plural}`;
}

/** Formats a number with at most three significant digits of a fraction. */
function show(number: number): string {
  return number.toLocaleString("en", {
    maximumFractionDigits: number < 1 ? 4 : 2,
  });
}

/** Mean days of a month and of a year of the calendar. */
const MEAN_MONTH_DAYS = 30.44;
const MEAN_YEAR_DAYS = 365.25;

/** Returns how long ago something was, in days, whole months or whole years. */
function ago(days: number): string {
  if (days === 0) return "less than a day ago";
  if (days < 2 * MEAN_MONTH_DAYS) return `${count(days, "day")} ago`;
  return days < 2 * MEAN_YEAR_DAYS
    ? `${Math.floor(days / MEAN_MONTH_DAYS)} months ago`
    : `${Math.floor(days / MEAN_YEAR_DAYS)} years ago`;
}
