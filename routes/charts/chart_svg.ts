/** Charts as SVG: as part of a page, as a stand-alone image with its own styles, and as a page for frames of other sites. */
import { html, raw } from "hono/html";
import { datesOf } from "../../services/charts/across_chains.ts";
import type {
  Chart,
  ChartLine,
  ChartPoint,
  Theme,
} from "../../services/charts/charts_schema.ts";
import { groupByAxis } from "../../services/charts/value_axis.ts";
import {
  cut,
  CUT_AXIS,
  layOutPanels,
  type Panel,
  type Place,
  plotHeightOf,
} from "./chart_panels.ts";
import {
  comparedDays,
  describeChanges,
  describeDrawn,
  describeLimits,
  describeMissing,
  extremesOf,
  formatBucket,
  formatPct,
  formatShare,
  formatValue,
  isDisputed,
  isRevised,
  titleOf,
  unitOf,
} from "./chart_words.ts";
import { printable } from "../pages/drawable_names.ts";
import { formatInstant } from "../pages/dates.ts";
import { type Html, simulatedWords } from "../pages/layout.ts";
import type { Checks } from "../../services/chain_data/checks/checked_series_schema.ts";
import { daysAcross, round } from "./day_axis.ts";
import { maxOf } from "../../services/platform/numbers.ts";
import {
  countDrawn,
  countMarked,
  hasSecond,
  isUnfinished,
  secondValueOf,
} from "../../services/charts/marks.ts";
import { unbroken } from "../pages/unbroken.ts";

/** Size of a picture, in pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Renders a chart for a page, which provides the title and the styles, and the names
 * of the lines unless the picture is named.
 */
export function chartPicture(
  chart: Chart,
  size: Size,
  naming: Parameters<typeof layOutPanels>[2] = { isNamed: false },
): Html {
  const { width } = size;
  const [left, right] = [4, width - 12];
  const box = { width: right - left, height: size.height };
  const height = plotHeightOf(chart, box, naming);
  const panels = layOutPanels(chart, {
    left,
    top: groupByAxis(chart).length === 1 ? 14 : 0,
    right,
    bottom: height - 26,
  }, naming);
  return html`
    <svg class="chart" viewBox="0 0 ${width} ${height}" role="img"
      aria-label="${titleOf(chart)}. ${summaryOf(chart)}">${panels.map(
        drawPanel,
      )}${panels.map(drawArea)}</svg>
  `;
}

/** Heights of a line of text and of the title, in pixels. */
const LINE = 16;
const TITLE_LINE = 22;

