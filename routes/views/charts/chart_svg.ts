/** Charts as SVG: as part of a page, and as a stand-alone image. */
import { html } from "hono/html";
import type { Chart } from "../../../services/charts/charts_schema.ts";
import { layOutPanels, type Panel, plotHeightOf } from "./chart_panels.ts";
import type { Place } from "./line_path.ts";
import { agreementOf, noticesOf, summaryOf } from "./chart_summary.ts";
import {
  formatBucket,
  formatInstant,
  printable,
  titleOf,
} from "./chart_words.ts";
import { describeChanges } from "./chart_changes.ts";
import { describeDrawn, describeLimits } from "./chart_view_words.ts";
import type { Html } from "../layout.ts";

/** Size of a picture, in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Renders a chart for a page, which provides the title and the styles. */
export function chartPicture(chart: Chart, size: Size): Html {
  const { width } = size;
  const height = plotHeightOf(chart, size);
  const panels = layOutPanels(chart, {
    left: 4,
    top: height === size.height ? 14 : 0,
    right: width - 12,
    bottom: height - 26,
  });
  return html`
    <svg class="chart" viewBox="0 0 ${width} ${height}" role="img"
      aria-label="${titleOf(chart)}. ${summaryOf(chart)}">${panels.map(
        drawPanel,
      )}</svg>
  `;
}

const CARD: Size = { width: 800, height: 440 };

/** Top of the plot below the title, in pixels. */
const TOP = 92;

/** Renders a chart as a stand-alone image with title, source and styles. */
export function chartDocument(chart: Chart): Html {
  const { width } = CARD;
  const title = titleOf(chart);
  const changes = changesOf(chart);
  const foot = [...changes, ...footOf(chart)];
  const around = TOP + 42 + 16 * foot.length + 4;
  // The line of changes makes the picture higher, not the plot lower.
  const box = {
    width: width - 44,
    height: CARD.height + 16 * changes.length - around,
  };
  const height = around + plotHeightOf(chart, box);
  const footTop = height - 16 * foot.length - 4;
  const notices = [...describeLimits(chart), ...noticesOf(chart)];
  const panels = layOutPanels(chart, {
    left: 20,
    top: TOP,
    right: width - 24,
    bottom: footTop - 42,
  });
  return html`
    <svg xmlns="http://www.w3.org/2000/svg" class="chart" width="${width}"
      height="${height}" viewBox="0 0 ${width} ${height}" role="img"
      aria-labelledby="title" aria-describedby="summary">
    <title id="title">${title}</title>
    <desc id="summary">${summaryOf(chart)}</desc>
    <style>${STYLE}</style>
    <rect class="ground" x=".5" y=".5" width="${width - 1}" height="${height -
      1}" rx="8"/>
    <text class="title" x="20" y="34">${cut(title, 70)}</text>
    <text x="20" y="56">${cut(headOf(chart), 115)}</text>
    <text class="notices" x="20" y="75">${cut(
      notices.join(" · "),
      115,
    )}</text>
    ${panels.map(drawPanel)}
    ${foot.map((line, index) =>
      html`<text x="20" y="${footTop + 16 * index}">${
        cut(printable(line), 118)
      }</text>`
    )}
    </svg>
  `;
}

/** Returns the subtitle: what is drawn, and of which days. */
function headOf(chart: Chart): string {
  const { axis, interval } = chart;
  const days = axis.length === 0
    ? "no data"
    : [axis[0]!, axis.at(-1)!].map((day) => formatBucket(day, interval))
      .join(" to ");
  return `${describeDrawn(chart)}, ${days}`;
}

/** Returns the line with the changes of a single series; none for a comparison. */
function changesOf(chart: Chart): string[] {
  const [line, ...others] = chart.lines;
  const words = others.length > 0 ? "" : describeChanges(chart, line!);
  return words === "" ? [] : [words];
}

/** Returns the footer: source, agreement with the second source, newest day. */
function footOf({ checks, lines }: Chart): string[] {
  const sources = [...new Set(lines.map(({ source }) => source))];
  const through = lines.map(({ dataThrough }) => dataThrough)
    .reduce((a, b) => a === null || b === null ? null : a < b ? a : b);
  const fetchedAt = lines.map((line) => line.fetchedAt)
    .reduce((a, b) => a < b ? a : b);
  return [
    `Source: ${sources.join("; ")}`,
    ...checks
      ? [`Checked: ${agreementOf(checks)}, against ${checks.source}`]
      : [],
    `${
      through === null ? "No complete day" : `Data through ${through}`
    }, read ${formatInstant(fetchedAt)}, by Firn`,
  ];
}

