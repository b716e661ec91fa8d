/** The score page of an address, with the history of its score: a chart and a table. */
import { html } from "hono/html";
import type {
  Headline,
  ScorePage,
} from "../../services/scores/public_scores.ts";
import { dayTime, dayWords, shortAddress } from "../pages/dates.ts";
import {
  HISTORY_DAYS,
  type Reason,
  type ScoreRead,
} from "../../services/model/scores_schema.ts";
import { face } from "../pages/face.ts";
import { codeTabs } from "../pages/code.ts";
import type { Html, Page } from "../pages/layout.ts";
import { FOLLOW_ASSETS } from "./follow_bar.ts";
import {
  confidencePart,
  graphCard,
  heroCard,
  humanCard,
  purposeCard,
  reasonGroups,
} from "./score_parts.ts";
import { searchBox } from "./score_search.ts";
import { OBSTACLE_WORDS, SIGNAL_WORDS } from "./score_words.ts";
import type { ReasonCode } from "../../services/model/reasons_schema.ts";
import { DAY_MS } from "../../services/platform/days.ts";
import { maxOf, minOf } from "../../services/platform/numbers.ts";

/** Renders the page. Links in code samples start with the public URL. */
export function scorePage(
  page: ScorePage,
  { publicUrl, offers, follow, name: given, names }: {
    readonly publicUrl: string;
    /** The name that the visitor asked for, which leads to the address; null for an address. */
    readonly name: string | null;
    /** Whether names are accepted. */
    readonly names: boolean;
    readonly offers: Offers;
    /** The Follow button, with the link to the profile. */
    readonly follow: Html;
  },
): Page {
  const { address, read, last, profile } = page;
  const headline = read?.headline ?? last;
  const name = profile?.displayName ?? shortAddress(address);
  return {
    title: headline
      ? `${name}: ${headline.score}, ${headline.tierLabel}`
      : `${name}: unrated`,
    description: read?.explanation.summary ??
      `The reputation of the Avalanche C-Chain address ${address}.`,
    nav: "score",
    url: `${publicUrl}/tools/score/${address}`,
    picture: `${publicUrl}/card/score/${address}.png`,
    // Owners who claimed a profile expect to be found; other addresses are not indexed.
    isIndexed: profile !== null,
    styles: ["score.css", ...FOLLOW_ASSETS.styles],
    modules: [
      "copy.js",
      "tabs.js",
      ...FOLLOW_ASSETS.modules,
      ...page.obstacle === null ? [] : ["score_delay.js"],
    ],
    ...(page.obstacle === null
      ? {}
      : { refreshSeconds: Math.ceil(page.retryAfterMs / 1_000) }),
    body: html`<div class="stack stack-large">
<div class="stack">
${heading(page)}
${given === null ? "" : nameNotice(given, `/tools/score/${address}`)}
${follow}
${delayNotice(page)}
</div>
${
      read
        ? html`
          <div class="stack">${heroCard(read, {
            standing: page.standing,
            confidence: confidencePart(read),
          })}${nextNotice(read)}</div>
          <section class="stack"
            aria-labelledby="reasons"><h2 id="reasons">Reasons</h2>${reasonGroups(
              read.explanation.reasons,
              page.figures,
            )}${extraCards(read)}</section>
          ${purposeCard(read)}
          ${nextSteps(page, offers)}
        `
        : ""
    }
${historySection(page)}
${badgeSection({ address, publicUrl, headline })}
<section class="stack" aria-labelledby="another"><h2 id="another">Score another address</h2>${
      searchBox({ names })
    }</section>
${read ? footnote(read, page) : ""}
</div>`,
  };
}

/** Renders what else is known of the followers and the person; nothing if there is nothing. */
function extraCards(read: ScoreRead): Html | "" {
  const cards = [graphCard(read), humanCard(read)].filter((one) => one !== "");
  return cards.length === 0 ? "" : html`<div class="grid">${cards}</div>`;
}

/** Renders where a name leads, with a link that stays at the address. */
export function nameNotice(name: string, href: string): Html {
  return html`
    <p
      class="notice"><strong class="break-anywhere">${name}</strong> leads to this address now.
      Whoever holds the name can change that. <a href="${href}">Link to the address</a></p>
  `;
}

