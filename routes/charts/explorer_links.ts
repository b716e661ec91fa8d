/** Links of the explorer: to its views and their data, how its figures are shared and cited, and code that reads them. */
import { CHECKS } from "../../services/chain_data/catalogue/cross_checks_schema.ts";
import { valuesOf } from "../../services/charts/chart_view.ts";
import {
  choicesOf,
  FIRST_ACTIVE,
  isChecked,
  PLAIN_VIEW,
} from "../../services/charts/charts_schema.ts";
import {
  endOfBucket,
  formatDay,
  parseDay,
} from "../../services/platform/days.ts";
import type {
  ExplorerState,
  ExplorerView,
  KeptChoice,
} from "../../services/charts/explorer.ts";
import type { Format } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { CHAIN_DATA, EMBEDS } from "../http/paths.ts";
import { html } from "hono/html";
import { titleOf } from "./chart_words.ts";
import { cite, type Retrieval } from "../../services/downloads/downloads.ts";
import { formatInstant } from "../pages/dates.ts";
import { printable } from "../pages/drawable_names.ts";
import { codeTabs } from "../pages/code.ts";
import type { Html } from "../pages/layout.ts";

type Entry = readonly [name: string, value: string];

/** Returns the canonical path of a state, with the choices that another chart has again. */
export function explorerPath(
  state: ExplorerState,
  kept: readonly KeptChoice[] = [],
): string {
  const entries: Entry[] = [["metric", state.metric], ...drawnIn(state)];
  return pathOf("/", [
    ...entries.filter(([name]) => !kept.some((choice) => choice.name === name)),
    ...kept.flatMap(({ name, values }) =>
      values.map((value): Entry => [name, value])
    ),
  ]);
}

/**
 * Returns the state that shows the same figures in five years: its days and the instant
 * are fixed. A chart without days is returned as it is.
 */
function frozenState(
  { state, chart: { axis, interval } }: ExplorerView,
  at: Date,
): ExplorerState {
  const [first, last] = [axis[0], axis.at(-1)];
  if (first === undefined || last === undefined) return state;
  if (state.asOf !== undefined && state.range === null) return state;
  const asOf = state.asOf ?? at.toISOString();
  const end = formatDay(endOfBucket(parseDay(last), interval));
  const today = asOf.slice(0, 10);
  return {
    ...state,
    range: null,
    from: first,
    to: end < today ? end : today,
    asOf,
  };
}

/** Returns the paths of the data that a state shows, one per chain. */
export function dataPaths(state: ExplorerState, format: Format): string[] {
  const { metric, chainIds } = state;
  const tail: Entry[] = [["format", format]];
  const middle = [...daysOf(state), ...choicesIn(state)];
  return isChecked(metric)
    ? [pathOf(`${CHAIN_DATA}/${metric}`, [...middle, ...tail])]
    : chainIds.map((id) =>
      pathOf(`${CHAIN_DATA}/metrics`, [
        ["metric", metric],
        ["chainId", String(id)],
        ...middle,
        ...tail,
      ])
    );
}

/** Returns the path of a state's chart as an image. */
export function picturePath(
  state: ExplorerState,
  format: "svg" | "png" | "csv" = "svg",
): string {
  return pathOf(`/chart/${state.metric}.${format}`, drawnIn(state));
}

/** Returns the path of the drawn values as CSV, a column for each chain; null for a checked series. */
function drawnCsvPath(state: ExplorerState): string | null {
  return isChecked(state.metric) ? null : picturePath(state, "csv");
}

/**
 * Returns the path of a chart's values as one CSV: those of all chains by day, and never
 * averages in place of values.
 */
export function valuesCsvPath(state: ExplorerState): string {
  const view = { ...state.view, average: null };
  return drawnCsvPath({ ...state, view }) ?? dataPaths(state, "csv")[0]!;
}

/** Returns the path of a state's chart as a page for frames of other sites. */
function embedPath(state: ExplorerState): string {
  return pathOf(`${EMBEDS}/chart/${state.metric}`, drawnIn(state));
}

