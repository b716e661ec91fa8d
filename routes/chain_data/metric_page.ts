/** The page of one metric: what it is today, its chart, and the chains by it. */
import { html } from "hono/html";
import type { SeriesCheck } from "../../services/chain_data/catalogue/fields_schema.ts";
import {
  C_CHAIN,
  type Metric,
  METRIC_NAMES,
  METRICS,
} from "../../services/chain_data/catalogue/metrics_schema.ts";
import {
  isInTokens,
  ranksOf,
  rowsOf,
  selectChains,
} from "../../services/chain_data/overview/overview.ts";
import {
  type ChainColumn,
  type ChainFigure,
  type Overview,
  USUAL_SORT,
} from "../../services/chain_data/overview/overview_schema.ts";
import { sumOf } from "../../services/platform/numbers.ts";
import {
  chainLink,
  CHAINS,
  changeCell,
  seriesProof,
} from "../charts/chain_words.ts";
import {
  shownUnitOf,
  shownValue,
} from "../../services/charts/charts_schema.ts";
import { definitionOf, formatValue, unitOf } from "../charts/chart_words.ts";
import { datasetOf } from "../downloads/dataset.ts";
import { CHARTS, DOCS, DOWNLOADS } from "../http/paths.ts";
import type { Html, Page } from "../pages/layout.ts";

/** Chains of the ranking; the table of all chains has the others. */
const RANKED_CHAINS = 10;

/** Width of the chart on a phone, in pixels: its letters stay readable. */
const PHONE = 360;

const CSV = "range=all&format=csv";

/** Names a metric as people search for it: `Avalanche active addresses per day`. */
function titleOf(metric: Metric): string {
  const { label, unit, kind } = METRICS[metric];
  const isAmount = ["count", "avax", "gas"].includes(unit);
  return `Avalanche ${nameOf(label)}${
    isAmount && kind === "per day" ? " per day" : ""
  }`;
}

const nameOf = (label: string) =>
  label.charAt(0).toLowerCase() + label.slice(1);

/** Renders the page. */
export function metricPage(
  { overview, column, check, publicUrl }: {
    readonly overview: Overview;
    readonly column: ChainColumn;
    /** How the C-Chain's values compare with a second source; null if they were never read. */
    readonly check: SeriesCheck | null;
    readonly publicUrl: string;
  },
): Page {
  const { metric } = column;
  const title = titleOf(metric);
  const heading = `${title}: C-Chain and L1s`;
  const url = `${publicUrl}${CHARTS}/${metric}`;
  const csv = `/api/chain-data/metrics?metric=${metric}&${CSV}`;
  const description =
    `${heading}, by the newest complete day, with chart, ranking and data. ${
      definitionOf({ name: metric })
    }.`;
  return {
    title: heading,
    description,
    facts: datasetOf({
      name: heading,
      description,
      url,
      publicUrl,
      variables: [{ name: metric, unitText: METRICS[metric].unit }],
      files: [{ contentUrl: publicUrl + csv, encodingFormat: "text/csv" }],
    }),
    nav: "explorer",
    url,
    picture: `${publicUrl}/chart/${metric}.png`,
    styles: ["chains.css"],
    body: html`
      <div class="stack stack-large">
        <header class="stack stack-small">
          <h1>${heading}</h1>
          ${answer(overview, column)}
          <p class="cluster">${check === null
            ? ""
            : seriesProof(check)}<span class="muted">${definitionOf({
              name: metric,
            })}</span></p>
        </header>
        <p><a href="/?metric=${metric}&amp;chainId=${C_CHAIN}"><picture>
          <source media="(max-width: 40rem)" srcset="/chart/${metric}.svg?width=${PHONE}">
          <img class="metric-chart" src="/chart/${metric}.svg" width="800" height="440"
            alt="${METRICS[metric]
              .label} of the C-Chain over a year. Open in the explorer"></picture></a></p>
        ${ranking(overview, column)}
        <section class="stack stack-small" aria-labelledby="data">
          <h2 id="data">Data and method</h2>
          <ul class="prose">
            <li><a href="${csv}" download>All days of the C-Chain as CSV</a>,
              <a href="${DOWNLOADS}">all chains as files</a>, free and without a key</li>
            <li><a href="${DOCS}/completeness">When a day is complete</a>, and
              <a href="${DOCS}/checked-series">how two sources are compared</a></li>
          </ul>
        </section>
        <nav class="stack stack-small" aria-labelledby="others">
          <h2 id="others">Other figures</h2>
          <ul class="cluster">${METRIC_NAMES.filter((name) => name !== metric)
            .map((name) =>
              html`<li><a href="${CHARTS}/${name}">${
                METRICS[name].label
              }</a></li>`
            )}</ul>
        </nav>
      </div>
    `,
  };
}

