/** The score page of an address. */
import { html } from "hono/html";
import type { ScorePage } from "../../services/scores/public_scores_schema.ts";
import { shortAddress } from "../pages/short_address.ts";
import type { ScoreRead } from "../../services/model/scores_schema.ts";
import { dayWords } from "../pages/dates.ts";
import type { Html, Page } from "../pages/layout.ts";
import { FOLLOW_ASSETS } from "../profiles/follow_bar.ts";
import { badgeSection } from "./score_badge_code.ts";
import {
  confidenceCard,
  graphCard,
  heroCard,
  humanCard,
} from "./score_parts.ts";
import { delayNotice } from "./score_delay.ts";
import { historySection } from "./score_history.ts";
import { reasonGroups } from "./score_reasons.ts";
import { nextSteps, type Offers } from "./score_steps.ts";
import { searchBox } from "./score_search.ts";
import { SIGNAL_WORDS } from "./score_words.ts";

/** Renders the page. Links in code samples start with the public URL. */
export function scorePage(
  page: ScorePage,
  { publicUrl, offers, follow }: {
    readonly publicUrl: string;
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
${follow}
${delayNotice(page)}
</div>
${
      read
        ? html`
          <div class="stack">${heroCard(read, page.standing)}${nextNotice(read)}
          <div class="grid score-parts">${confidenceCard(read)}${graphCard(
            read,
          )}${humanCard(read)}</div></div>
          <section class="stack"
            aria-labelledby="reasons"><h2 id="reasons">Reasons</h2>${reasonGroups(
              read.explanation.reasons,
              page.figures,
            )}</section>
          ${nextSteps(read, offers)}
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

/** Renders the link from a score to the profile, or to claiming it. */
export function profileLink({ address, profile }: ScorePage): Html {
  return html`<a class="button" href="/profiles/${address}">${
    profile === null ? "Is this yours? Claim it" : "Profile and follows"
  }</a>`;
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
