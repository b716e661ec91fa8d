/** How a page is cited. */
import { html } from "hono/html";
import type { Citation } from "../../services/downloads/citation.ts";
import type { Html } from "../pages/layout.ts";

/** Renders a citation as text and as BibTeX, folded. */
export function citationBlock({ text, bibtex }: Citation): Html {
  return html`
    <details class="stack stack-small">
      <summary>Cite this</summary>
      <p class="prose break-anywhere">${text}</p>
      <div
        class="code-block"><pre tabindex="0" role="region" aria-label="BibTeX"><code>${bibtex}</code></pre><button class="copy" type="button" hidden>Copy</button></div>
    </details>
  `;
}