/** Renders the link from a score to the profile, or to claiming it. */
export function profileLink({ address, profile }: ScorePage): Html {
  return html`<a class="button" href="/profiles/${address}">${
    profile === null ? "Is this yours? Claim it" : "Profile and follows"
  }</a>`;
}

function heading({ address, profile }: ScorePage): Html {
  const words = profile?.displayName
    ? html`
      <div class="stack stack-small">
        <p class="eyebrow">Wallet score</p>
        <h1>${profile.displayName}</h1>
        ${profile.resembles === null
          ? ""
          : html`<p><span class="badge badge-warn">Chosen name</span> It looks like “${profile.resembles}”. Nobody has verified that it belongs there.</p>`}
        <p class="mono break-anywhere">${address}</p>
      </div>
    `
    : html`
      <div class="stack stack-small">
        <p class="eyebrow">Wallet score</p>
        <h1 class="address mono">${address}</h1>
      </div>
    `;
  return html`<div class="with-face">${face(address, 72)}${words}</div>`;
}

/** Renders the score by the announced model; nothing while none is announced. */
function nextNotice({ next }: ScoreRead): Html | "" {
  if (next === undefined) return "";
  const { model, headline: { score, tierLabel } } = next;
  return html`
    <p
      class="notice">By the announced model <code>${model}</code> the score is ${score}, ${tierLabel}.
    <a href="/docs/versioning">When a new model is used</a></p>
  `;
}

function footnote(read: ScoreRead, { signals }: ScorePage): Html {
  const { fetchedAt, model } = read;
  return html`<p class="small muted">Model ${model}, computed <time
datetime="${fetchedAt}">${dayWords(fetchedAt)}, ${
    fetchedAt.slice(11, 16)
  } UTC</time>
from on-chain data ${SIGNAL_WORDS[signals]}. Available by API:
<code>GET /api/v1/score/…</code>, see <a href="/docs">the documentation</a>.</p>`;
}

/**
 * Renders the badge and its code as Markdown, HTML and URL. The image is left out
 * while there is no score: the browser would keep the grey badge for five minutes,
 * and show it beside the score.
 */
function badgeSection(
  { address, publicUrl, headline }: {
    readonly address: string;
    readonly publicUrl: string;
    readonly headline: Headline | null;
  },
): Html {
  const path = `/api/tools/score-badge/${address}`;
  const image = `${publicUrl}${path}`;
  const target = `${publicUrl}/tools/score/${address}`;
  const alternatives = [
    ["Markdown", `[![Firn tier](${image})](${target})`],
    [
      "HTML",
      `<a href="${target}"><img src="${image}" alt="Firn tier" height="20"></a>`,
    ],
    ["Image URL", image],
  ] as const;
  return html`
    <section class="stack" aria-labelledby="badge">
      <h2 id="badge">Badge</h2>
      ${headline === null
        ? html`
          <p class="muted">The badge says “unrated” until the address has a score.</p>
        `
        : html`
          <p
            class="cluster"><img src="${path}" height="20" alt="Firn tier: ${headline
              .tierLabel}">
          <img src="${path}?metric=score" height="20" alt="Firn score: ${headline
            .score}"></p>
        `}
      <p
        class="prose">The image updates with the score. Use <code>metric=tier|score|human</code> to choose
    the value, <code>style=flat|flat-square|for-the-badge</code> to choose the style, and
    <code>label=</code> to set the text on the left.</p>
      ${codeTabs("Badge code", alternatives, { wraps: true })}
    </section>
  `;
}

/** Renders why the score is not current; nothing if it is. `score_delay.js` loads the page again. */
function delayNotice(
  { read, obstacle, last, retryAfterMs }: ScorePage,
): Html | "" {
  if (obstacle === null) return "";
  const seconds = Math.ceil(retryAfterMs / 1_000);
  if (read) {
    return html`<p class="notice notice-warn" data-retry-seconds="${seconds}">This score
uses on-chain data that is not current. ${OBSTACLE_WORDS[obstacle]}</p>`;
  }
  const isReading = obstacle === "reading";
  const title = isReading
    ? "Scoring this address"
    : last
    ? "No current score"
    : "Not scored yet";
  return html`<div class="card stack stack-small" data-retry-seconds="${seconds}">
<h2 id="delay">${title}</h2>
${isReading ? html`<progress aria-labelledby="delay"></progress>` : ""}
<p role="status">${OBSTACLE_WORDS[obstacle]}</p>
${
    last
      ? html`<p>Last score: ${last.score}, ${last.tierLabel}, on ${
        dayTime(last.date)
      }.</p>`
      : ""
  }
<p class="cluster"><a class="button" href="">Try again</a> <span class="muted small">This page
checks again by itself, the next time in ${
    seconds === 1 ? "a second" : `${seconds} seconds`
  }.</span></p>
</div>`;
}