/** Lists the parameters of a drawing. */
function drawnIn(state: ExplorerState): Entry[] {
  return [
    ...state.chainIds.map((id): Entry => ["chainId", String(id)]),
    ...daysOf(state),
    ...choicesIn(state),
    ...lookIn(state),
  ];
}

/** Returns the drawn field of the JSON answer. */
function valueFieldOf({ metric }: ExplorerState): string {
  const check = Object.values(CHECKS)
    .find(({ endpoint }) => endpoint === metric);
  return check?.valueField ?? "value";
}

/** Lists the parameters that have a value and not their default. */
function listed(
  parameters: readonly (readonly [
    name: string,
    value: string | null | undefined,
    usual?: string | undefined,
  ])[],
): Entry[] {
  return parameters.flatMap(([name, value, usual]): Entry[] =>
    value && value !== usual ? [[name, value]] : []
  );
}

function daysOf({ range, from, to, asOf }: ExplorerState): Entry[] {
  const days = range === null ? [["from", from], ["to", to]] as const : [];
  return listed([["range", range], ...days, ["asOf", asOf]]);
}

function choicesIn({ metric, interval, window }: ExplorerState): Entry[] {
  const hasIntervals = choicesOf(metric).intervals.length > 1;
  return listed([
    ["interval", hasIntervals ? interval : null],
    ["window", window],
  ]);
}

/** Lists how a chart is drawn. */
function lookIn(
  { metric, chainIds, view, unfinished, upgrades, revisions }: ExplorerState,
): Entry[] {
  const [usual] = valuesOf({ name: metric, chainCount: chainIds.length });
  return listed([
    ["unfinished", unfinished, "show"],
    ["upgrades", upgrades, "show"],
    ["revisions", revisions, "show"],
    ["values", view.values, usual],
    ["base", view.base, FIRST_ACTIVE],
    ["average", view.average],
    ["scale", view.scale, "linear"],
    ["layout", view.layout, "together"],
  ]);
}

function pathOf(path: string, entries: readonly Entry[]): string {
  const query = new URLSearchParams(
    entries.map(([name, value]) => [name, value]),
  );
  return query.size === 0 ? path : `${path}?${query}`;
}

/**
 * Renders how the shown figures are shared and cited: link, picture, data and embed fix
 * the days and the instant, so they show the same in five years. Nothing without days.
 */
export function shareSection(
  view: ExplorerView,
  { publicUrl, at, cited }: {
    readonly publicUrl: string;
    readonly at: Date;
    readonly cited: Retrieval;
  },
): Html | "" {
  const state = frozenState(view, at);
  if (state.asOf === undefined) return "";
  const title = titleOf(view.chart);
  const url = publicUrl + explorerPath(state);
  const csv = valuesCsvPath(state);
  const { text, bibtex } = cite({ title, url, publicUrl, ...cited });
  const forms = [["Link", url], ...embedCode(state, { title, publicUrl }), [
    "Citation",
    text,
  ], ["BibTeX", bibtex]] as const;
  return html`
    <section class="stack" aria-labelledby="share">
      <div class="stack stack-small">
        <h2 id="share">Share and cite</h2>
        <p class="muted">As of ${formatInstant(
          state.asOf,
        )}: these show the same figures in five years, whatever a source changes later.
          The frame fits a phone and follows the reader's colours; <code>theme=light</code> and
          <code>theme=dark</code> fix them. For figures that follow new days, take those below.</p>
        <ul class="cluster files"><li><a href="${explorerPath(
          state,
        )}">Permanent link</a></li><li>Picture: <a href="${picturePath(
          state,
          "png",
        )}" download>PNG</a>, <a href="${picturePath(
          state,
        )}">SVG</a></li><li>Data: <a href="${csv}">CSV</a></li></ul>
      </div>
      ${codeTabs("How to share these figures", forms)}
    </section>
  `;
}

/** Renders the links and the code. URLs in code start with the public URL. */
export function takeAway(
  { state, chart }: ExplorerView,
  publicUrl: string,
): Html {
  const names = chart.chainNames.map(printable);
  const code = codeOf(state, { names, title: titleOf(chart), publicUrl });
  return html`
    <section class="stack" aria-labelledby="take-away">
      <div class="stack stack-small">
        <h2 id="take-away">Live data and code</h2>
        <ul class="cluster files">${fileLinks(state, names)}</ul>
      </div>
      ${codeTabs("Code that reads this data", code)}
    </section>
  `;
}

