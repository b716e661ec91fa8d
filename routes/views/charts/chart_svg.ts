/** Charts as SVG: as part of a page, and as a stand-alone image. */
import { html } from "hono/html";
import type { Chart } from "../../../services/charts/charts_schema.ts";
import {
  type Frame,
  type Place,
  type Plot,
  plotChart,
  valueLabelsOf,
} from "./chart_plot.ts";
import { agreementOf, noticesOf, summaryOf } from "./chart_summary.ts";
import {
  bucketsOf,
  capitalised,
  formatBucket,
  formatInstant,
  printable,
  titleOf,
  unitOf,
} from "./chart_words.ts";
import type { Html } from "../layout.ts";

/** Estimated width of a label's character, in pixels. */
const LETTER = 7;

/** Size of a picture, in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Renders a chart for a page, which provides the title and the styles. */
export function chartPicture(chart: Chart, { width, height }: Size): Html {
  const frame = frameOf(chart, {
    left: 4,
    top: 14,
    right: width - 12,
    bottom: height - 26,
  });
  return html`
    <svg class="chart" viewBox="0 0 ${width} ${height}" role="img"
      aria-label="${titleOf(chart)}. ${summaryOf(chart)}">${drawPlot(
        plotChart(chart, frame),
        frame,
      )}</svg>
  `;
}

const CARD: Size = { width: 800, height: 440 };

/** Renders a chart of one line as a stand-alone image with title, source and styles. */
export function chartDocument(chart: Chart): Html {
  const { width, height } = CARD;
  const title = titleOf(chart);
  const foot = footOf(chart);
  const footTop = height - 16 * foot.length - 4;
  const frame = frameOf(chart, {
    left: 20,
    top: 92,
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
      noticesOf(chart).join(" · "),
      115,
    )}</text>
    ${drawPlot(plotChart(chart, frame), frame)}
    ${foot.map((line, index) =>
      html`<text x="20" y="${footTop + 16 * index}">${
        cut(printable(line), 118)
      }</text>`
    )}
    </svg>
  `;
}

/** Returns the subtitle: unit, bucket width and days. */
function headOf(chart: Chart): string {
  const { name, axis, interval, lines: [line] } = chart;
  const unit = unitOf(name, line!);
  const days = axis.length === 0
    ? "no data"
    : [axis[0]!, axis.at(-1)!].map((day) => formatBucket(day, interval))
      .join(" to ");
  return `${capitalised(unit)} ${bucketsOf(chart)}, ${days}`;
}

/** Returns the footer: source, agreement with the second source, newest day. */
function footOf({ checks, lines: [line] }: Chart): string[] {
  const { source, dataThrough, fetchedAt } = line!;
  return [
    `Source: ${source}`,
    ...checks
      ? [`Checked: ${agreementOf(checks)}, against ${checks.source}`]
      : [],
    `${
      dataThrough === null ? "No complete day" : `Data through ${dataThrough}`
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

/** Reserves space on the left for the labels of the value axis. */
function frameOf(chart: Chart, frame: Frame): Frame {
  const labels = valueLabelsOf(chart, frame);
  const longest = Math.max(...labels.map(({ length }) => length));
  return { ...frame, left: frame.left + longest * LETTER + 8 };
}

function drawPlot(plot: Plot, { left, right, bottom }: Frame): Html {
  const { lines, rings, xTicks, yTicks } = plot;
  return html`<g aria-hidden="true">
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
</g>${
    lines.map(({ solid, dashed, provisional }, index) =>
      html`
        <g
          class="series-${index +
            1}"><path class="line line-incomplete" d="${dashed}"/><path class="line" d="${solid}"/>${provisional
            .map(({ x, y }) =>
              html`
                <circle class="provisional" cx="${x}" cy="${y}" r="3.5" />
              `
            )}</g>
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

/** The site's colours. A stand-alone image cannot use the site's stylesheet. */
const STYLE = colours({
  ground: "#fff",
  edge: "#dbe4ea",
  ink: "#13202a",
  soft: "#586874",
  line: "#0a6c96",
  bad: "#ab2219",
  warn: "#7d5200",
}) + `@media (prefers-color-scheme:dark){${
  colours({
    ground: "#121b22",
    edge: "#22303a",
    ink: "#e4ecf1",
    soft: "#8d9eaa",
    line: "#6fc4e8",
    bad: "#f49a91",
    warn: "#e2b455",
  })
}}` +
  `text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif;font-variant-numeric:tabular-nums}
.title{font-size:18px;font-weight:650}
.line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
.line-incomplete{stroke-dasharray:4 4;stroke-opacity:.7}
.provisional,.disputed{stroke-width:2}`;

function colours(
  { ground, edge, ink, soft, line, bad, warn }: Readonly<
    Record<string, string>
  >,
): string {
  return `.ground{fill:${ground};stroke:${edge}}text{fill:${soft}}.title{fill:${ink}}` +
    `.notices{fill:${warn}}.grid-line,.tick{stroke:${edge}}.line,.provisional{stroke:${line}}` +
    `.provisional{fill:${ground}}.disputed{fill:none;stroke:${bad}}`;
}