/** A step, and the reasons with or without which it helps. */
interface Step {
  readonly label: string;
  /** What it is good for, and how many points it gives. */
  readonly helps: (gains: NonNullable<ScorePage["gains"]>) => string;
  /** The part of the own profile where it is taken. */
  readonly part: string;
  /** Whether it is only offered if the service links GitHub accounts. */
  readonly needsGitHub?: true;
  readonly isOpen: (has: (code: ReasonCode) => boolean) => boolean;
}

/** What the service offers. Nothing that it sells is a step: a score is not for sale. */
interface Offers {
  readonly canLinkGitHub: boolean;
}

const points = (number: number) =>
  number.toLocaleString("en", { maximumFractionDigits: 1 });

const STEPS: readonly Step[] = [
  {
    label: "Claim the profile",
    helps: () =>
      "It can be followed and can have linked accounts. Raises confidence and adds no points.",
    part: "claim-title",
    isOpen: (has) => has("NO_PROFILE"),
  },
  {
    label: "Link GitHub",
    helps: ({ github: { least, most } }) =>
      `Adds ${points(least)} points at once with a new account, and up to ${
        points(most)
      } with an old one that stays linked.`,
    part: "github-title",
    needsGitHub: true,
    isOpen: (has) => has("NO_VERIFIED_SOCIALS"),
  },
  {
    label: "Link a domain",
    helps: ({ domain: { least, most } }) =>
      `Adds ${points(least)} points at once, and up to ${
        points(most)
      } while it stays linked.`,
    part: "domain-title",
    isOpen: (has) => has("NO_VERIFIED_SOCIALS"),
  },
  {
    label: "See what Verified Human needs",
    helps: () =>
      "A permanent number, once the evidence is there. The number adds no points.",
    part: "human-title",
    isOpen: (has) => !has("VERIFIED_HUMAN"),
  },
];

/** Renders the steps that are open; nothing if there are none. */
export function nextSteps(
  { read, gains }: Pick<ScorePage, "read" | "gains">,
  { canLinkGitHub }: Offers,
): Html | "" {
  if (read === null || gains === null) return "";
  const codes = new Set<Reason["code"]>(
    read.explanation.reasons.map(({ code }) => code),
  );
  const open = STEPS.filter(({ isOpen, needsGitHub = false }) =>
    (canLinkGitHub || !needsGitHub) && isOpen((code) => codes.has(code))
  );
  if (open.length === 0) return "";
  return html`
    <section class="stack" aria-labelledby="next">
      <h2 id="next">What you can do next</h2>
      <p>If this wallet is yours, each step shows your score before and after it.</p>
      <ul class="grid is-even next-steps">${open.map(({ label, helps, part }) =>
        html`<li class="card"><a href="/dashboard/profile#${part}">${label}</a>
<p class="small muted">${helps(gains)}</p></li>`
      )}</ul>
    </section>
  `;
}

/** Renders the history: a chart with the changes of the model marked, and a table. */
export function historySection({ history }: ScorePage): Html {
  const { points } = history;
  return html`<section class="stack" aria-labelledby="history">
<h2 id="history">Last ${HISTORY_DAYS} days</h2>
${
    points.length === 0
      ? html`
        <p
          class="muted">No scores recorded yet. Each day on which the score is read adds one.</p>
      `
      : html`
        <div class="card stack stack-small">
          <figure class="stack stack-small">${historyPicture(history)}
        <figcaption class="small muted">The last headline score of each UTC day. ${points
            .length === 1
          ? "One day so far."
          : points.length === daysOf(history)
          ? "Every day has a score."
          : `${points.length} days have a score. The score was not read on the other days.`}${modelChangesOf(
            points,
          ).map(({ date, model, before }) =>
            html`
              From ${dayTime(
                date,
              )} the model <code>${model}</code> is used instead of <code>${before}</code>: part of the change of that day is the model’s.
            `
          )}</figcaption></figure>
          <details>
            <summary>Show as a table</summary>
            <div class="table-scroll" tabindex="0" role="region"
              aria-label="Headline score by day">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Day</th>
                    <th scope="col" class="num">Score</th>
                    <th scope="col">Model</th>
                  </tr>
                </thead>
                <tbody>${points.toReversed().map(({ date, score, model }) =>
                  html`
                    <tr>
                      <th scope="row"><time>${date}</time></th>
                      <td class="num">${score}</td>
                      <td><code>${model}</code></td>
                    </tr>
                  `
                )}</tbody>
              </table>
            </div>
          </details>
        </div>
      `
  }
</section>`;
}