/** Renders a chart as a stand-alone image with title, source and styles. */
export function chartDocument(
  chart: Chart,
  { theme = "auto", width = CARD.width }: ChartLook = {},
  notes: readonly string[] = [],
): Html {
  const letters = lettersOf(width);
  const { title, head, notices, changes, source } = wordsAround(chart, notes);
  const heads = wrapped(head, letters);
  const noted = wrapped(notices.join(" · "), letters);
  const titles = wrapped(title, lettersOf(width, TITLE_LETTER));
  const foot = [...changes, ...source]
    .flatMap((line) => wrapped(printable(line), letters));
  const headTop = 56 + TITLE_LINE * (titles.length - 1);
  const top = headTop + 36 +
    LINE * (heads.length - 1 + noted.length - 1);
  const around = top + 42 + LINE * foot.length + 4;
  // More lines of text make the picture higher, not the plot lower.
  const box = {
    width: width - 44,
    height: CARD.height - 138 - LINE * source.length,
  };
  const naming = { isNamed: true };
  const height = around + plotHeightOf(chart, box, naming);
  const footTop = height - LINE * foot.length - 4;
  const panels = layOutPanels(chart, {
    left: 20,
    top,
    right: width - 24,
    bottom: footTop - 42,
  }, naming);
  return html`
    <svg xmlns="http://www.w3.org/2000/svg" class="chart" width="${width}"
      height="${height}" viewBox="0 0 ${width} ${height}" role="img"
      aria-labelledby="title" aria-describedby="summary">
    <title id="title">${title}</title>
    <desc id="summary">${summaryOf(chart)}</desc>
    <style>${STYLES[theme]}</style>
    <rect class="ground" x=".5" y=".5" width="${width - 1}" height="${height -
      1}" rx="8"/>
    ${titles.map((line, index) =>
      html`<text class="title" x="20" y="${
        34 + TITLE_LINE * index
      }">${line}</text>`
    )}
    ${heads.map((line, index) =>
      html`<text x="20" y="${headTop + LINE * index}">${line}</text>`
    )}
    ${noted.map((line, index) =>
      html`<text class="notices" x="20" y="${
        headTop + 19 + LINE * (heads.length - 1 + index)
      }">${line}</text>`
    )}
    ${panels.map(drawPanel)}
    ${foot.map((line, index) =>
      html`<text x="20" y="${footTop + LINE * index}">${line}</text>`
    )}
    </svg>
  `;
}

/** Returns the words above and below a chart, in lines. */
function wordsAround(chart: Chart, notes: readonly string[] = []) {
  return {
    title: titleOf(chart),
    head: headOf(chart),
    notices: [
      ...notes.map(printable),
      ...describeMissing(chart),
      ...describeLimits(chart),
      ...noticesOf(chart),
    ],
    changes: changesOf(chart),
    source: footOf(chart),
  };
}

/** Returns the subtitle: the drawn values and their days. */
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
function footOf(chart: Chart): string[] {
  const { checks, lines } = chart;
  const sources = [...new Set(lines.map(({ source }) => source))];
  const { dataThrough, fetchedAt } = datesOf(lines);
  return [
    `Source: ${sources.join("; ")}`,
    ...checks
      ? [
        `Checked: ${agreementOf(checks)}, against ${checks.source}${
          hasSecond(chart) ? ", the thin line" : ""
        }`,
      ]
      : [],
    `${
      dataThrough === null ? "No complete day" : `Data through ${dataThrough}`
    }, read ${formatInstant(fetchedAt)}, by Firn`,
  ];
}

function drawPanel({ plot, frame, title, lines, labels }: Panel): Html {
  const { left, top, right, bottom } = frame;
  const { rings, upgrades, xTicks, yTicks } = plot;
  return html`<g aria-hidden="true">${
    title === null ? "" : html`
      <text class="panel-title" x="${left}" y="${top - 8}">${title}</text>
    `
  }
<path class="grid-line" d="${
    yTicks.map(({ y }) => `M${left} ${y}H${right}`).join("")
  }"/>
${
    yTicks.map(({ y, label }) =>
      html`<text x="${left - 8}" y="${y + 4}" text-anchor="end">${label}</text>`
    )
  }
${
    plot.isCut
      ? html`
        <text class="axis-note" x="${left - 14}" y="${bottom + 20}"
          text-anchor="end">${CUT_AXIS}</text>
      `
      : ""
  }<path class="tick" d="${
    xTicks.map(({ x }) => `M${x} ${bottom}v5`).join("")
  }"/>
${
    xTicks.map(({ labelX, label }) =>
      html`<text x="${labelX}" y="${
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
    plot.lines.map((
      { solid, alone, dashed, provisional, revised, second },
      index,
    ) =>
      html`
        <g
          class="series-${lines[index]! +
            1}"><path class="line line-incomplete" d="${dashed}"/><path class="line" d="${solid}"/>${alone ===
              ""
            ? ""
            : html`
              <path class="line line-alone" d="${alone}" />
            `}${provisional
            .map(({ x, y }) =>
              html`
                <circle class="provisional" cx="${x}" cy="${y}" r="3.5" />
              `
            )}${revised === "" ? "" : html`
            <path class="revised" d="${revised}" />
          `}${second === "" ? "" : html`
            <path class="line-second" d="${second}" />
          `}</g>
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

/** Says where a plot is, and which values are at its bottom and at its top. */
function drawArea({ frame, plot }: Panel): Html {
  const { left, top, right, bottom } = frame;
  return html`
    <rect class="panel-area" fill="none" x="${left}" y="${top}"
      width="${right - left}" height="${bottom - top}"
      data-extent="${plot.extent.join(" ")}" />
  `;
}

