/** The badge section of a score page, with the code to embed the badge. */
import { html } from "hono/html";
import type { Headline } from "../../services/scores/public_scores_schema.ts";
import type { Html } from "../pages/layout.ts";

/**
 * Renders the badge and its code as Markdown, HTML and URL. The image is left out
 * while there is no score: the browser would keep the grey badge for five minutes,
 * and show it beside the score.
 */
export function badgeSection(
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
  ];
  return html`
    <section class="stack" aria-labelledby="badge">
      <h2 id="badge">Badge</h2>
      ${headline === null
        ? html`
          <p class="muted">The badge says “unrated” until the address has a score.</p>
        `
        : html`
          <p
            class="badges"><img src="${path}" height="20" alt="Firn tier: ${headline
              .tierLabel}">
          <img src="${path}?metric=score" height="20" alt="Firn score: ${headline
            .score}"></p>
        `}
      <p
        class="prose">The image updates with the score. Use <code>metric=tier|score|human</code> to choose
    the value, <code>style=flat|flat-square|for-the-badge</code> to choose the style, and
    <code>label=</code> to set the text on the left.</p>
      <div class="tabs badge-code" data-label="Badge code">${alternatives
        .map((
          [name, code],
        ) =>
          html`
            <section>
              <h3>${name}</h3>
              <div
                class="code-block"><pre tabindex="0"><code>${code}</code></pre><button class="copy" type="button" hidden>Copy</button></div>
            </section>
          `
        )}</div>
    </section>
  `;
}