/** Returns the number of days of a history, the last one included. */
function daysOf({ from, to }: ScorePage["history"]): number {
  return 1 + (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

/** Returns the days on which another model scored than before, oldest first. */
function modelChangesOf(points: ScorePage["history"]["points"]) {
  return points.flatMap(({ date, model }, nth) => {
    const before = points[nth - 1]?.model ?? model;
    return before === model ? [] : [{ date, model, before }];
  });
}

/**
 * Draws headline scores over a window of days. A line joins consecutive days only,
 * so days without a score stay empty. The labels are outside of the plot, so it
 * stretches to any width.
 */
function historyPicture(
  { from, to, points }: ScorePage["history"],
): Html {
  const dayOf = (date: string) =>
    (Date.parse(date) - Date.parse(from)) / DAY_MS;
  const placed = points.map(({ date, score }) => ({
    x: dayOf(date),
    y: 100 - score,
  }));
  const runs = runsOf(placed);
  const width = dayOf(to);
  const last = placed.at(-1)!;
  const changes = modelChangesOf(points)
    .map(({ date, model }) => ({ x: dayOf(date), model }));
  return html`
    <div class="history">
      ${changes.length === 0 ? "" : html`
        <svg class="history-models" aria-hidden="true">${changes.map((
          { x, model },
        ) => {
          const percent = Math.round(1_000 * x / width) / 10;
          return html`<text x="${percent}%" y="1em" text-anchor="${
            percent < 50 ? "start" : "end"
          }">${model}</text>`;
        })}</svg>
      `}
      <div class="history-scale" aria-hidden="true">${[100, 75, 50, 25, 0].map((
        score,
      ) => html`<span>${score}</span>`)}</div>
      <svg class="history-plot" viewBox="0 0 ${width} 100"
        preserveAspectRatio="none" role="img" aria-label="${summaryOf({
          from,
          to,
          points,
        })}">
        <path class="grid-lines" d="${[0, 25, 50, 75, 100].map((y) =>
          `M0 ${y}H${width}`
        ).join("")}" />
        <path class="models" d="${changes.map(({ x }) => `M${x} 0V100`).join(
          "",
        )}" />
        <path class="days" d="${runs.map(pathOf).join("")}" />
        <path class="alone" d="${runs.filter(({ length }) => length === 1).map(
          pathOf,
        ).join("")}" />
        <path class="last" d="${pathOf([last])}" />
      </svg>
      <div
        class="history-days">${dayTime(from)}${dayTime(to)}</div>
    </div>
  `;
}

/** A point of the plot: `x` in days from the start, `y` in score points from the top. */
interface Place {
  readonly x: number;
  readonly y: number;
}

/** Splits points, oldest first, into runs of consecutive days. */
function runsOf(places: readonly Place[]): Place[][] {
  const runs: Place[][] = [];
  for (const place of places) {
    const run = runs.at(-1);
    if (run && run.at(-1)!.x === place.x - 1) run.push(place);
    else runs.push([place]);
  }
  return runs;
}

/** Returns a path through points. For a single point the round line ends draw a dot. */
function pathOf(run: readonly Place[]): string {
  return `M${run.map(({ x, y }) => `${x} ${y}`).join("L")}h0`;
}

function summaryOf({ from, to, points }: ScorePage["history"]): string {
  const scores = points.map(({ score }) => score);
  const last = points.at(-1)!;
  return `Headline score from ${dayWords(from)} to ${dayWords(to)}: lowest ${
    minOf(scores)
  }, highest ${maxOf(scores)}, last ${last.score} on ${dayWords(last.date)}`;
}
