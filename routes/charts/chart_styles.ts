/** The look of stand-alone charts, which cannot use the site's stylesheet: colours, size, and how much text fits. */
import type { Theme } from "../../services/charts/charts_schema.ts";

/** The colours of the lines, light and dark, as in static/styles/firn/tokens.css. */
const SERIES: readonly (readonly [light: string, dark: string])[] = [
  ["#0a6c96", "#6fc4e8"],
  ["#b6450a", "#f59a5b"],
  ["#17714a", "#5fcf9b"],
  ["#7a3fb5", "#c39bf0"],
  ["#8a6400", "#e3bf5c"],
  ["#a8326f", "#f08fbd"],
  ["#3f4fb8", "#9fabf5"],
  ["#00737a", "#56cfd2"],
  ["#9c3a2b", "#ef9484"],
  ["#56652a", "#b3c76b"],
];

/** The site's colours. */
const LIGHT_COLOURS = {
  ground: "#fff",
  edge: "#dbe4ea",
  ink: "#13202a",
  soft: "#586874",
  differ: "#7a3fb5",
  warn: "#7d5200",
  link: "#0a6c96",
};
const DARK_COLOURS: typeof LIGHT_COLOURS = {
  ground: "#121b22",
  edge: "#22303a",
  ink: "#e4ecf1",
  soft: "#8d9eaa",
  differ: "#c39bf0",
  warn: "#e2b455",
  link: "#6fc4e8",
};
const LIGHT = colours(LIGHT_COLOURS, SERIES.map(([light]) => light));
const DARK = colours(DARK_COLOURS, SERIES.map(([, dark]) => dark));

const SHAPES =
  `text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif;font-variant-numeric:tabular-nums}
.title{font-size:18px;font-weight:650}.line-label,.panel-title{font-weight:600}
.line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
.line-incomplete{stroke-dasharray:4 4;stroke-opacity:.7}
.line-alone{stroke-width:5}.line-second{fill:none;stroke-width:1}
.upgrade{stroke-dasharray:2 3}.upgrade-name,.axis-note{font-size:11px}
.provisional{stroke-width:1.5}.disputed{stroke-width:2}`;

/** The styles of each theme. */
export const STYLES = byTheme(LIGHT, DARK, SHAPES);

/** The layout of an embed: the picture takes the height that the words leave. */
const EMBED_SHAPES =
  `*{box-sizing:border-box;margin:0}main{display:flex;flex-direction:column;gap:4px;min-height:100vh;padding:12px 16px;font:13px/1.4 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif;overflow-wrap:anywhere}
h1{font-size:17px;line-height:1.25}.nowrap{white-space:nowrap}.plot{flex:1 1 0;min-height:200px;display:flex}.plot svg{width:100%;height:100%}
.is-apart{flex:none}.is-apart svg{height:auto}.narrow{display:none}
footer{display:flex;flex-wrap:wrap;gap:0 16px;justify-content:space-between;align-items:baseline}a{display:inline-block;padding:4px 0;font-weight:600}
@media(max-width:34rem){.wide{display:none}.narrow{display:flex}}`;

/** The styles of an embed's words, besides those of its chart. */
export const EMBED_STYLES = byTheme(
  wordColours(LIGHT_COLOURS, "light"),
  wordColours(DARK_COLOURS, "dark"),
  EMBED_SHAPES,
);

function byTheme(
  light: string,
  dark: string,
  shapes: string,
): Readonly<Record<Theme, string>> {
  return {
    auto: `${light}@media (prefers-color-scheme:dark){${dark}}${shapes}`,
    light: light + shapes,
    dark: dark + shapes,
  };
}

function wordColours(
  { ground, ink, soft, warn, link }: typeof LIGHT_COLOURS,
  scheme: string,
): string {
  return `:root{color-scheme:${scheme}}body{background:${ground};color:${soft}}h1{color:${ink}}.notices{color:${warn}}a{color:${link}}`;
}

function colours(
  { ground, edge, ink, soft, differ, warn }: typeof LIGHT_COLOURS,
  series: readonly string[],
): string {
  return `.ground{fill:${ground};stroke:${edge}}text{fill:${soft}}.title,.panel-title{fill:${ink}}` +
    `.notices{fill:${warn}}.grid-line,.tick{stroke:${edge}}.upgrade{stroke:${soft}}` +
    series.map((colour, index) =>
      `.series-${index + 1} .line,.series-${
        index + 1
      } .provisional{stroke:${colour}}.line-label.series-${
        index + 1
      }{fill:${colour}}`
    ).join("") +
    `.provisional{fill:${ground}}.disputed{fill:none;stroke:${differ}}.line-second{stroke:${differ}}.revised{fill:${warn};stroke:${ground}}`;
}

/** How a stand-alone image is drawn. */
export interface ChartLook {
  readonly theme?: Theme | undefined;
  /** In pixels. */
  readonly width?: number | undefined;
}

/** Usual size in pixels. */
export const CARD = { width: 800, height: 440 };

/** Distance of the texts from both edges together, in pixels. */
const MARGINS = 44;

/** Mean widths of a character of a text and of a title, in pixels. */
const TEXT_LETTER = 6.5;
export const TITLE_LETTER = 10.6;

/** Returns how many letters fit into a line. */
export function lettersOf(width: number, letter = TEXT_LETTER): number {
  return Math.floor((width - MARGINS) / letter);
}

/** Shortens a text. */
export function cut(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most
    ? text
    : `${letters.slice(0, most - 1).join("").trimEnd()}…`;
}

/** Lines that a text above a chart takes at most. */
const MAX_LINES = 4;

/** Wraps a text around a chart, and shortens it. An empty text keeps its line. */
export function wrapped(text: string, most: number): string[] {
  const lines = text === "" ? [""] : wrap(text, most);
  const rest = lines.slice(MAX_LINES - 1).join(" ");
  return lines.length <= MAX_LINES
    ? lines
    : [...lines.slice(0, MAX_LINES - 1), cut(rest, most)];
}

/** Wraps a text at words, and inside a word that is longer than a line. */
export function wrap(text: string, most: number): string[] {
  return text.match(new RegExp(`\\S{${most}}|.{1,${most}}(?=\\s|$)`, "gu"))
    ?.map((line) => line.trim()) ?? [];
}
