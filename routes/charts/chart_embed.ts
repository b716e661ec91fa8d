/** Charts as pages for frames of other sites: no scripts, nothing to load. */
import { html, raw } from "hono/html";
import type { Chart, Theme } from "../../services/charts/charts_schema.ts";
import { groupByAxis } from "../../services/charts/value_axis.ts";
import { EMBED_STYLES, STYLES } from "./chart_styles.ts";
import { chartPicture, wordsAround } from "./chart_svg.ts";
import { printable } from "../pages/drawable_names.ts";
import { type Html, simulatedWords } from "../pages/layout.ts";
import { unbroken } from "../pages/unbroken.ts";

/** Sizes of the picture before it is fitted: in a wide frame, and in a narrow one. */
const WIDE = { width: 800, height: 300 };
const NARROW = { width: 360, height: 260 };

/** Renders the page of a chart. `explorer` is the absolute URL of the same view in the explorer. */
export function chartEmbed(
  chart: Chart,
  { theme = "auto", explorer, notes = [] }: {
    readonly theme?: Theme | undefined;
    /** What the reader must know besides what the chart says. */
    readonly notes?: readonly string[];
    readonly explorer: string;
  },
): Html {
  const { title, head, notices, changes, source } = wordsAround(chart, notes);
  const kind = groupByAxis(chart).length > 1 ? " is-apart" : "";
  return embedPage({
    title,
    theme,
    canonical: explorer,
    body: html`
      <h1>${unbroken(title)}</h1>
      <p>${unbroken(head)}</p>
      ${notices.length === 0
        ? ""
        : html`<p class="notices">${notices.join(" · ")}</p>`}
      ${chart.axis.length === 0
        ? html`<p>There are no values for these days.</p>`
        : html`
          <div class="plot wide${kind}">${chartPicture(chart, WIDE)}</div>
          <div class="plot narrow${kind}">${chartPicture(chart, NARROW, {
            isNamed: true,
          })}</div>
        `}
      ${changes.map((words) => html`<p>${words}</p>`)}
      <footer><p>${unbroken(printable(source.join(". ")))}</p>
        ${outward(explorer, "Open in the explorer")}</footer>
    `,
  });
}

/** Renders the page of a chart that cannot be drawn. */
export function embedOfError(
  { message, publicUrl }: {
    readonly message: string;
    readonly publicUrl: string;
  },
): Html {
  return embedPage({
    title: "This chart cannot be drawn",
    theme: "auto",
    body: html`
      <h1>This chart cannot be drawn</h1>
      <p>${printable(message)}</p>
      <footer>${outward(`${publicUrl}/`, "Open the explorer")}</footer>
    `,
  });
}

/** Renders a link that leaves the frame. */
function outward(url: string, text: string): Html {
  return html`<a href="${url}" target="_blank" rel="noopener">${text}</a>`;
}

function embedPage({ title, theme, canonical, body }: {
  readonly title: string;
  readonly theme: Theme;
  readonly canonical?: string;
  readonly body: Html;
}): Html {
  return html`
    <!DOCTYPE html>
    <html lang="en">
      <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${title} · Firn</title>
    ${canonical === undefined
      ? ""
      : html`<link rel="canonical" href="${canonical}">`}
    <style>${raw(STYLES[theme] + EMBED_STYLES[theme])}</style>
      </head>
      <body>
        <main>${simulatedWords() === ""
          ? ""
          : html`<p class="notices">${simulatedWords()}</p>`} ${body}</main>
      </body>
    </html>
  `;
}