function drawRing({ x, y, words }: Place & { readonly words: string }): Html {
  return html`
    <circle class="disputed" cx="${x}" cy="${y}" r="5.5">
      <title>${words}</title>
    </circle>
  `;
}

/** Describes a chart for screen readers. */
export function summaryOf(chart: Chart): string {
  return [
    ...chart.lines.map((line) => rangeOf(chart, line)),
    ...chart.lines.flatMap((line) => {
      const words = describeChanges(chart, line);
      const chain = chart.lines.length > 1
        ? `${printable(line.chainName)}: `
        : "";
      return words === "" ? [] : [chain + words];
    }),
    ...noticesOf(chart),
    ...(chart.upgrades.length === 0 ? [] : [
      `network upgrades: ${
        chart.upgrades.map(({ name, day }) => `${name} on ${day}`).join(", ")
      }`,
    ]),
  ].map((sentence) => `${sentence}.`).join(" ");
}

/** Lists a chart's incomplete, inferred, missing and disputed buckets, in words. A bucket of several lines counts once. */
export function noticesOf(chart: Chart): string[] {
  const { interval, lines } = chart;
  const gaps = lines.reduce((sum, line) => sum + line.gaps.length, 0);
  const rows: [many: number, what: string, how: string][] = [
    [countDrawn(chart, isUnfinished), `incomplete ${interval}`, ", hollow"],
    [
      countDrawn(chart, ({ inferred }) => inferred),
      `inferred ${interval}`,
      ", dashed",
    ],
    [
      countMarked(chart, ({ withdrawn }) => withdrawn),
      interval,
      " withdrawn by the source",
    ],
    [countDrawn(chart, isRevised), `revised ${interval}`, ", with a diamond"],
    [gaps, "gap", ""],
    [countDrawn(chart, isDisputed), `disputed ${interval}`, ", ringed"],
  ];
  return rows.flatMap(([many, what, how]) =>
    many === 0 ? [] : [`${many} ${what}${many === 1 ? "" : "s"}${how}`]
  );
}

/** Describes the agreement of the sources: `99.9 % of 2,240 compared days agree`. */
export function agreementOf(
  { agreementPct, comparedDayCount }: Pick<
    Checks,
    "agreementPct" | "comparedDayCount"
  >,
): string {
  return agreementPct === null
    ? "none of these days has been compared"
    : `${formatShare(agreementPct)} of ${comparedDays(comparedDayCount)} ${
      comparedDayCount === 1 ? "agrees" : "agree"
    }`;
}

function rangeOf({ name, interval }: Chart, line: ChartLine): string {
  const { points, chainName } = line;
  const chain = printable(chainName);
  if (points.length === 0) return `${chain}: no data`;
  const { lowest, highest, latest } = extremesOf(points);
  const describe = ({ day, value }: ChartPoint) =>
    `${formatValue(value)} (${formatBucket(day, interval)})`;
  return `${chain}, ${unitOf(name, line)}: lowest ${
    describe(lowest)
  }, highest ${describe(highest)}, latest ${describe(latest)}`;
}

/** The axis of the differences of both sources: its ticks with their labels, and what is accepted, in percent. */
interface DifferenceAxis {
  readonly most: number;
  readonly tolerance: number;
  readonly ticks: readonly (readonly [pct: number, label: string])[];
}

/** Returns the axis of the differences; null without a second source. */
function differenceAxisOf(chart: Chart): DifferenceAxis | null {
  if (!hasSecond(chart)) return null;
  const tolerance = chart.checks?.tolerancePct[
    chart.interval === "month" ? "month" : "day"
  ] ?? 0;
  const differences = comparedPoints(chart)
    .map(({ differencePct }) => Math.abs(differencePct!));
  const most = Math.max(tolerance * 1.5, maxOf(differences), 0.001);
  const labelOf = (pct: number) => formatPct(Number(pct.toPrecision(1)));
  const ticks = [most, 0, -most].map((pct) => [pct, labelOf(pct)] as const);
  return { most, tolerance, ticks };
}

