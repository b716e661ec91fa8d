/** The score page of an address. */
import { html } from "hono/html";
import type { ScorePage } from "../../../services/scores/public_scores_schema.ts";
import type { ScoreRead } from "../../../services/scores/model/scores_schema.ts";
import type { Html, Page } from "../layout.ts";
import { badgeSection } from "./score_badge_code.ts";
import { historyPicture } from "./score_charts.ts";
import {
  confidenceCard,
  graphCard,
  heroCard,
  humanCard,
  reasonsList,
} from "./score_parts.ts";
import { searchBox } from "./score_search.ts";
import { OBSTACLE_WORDS, SIGNAL_WORDS } from "./score_words.ts";

/** Renders the page. Links in code samples start with the public URL. */
export function scorePage(
  page: ScorePage,
  { publicUrl }: { readonly publicUrl: string },
): Page {
  const { address, read, last, profile } = page;
  const headline = read?.headline ?? last;
  const name = profile?.displayName ??
    `${address.slice(0, 6)}…${address.slice(-4)}`;
  return {
    title: headline
      ? `${name}: ${headline.score}, ${headline.tierLabel}`
      : `${name}: unrated`,
    description: read?.explanation.summary ??
      `The reputation of the Avalanche C-Chain address ${address}.`,
    nav: "score",
    url: `${publicUrl}/tools/score/${address}`,
    // Owners who claimed a profile expect to be found; other addresses are not indexed.
    isIndexed: profile !== null,
    styles: ["score.css"],
    modules: ["copy.js", "tabs.js"],
    body: html`<div class="stack stack-large">
<div class="stack">
${heading(page)}
<p><a class="button" href="/profiles/${address}">${
      profile === null
        ? "Is this yours? Claim it"
        : "Profile, followers and following"
    }</a></p>
${notice(page)}
</div>
${
      read
        ? html`
          <div class="stack">${heroCard(read)}${nextNotice(read)}
          <div class="grid">${confidenceCard(read)}${graphCard(
            read,
          )}${humanCard(read)}</div></div>
          <section class="stack"
            aria-labelledby="reasons"><h2 id="reasons">Reasons</h2>${reasonsList(
              read.explanation.reasons,
            )}</section>
        `
        : ""
    }
${historySection(page)}
${badgeSection({ address, publicUrl, headline })}
<section class="stack" aria-labelledby="another"><h2 id="another">Score another address</h2>${searchBox()}</section>
${read ? footnote(read, page) : ""}
</div>`,
  };
}

function heading({ address, profile }: ScorePage): Html {
  return profile?.displayName
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
}

/** Renders why the score is not current; nothing if it is. */
function notice({ read, obstacle, last }: ScorePage): Html | "" {
  if (obstacle === null) return "";
  if (read) {
    return html`<p class="notice notice-warn">This score uses on-chain data
that is more than a day old. ${OBSTACLE_WORDS[obstacle]}</p>`;
  }
  return html`<div class="card stack stack-small">
<h2>${last ? "No current score" : "Not scored yet"}</h2>
<p>${OBSTACLE_WORDS[obstacle]}</p>
${
    last
      ? html`<p>Last score: ${last.score}, ${last.tierLabel}, on <time>${last.date}</time>.</p>`
      : ""
  }
<p><a class="button" href="">Try again</a></p>
</div>`;
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

function historySection({ history }: ScorePage): Html {
  const { points } = history;
  return html`<section class="stack" aria-labelledby="history">
<h2 id="history">Last 90 days</h2>
${
    points.length === 0
      ? html`
        <p
          class="muted">No scores recorded yet. Each day on which the score is read adds one.</p>
      `
      : html`<figure class="card stack stack-small">${historyPicture(history)}
<figcaption class="small muted">The last headline score of each UTC day. ${
        points.length === 1
          ? "One day so far."
          : `${points.length} days have a score. The score was not read on the other days.`
      }</figcaption>
<details><summary>Show as a table</summary>
<div class="table-scroll" tabindex="0" role="region" aria-label="Headline score by day"><table>
<thead><tr><th scope="col">Day</th><th scope="col" class="num">Score</th></tr></thead>
<tbody>${
        points.toReversed().map(({ date, score }) =>
          html`
            <tr>
              <th scope="row"><time>${date}</time></th>
              <td class="num">${score}</td>
            </tr>
          `
        )
      }</tbody></table></div></details></figure>`
  }
</section>`;
}

function footnote(read: ScoreRead, { signals }: ScorePage): Html {
  const { fetchedAt, model } = read;
  return html`<p class="small muted">Model ${model}, computed <time
datetime="${fetchedAt}">${fetchedAt.slice(0, 16).replace("T", " ")} UTC</time>
from on-chain data ${SIGNAL_WORDS[signals]}. Available by API:
<code>GET /api/v1/score/…</code>, see <a href="/docs">the documentation</a>.</p>`;
}
