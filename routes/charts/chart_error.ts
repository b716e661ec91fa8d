/** An error as an image. */
import { html } from "hono/html";
import { CARD, type ChartLook, lettersOf, wrap } from "./chart_card.ts";
import { STYLES } from "./chart_styles.ts";
import { printable } from "../pages/drawable_names.ts";
import type { Html } from "../pages/layout.ts";

/** Lines of a message that a page may quote from a long request. */
const MAX_LINES = 12;

/** Renders an error as an image. */
export function chartOfError(
  { status, message }: { readonly status: number; readonly message: string },
  { theme = "auto", width = CARD.width }: ChartLook = {},
): Html {
  const lines = wrap(printable(message), lettersOf(width)).slice(0, MAX_LINES);
  const height = 96 + 18 * lines.length;
  return html`
    <svg xmlns="http://www.w3.org/2000/svg" class="chart" width="${width}"
      height="${height}" viewBox="0 0 ${width} ${height}" role="img"
      aria-labelledby="title" aria-describedby="summary">
    <title id="title">This chart cannot be drawn</title>
    <desc id="summary">${printable(message)}</desc>
    <style>${STYLES[theme]}</style>
    <rect class="ground" x=".5" y=".5" width="${width - 1}" height="${height -
      1}" rx="8"/>
    <text class="title" x="20" y="38">This chart cannot be drawn</text>
    ${lines.map((line, index) =>
      html`<text x="20" y="${66 + 18 * index}">${line}</text>`
    )}
    <text x="20" y="${height - 18}">Firn, status ${status}</text>
    </svg>
  `;
}