/** Renders an error as an image. */
export function chartOfError(
  { status, message }: { readonly status: number; readonly message: string },
): Html {
  const lines = wrap(printable(message), 100).slice(0, 8);
  const height = 96 + 18 * lines.length;
  const { width } = CARD;
  return html`
    <svg xmlns="http://www.w3.org/2000/svg" class="chart" width="${width}"
      height="${height}" viewBox="0 0 ${width} ${height}" role="img"
      aria-labelledby="title" aria-describedby="summary">
    <title id="title">This chart cannot be drawn</title>
    <desc id="summary">${printable(message)}</desc>
    <style>${STYLE}</style>
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

function drawPanel({ plot, frame, title, lines, labels }: Panel): Html {
  const { left, top, right, bottom } = frame;
  const { rings, upgrades, xTicks, yTicks } = plot;
  return html`<g aria-hidden="true">${
    title === null
      ? ""
      : html`<text class="panel-title" x="${left}" y="${
        top - 8
      }">${title}</text>`
  }
<path class="grid-line" d="${
    yTicks.map(({ y }) => `M${left} ${y}H${right}`).join("")
  }"/>
${
    yTicks.map(({ y, label }) =>
      html`<text x="${left - 8}" y="${y + 4}" text-anchor="end">${label}</text>`
    )
  }
<path class="tick" d="${xTicks.map(({ x }) => `M${x} ${bottom}v5`).join("")}"/>
${
    xTicks.map(({ x, label }) =>
      html`<text x="${clamp(x, left + 16, right - 18)}" y="${
        bottom + 20
      }" text-anchor="middle">${label}</text>`
    )
  }
${
    upgrades.map(({ x, name, isNamed }) =>
      html`
        <path class="upgrade" d="M${x} ${top}V${bottom}">
          <title>${name}</title>
        </path>${isNamed && title === null
          ? html`<text class="upgrade-name" x="${x + 4}" y="${
            top + 10
          }">${name}</text>`
          : ""}
      `
    )
  }
</g>${
    plot.lines.map(({ solid, dashed, provisional }, index) =>
      html`
        <g
          class="series-${lines[index]! +
            1}"><path class="line line-incomplete" d="${dashed}"/><path class="line" d="${solid}"/>${provisional
            .map(({ x, y }) =>
              html`
                <circle class="provisional" cx="${x}" cy="${y}" r="3.5" />
              `
            )}</g>
      `
    )
  }${
    labels.map(({ line, x, y, text }) =>
      html`
        <text class="line-label series-${line + 1}" x="${x}" y="${y + 4}"
          aria-hidden="true">${text}</text>
      `
    )
  }${rings.map(drawRing)}`;
}

function drawRing({ x, y, words }: Place & { readonly words: string }): Html {
  return html`
    <circle class="disputed" cx="${x}" cy="${y}" r="5.5">
      <title>${words}</title>
    </circle>
  `;
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

function cut(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most
    ? text
    : `${letters.slice(0, most - 1).join("").trimEnd()}…`;
}

/** Wraps a text at words, and inside a word that is longer than a line. */
function wrap(text: string, most: number): string[] {
  return text.match(new RegExp(`\\S{${most}}|.{1,${most}}(?=\\s|$)`, "gu"))
    ?.map((line) => line.trim()) ?? [];
}

/** The colours of the lines, light and dark, as in static/firn.css. */
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

/** The site's colours. A stand-alone image cannot use the site's stylesheet. */
const STYLE = colours({
  ground: "#fff",
  edge: "#dbe4ea",
  ink: "#13202a",
  soft: "#586874",
  bad: "#ab2219",
  warn: "#7d5200",
}, SERIES.map(([light]) => light)) +
  `@media (prefers-color-scheme:dark){${
    colours({
      ground: "#121b22",
      edge: "#22303a",
      ink: "#e4ecf1",
      soft: "#8d9eaa",
      bad: "#f49a91",
      warn: "#e2b455",
    }, SERIES.map(([, dark]) => dark))
  }}` +
  `text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif;font-variant-numeric:tabular-nums}
.title{font-size:18px;font-weight:650}.line-label,.panel-title{font-weight:600}
.line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
.line-incomplete{stroke-dasharray:4 4;stroke-opacity:.7}
.upgrade{stroke-dasharray:2 3}.upgrade-name{font-size:11px}
.provisional,.disputed{stroke-width:2}`;

function colours(
  { ground, edge, ink, soft, bad, warn }: Readonly<Record<string, string>>,
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
    `.provisional{fill:${ground}}.disputed{fill:none;stroke:${bad}}`;
}