/** Lists the points of a single line that have a difference. */
function comparedPoints(chart: Chart): readonly ChartPoint[] {
  return chart.lines[0]!.points.filter((point) =>
    point.differencePct !== null && secondValueOf(chart, point) !== null
  );
}

/** Lists the labels of the differences, which the plot above them must leave space for. */
export function differenceLabels(chart: Chart): readonly string[] {
  return differenceAxisOf(chart)?.ticks.map(([, label]) => label) ?? [];
}

/** Says what the differences below a plot are, and which of them are accepted. */
export function differenceWords(chart: Chart): string {
  return `Second source minus the first, in percent; ${
    differenceAxisOf(chart)?.tolerance === 0
      ? "no difference is accepted"
      : "the band is accepted"
  }`;
}

/** Renders the difference of both sources below the plot of a single line; nothing without a second source. */
export function differencePicture(chart: Chart, { width }: Size): Html | "" {
  const vertical = differenceAxisOf(chart);
  if (vertical === null) return "";
  const { most, tolerance, ticks } = vertical;
  const box = { left: 4, top: 14, right: width - 12, bottom: 374 };
  const labelsBelow = differenceLabels(chart);
  const [panel] = layOutPanels(chart, box, { isNamed: false, labelsBelow });
  const { left, right } = panel!.frame;
  const x = daysAcross(chart, { left, right });
  const middle = 8 + DIFFERENCE / 2;
  const y = (pct: number) => round(middle - pct / most * DIFFERENCE / 2);
  const bars = (isWanted: (point: ChartPoint) => boolean) =>
    comparedPoints(chart).filter(isWanted).map(({ day, differencePct }) =>
      `M${round(x(new Date(`${day}T00:00:00Z`)))} ${middle}V${
        y(differencePct!)
      }`
    ).join("");
  const bar = Math.max(
    1,
    Math.min(8, (right - left) / chart.axis.length * 0.7),
  );
  return html`
    <svg class="chart differences" viewBox="0 0 ${width} ${DIFFERENCE +
      16}" role="img"
      aria-label="Second source minus the first, in percent: at most ${formatPct(
        most,
      )} is drawn, ${tolerance} % is accepted.">
      <g
        aria-hidden="true"><rect class="accepted" x="${left}" width="${right -
          left}" y="${y(tolerance)}" height="${round(
            y(-tolerance) - y(tolerance),
          )}"/>
      <path class="grid-line" d="M${left} ${middle}H${right}"/>
      ${ticks.map(([pct, label]) =>
        html`<text x="${left - 8}" y="${
          y(pct) + 4
        }" text-anchor="end">${label}</text>`
      )}
      <path class="difference" stroke-width="${bar}" d="${bars((point) =>
        !isDisputed(point)
      )}"/>
      <path class="difference is-disputed" stroke-width="${bar}" d="${bars(
        isDisputed,
      )}"/></g>
    </svg>
  `;
}

/** Height of the differences, in pixels. */
const DIFFERENCE = 56;

/** Lines of a message that a page may quote from a long request. */
const MAX_QUOTED_LINES = 12;

/** Renders an error as an image. */
export function chartOfError(
  { status, message }: { readonly status: number; readonly message: string },
  { theme = "auto", width = CARD.width }: ChartLook = {},
): Html {
  const lines = wrap(printable(message), lettersOf(width)).slice(
    0,
    MAX_QUOTED_LINES,
  );
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
const STYLES = byTheme(LIGHT, DARK, SHAPES);

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
const CARD = { width: 800, height: 440 };

/** Distance of the texts from both edges together, in pixels. */
const MARGINS = 44;

/** Mean widths of a character of a text and of a title, in pixels. */
const TEXT_LETTER = 6.5;
export const TITLE_LETTER = 10.6;

/** Returns how many letters fit into a line. */
export function lettersOf(width: number, letter = TEXT_LETTER): number {
  return Math.floor((width - MARGINS) / letter);
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