/** Says the newest figure in a sentence. */
function answer(overview: Overview, column: ChainColumn): Html {
  const { metric, day, figures, unreadCount } = column;
  const { label, notAdditive } = METRICS[metric];
  const figure = figures.get(C_CHAIN);
  const token = overview.chains.find(({ chainId }) => chainId === C_CHAIN)
    ?.token ?? null;
  if (day === null || figure === undefined || figure.value === null) {
    return html`<p class="lede">There is no complete day of the C-Chain yet.</p>`;
  }
  const values = [...figures.values()].flatMap(({ value }) => value ?? []);
  const unit = unitOf(metric, { token });
  const all = notAdditive === null && unreadCount === 0
    ? html`
      On ${values.length} of ${overview.chainCount} chains together:
            <strong>${formatValue(
              shownValue(metric, sumOf(values)),
            )} ${unit}</strong>.
    `
    : "";
  return html`<p class="lede">${label} of the C-Chain on
    <time class="nowrap" datetime="${day}">${day}</time>:
    <strong>${formatValue(shownValue(metric, figure.value))} ${unit}</strong>${
    weekWords(figure)
  }.${all}</p>`;
}

const IN_A_WEEK = " in the last seven days against the seven before";

function weekWords(figure: ChainFigure): Html | string {
  if (figure.changePct === null) return "";
  const change = changeCell(figure);
  return html`, <span class="nowrap">${change}</span>${IN_A_WEEK}`;
}

/** Lists the leading chains, unless chains are unread or have amounts in different tokens. */
function ranking(overview: Overview, column: ChainColumn): Html {
  const { metric, unreadCount } = column;
  const rows = rowsOf(overview.chains, column);
  const ranks = ranksOf(rows, USUAL_SORT);
  const unit = shownUnitOf(METRICS[metric]);
  const leading = selectChains(rows, {
    sort: USUAL_SORT,
    q: "",
    state: undefined,
  }).filter(({ chainId }) => ranks.has(chainId)).slice(0, RANKED_CHAINS);
  const all = `${CHAINS}${metric === "txCount" ? "" : `?metric=${metric}`}`;
  return html`
    <section class="stack stack-small" aria-labelledby="ranking">
      <h2 id="ranking">Chains by ${nameOf(
        METRICS[metric].label,
      )}${unit === undefined ? "" : `, in ${unit.name}`}</h2>
      ${unreadCount > 0
        ? html`<p>${
          overview.chainCount - unreadCount
        } of ${overview.chainCount} chains are
          read so far, so none is ranked.</p>`
        : isInTokens(column)
        ? html`<p>Each chain has its own token, so the values are not ranked.</p>`
        : html`
          <ol class="leaders metric-ranking">${leading.map((chain) =>
            html`<li value="${ranks.get(chain.chainId)}">${
              chainLink(chain)
            }<span class="num">${
              formatValue(shownValue(metric, chain.value!))
            }</span></li>`
          )}</ol>
        `}
      <p><a href="${all}">All chains, with their change and proof</a></p>
    </section>
  `;
}
