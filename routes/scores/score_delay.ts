/** The notice of a score page without a current score, and when the page is loaded again. */
import { html } from "hono/html";
import type { ScorePage } from "../../services/scores/public_scores_schema.ts";
import { dayTime } from "../pages/dates.ts";
import type { Html } from "../pages/layout.ts";
import { OBSTACLE_WORDS } from "./score_words.ts";

/** Renders why the score is not current; nothing if it is. `score_delay.js` loads the page again. */
export function delayNotice(
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