/** Returns the names of the chains, with their ids if two chains have one name. */
function labelsOf(
  { chainIds }: ExplorerState,
  names: readonly string[],
): readonly string[] {
  return new Set(names).size === names.length
    ? names
    : names.map((name, index) => `${name} (${chainIds[index]})`);
}

function fileLinks(state: ExplorerState, names: readonly string[]) {
  const json = dataPaths(state, "json");
  const csv = dataPaths(state, "csv");
  const drawn = drawnCsvPath(state);
  const labels = labelsOf(state, names);
  return [
    ...(drawn === null || names.length < 2 ? [] : [
      html`<li>All chains by day: <a href="${
        drawnCsvPath({ ...state, view: PLAIN_VIEW })
      }">CSV</a></li>`,
    ]),
    ...json.map((path, index) =>
      html`<li>${
        names.length > 1 ? `${labels[index]}: ` : ""
      }<a href="${path}">JSON</a>, <a href="${csv[index]}">CSV</a></li>`
    ),
    html`<li>As drawn: <a href="${picturePath(state)}">SVG</a>,
      <a href="${picturePath(state, "png")}" download>PNG</a>${
      drawn === null ? "" : html`, <a href="${drawn}">CSV</a>`
    }</li>`,
  ];
}

/** Returns code that reads the shown data, by language. */
function codeOf(
  state: ExplorerState,
  { names, title, publicUrl }: {
    readonly names: readonly string[];
    readonly title: string;
    readonly publicUrl: string;
  },
): (readonly [name: string, code: string])[] {
  const csv = dataPaths(state, "csv").map((path) => publicUrl + path);
  const json = dataPaths(state, "json").map((path) => publicUrl + path);
  const field = valueFieldOf(state);
  const labels = labelsOf(state, names);
  const urls = json.map((url, index) =>
    `  ${JSON.stringify(labels[index])}: ${JSON.stringify(url)},`
  ).join("\n");
  return [
    ["curl", csv.map((url) => `curl --fail '${url}'`).join("\n")],
    [
      "Python",
      `import json
from urllib.request import urlopen

urls = {
${urls}
}
for name, url in urls.items():
    with urlopen(url) as response:
        answer = json.load(response)
    for point in answer["series"]:
        if point["complete"]:
            print(name, point["day"], point["${field}"])`,
    ],
    [
      "JavaScript",
      `const urls = {
${urls}
};
for (const [name, url] of Object.entries(urls)) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(await response.text());
  const { series } = await response.json();
  for (const point of series) {
    if (point.complete) console.log(name, point.day, point.${field});
  }
}`,
    ],
    ["Spreadsheet", csv.map((url) => `=IMPORTDATA("${url}")`).join("\n")],
    ...embedCode(state, { title, publicUrl }),
  ];
}

/** Returns the code that shows a state on other sites. */
function embedCode(
  state: ExplorerState,
  { title, publicUrl }: { readonly title: string; readonly publicUrl: string },
): (readonly [name: string, code: string])[] {
  const picture = picturePath(state);
  const target = publicUrl + explorerPath(state);
  return [
    [
      "Embed",
      `<a href="${escapeAttribute(target)}"><img src="${
        escapeAttribute(publicUrl + picture)
      }" alt="${escapeAttribute(title)}" width="800"></a>`,
    ],
    [
      "Frame",
      `<iframe src="${escapeAttribute(publicUrl + embedPath(state))}" title="${
        escapeAttribute(title)
      }" width="100%" height="${FRAME_HEIGHT}" loading="lazy" style="border:0"></iframe>`,
    ],
    [
      "Markdown",
      `[![${
        title.replaceAll(/[[\]\\]/g, "\\$&")
      }](${publicUrl}${picture})](${target})`,
    ],
  ];
}

/** Height of a frame in pixels. Its width is that of the page around it. */
const FRAME_HEIGHT = 480;

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}
