/** The page of one chain, `/chains/{chainId}`: its metrics as small charts. */
import { html, raw } from "hono/html";
import type {
  ChainMetrics,
  MetricSummary,
  Standing,
} from "../../services/chain_data/overview/overview.ts";
import {
  type Metric,
  METRICS,
} from "../../services/chain_data/catalogue/metrics_schema.ts";
import { COVERAGE } from "../../services/chain_data/catalogue/chains_schema.ts";
import {
  capitalised,
  CHART_WORDS,
  formatValue,
  unitOf,
  VALUE_FORMAT,
} from "../charts/chart_words.ts";
import { printable } from "../pages/drawable_names.ts";
import { cite, type Retrieval } from "../../services/downloads/downloads.ts";
import { citationBlock, datasetOf } from "../downloads/dataset.ts";
import type { Html, Page } from "../pages/layout.ts";
import { unbroken } from "../pages/unbroken.ts";
import {
  chainProof,
  CHAINS,
  changeCell,
  checkLinks,
  formatAge,
  formatChainShare,
} from "../charts/chain_words.ts";
import { shownValue } from "../../services/charts/charts_schema.ts";
import { formatDay, parseDay } from "../../services/platform/days.ts";
import {
  type ChainLinks,
  linksOf,
} from "../../services/chain_data/catalogue/chain_links.ts";
import { maxOf, minOf } from "../../services/platform/numbers.ts";
import { daysBefore, sparkline } from "./sparkline.ts";

/** Renders the page. */
export function chainPage(
  { chain, summary, check, from, to, metrics }: ChainMetrics,
  { publicUrl, cited, standing }: {
    readonly publicUrl: string;
    readonly cited: Retrieval;
    readonly standing: Standing;
  },
): Page {
  const { chainId, token, blockchainId, subnetId } = chain;
  const name = printable(chain.chainName);
  const links = linksOf(chain);
  const { liveSince, ageDays, day, state } = summary;
  const none = state === "unread" ? "not read yet" : "none";
  const title = `Daily metrics of ${name} (chain id ${chainId})`;
  const description =
    `Daily metrics of ${name} (chain id ${chainId}) on Avalanche: transactions, addresses, fees, gas and running totals.`;
  const url = `${publicUrl}${CHAINS}/${chainId}`;
  const held = metrics.filter(({ isLacking }) => !isLacking);
  return {
    title: name,
    description,
    facts: datasetOf({
      name: title,
      description,
      url,
      publicUrl,
      variables: held.map(({ metric }) => ({
        name: metric,
        unitText: METRICS[metric].unit,
      })),
      files: held.map(({ metric }) => ({
        contentUrl: `${publicUrl}${csvPath(chainId, metric)}`,
        encodingFormat: "text/csv",
      })),
    }),
    nav: "chains",
    url,
    picture: `${publicUrl}/card/chain/${chainId}.png`,
    styles: ["chains.css"],
    modules: ["copy.js", "chain.js"],
    body: html`
      <div class="stack stack-large">
        <header class="stack stack-small">
          <p class="eyebrow"><a href="${CHAINS}">Chains</a></p>
          <h1><bdi>${name}</bdi></h1>
          <p class="cluster">${chainProof(summary, check)}
            <span class="muted">chain id ${chainId}</span>
            <a href="/?metric=txCount&amp;chainId=${chainId}">Open in the explorer</a></p>
          <p>${standingWords(standing)}</p>
        </header>
        <section class="stack" aria-labelledby="metrics">
          <h2 id="metrics">Metrics</h2>
          ${from === null
            ? html`<p class="notice">Nothing has been read yet.</p>`
            : html`<p class="muted small">Complete days from
              <span class="nowrap">${from}</span> to <span class="nowrap">${to}</span>. The figure
              is of the newest complete day; the change compares the last seven complete
              days with the seven before. Each line fills its own range, so it shows the course
              and not the size.</p>`}
          <ul class="grid is-even multiples">${metrics.map((metric) =>
            multiple(metric, { chain, summary, from, to })
          )}</ul>
          ${from === null ? "" : chartData(from, metrics)}
        </section>
        <section class="stack" aria-labelledby="chain-facts">
          <h2 id="chain-facts">Facts</h2>
          <dl class="facts">
            <dt>Native token</dt>
            <dd>${token ?? "unknown"}</dd>
            <dt>First transaction</dt>
            <dd>${liveSince === null || ageDays === null
              ? none
              : unbroken(`${liveSince}, ${formatAge(ageDays)} ago`)}</dd>
            <dt>Newest complete day</dt>
            <dd>${day ?? none}</dd>
            <dt>Coverage</dt>
            <dd>${capitalised(COVERAGE[state].term)}: ${COVERAGE[state]
              .meaning}</dd>
            <dt>Check</dt>
            <dd>${checkLinks()}</dd>
            <dt>Blockchain id</dt>
            <dd class="mono">${blockchainId}</dd>
            <dt>Subnet id</dt>
            <dd class="mono">${subnetId}</dd>
            ${links.category === null ? "" : html`
              <dt>Category</dt>
              <dd>${links.category}</dd>
            `} ${linksOut(
              name,
              links,
            )}
            <dt>Data</dt>
            <dd><a href="${csvPath(chainId, "txCount")}"
                download>Transactions as CSV</a> ·
              <a href="/downloads">all metrics of all chains</a></dd>
          </dl>
        </section>
        ${citationBlock(cite({ title, url, publicUrl, ...cited }))}
      </div>
    `,
  };
}

/** Renders the links to a chain's site and block explorers, each with the host that it leads to. */
function linksOut(name: string, { site, explorers }: ChainLinks): Html | "" {
  const links = [
    ...site === null ? [] : [{ url: site, words: `Site of ${name}` }],
    ...explorers.map((url) => ({ url, words: `Block explorer of ${name}` })),
  ];
  return links.length === 0 ? "" : html`
    <dt>Elsewhere</dt>
    <dd>${links.map(({ url, words }) =>
      html`<div><a href="${url}" rel="external noopener nofollow">${words}</a>
        <span class="muted small">${new URL(url).host}</span></div>`
    )}</dd>
  `;
}

/** Says where the chain stands by its transactions of the newest complete day. */
function standingWords(
  { day, rank, rankedCount, sharePct, unreadCount, chainCount }: Standing,
): Html | string {
  if (unreadCount > 0) {
    return `${
      chainCount - unreadCount
    } of ${chainCount} chains are read so far. Its rank and share appear when all are.`;
  }
  if (day === null || rank === null) {
    return "No rank and no share: it has no complete value of the newest complete day.";
  }
  return html`
    <a href="${CHAINS}">Rank ${rank} of ${rankedCount}</a> by transactions on
        <span class="nowrap">${day}</span>${sharePct === null
          ? ""
          : `, ${formatChainShare(sharePct)} of all`}.
  `;
}

/** Returns the path of all days of a metric as CSV. */
function csvPath(chainId: number, metric: Metric): string {
  return `/api/chain-data/metrics?metric=${metric}&chainId=${chainId}&range=all&format=csv`;
}

/** Returns the drawn values of a metric's complete days. */
function drawnOf({ metric, recent }: MetricSummary): (number | null)[] {
  return recent.map((value) =>
    value === null ? null : shownValue(metric, value)
  );
}

/** Returns whether a metric has a chart. */
function isDrawn({ value, recent }: MetricSummary): boolean {
  return value !== null && recent.some((value) => value !== null);
}

/** Renders the values of the charts, in their order, for a script to read. */
function chartData(from: string, metrics: readonly MetricSummary[]): Html {
  const values = metrics.filter(isDrawn).map(drawnOf);
  const days = (values[0] ?? []).map((_, nth) =>
    formatDay(parseDay(from) + nth)
  );
  return html`
    <script type="application/json" id="chart-data">${raw(
      JSON.stringify({ days, format: VALUE_FORMAT, values }),
    )}</script>
  `;
}

/** Renders the highest and the lowest value of a chart, each with its day. */
function extremes(values: readonly (number | null)[], from: string): Html | "" {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return "";
  return html`
    <dl class="extremes small">${([["Highest", maxOf(known)], [
      "Lowest",
      minOf(known),
    ]] as const).map((
      [words, value],
    ) =>
      html`
        <div>
          <dt>${words}</dt>
          <dd><span class="num">${formatValue(value)}</span>
            <span class="muted nowrap">${formatDay(
              parseDay(from) + values.indexOf(value),
            )}</span></dd>
        </div>
      `
    )}</dl>
  `;
}

function multiple(
  summary: MetricSummary,
  { chain: { chainId, token, chainName }, ...window }: Pick<
    ChainMetrics,
    "chain" | "summary" | "from" | "to"
  >,
): Html {
  const { metric, isLacking, day, value, ...change } = summary;
  const { label } = CHART_WORDS[metric];
  const values = drawnOf(summary);
  return html`
    <li class="card multiple">
      <h3><a href="/?metric=${metric}&amp;chainId=${chainId}">${label}</a></h3>
      ${value === null
        ? html`<p class="muted small">${
          isLacking
            ? "The source has no values of this metric."
            : change.noChange === "unread"
            ? "Not read yet."
            : "No complete day."
        }</p>`
        : html`<p class="readout" aria-live="polite"><span
            class="multiple-value readout-value num">${
          formatValue(shownValue(metric, value))
        }</span>
          <span class="muted small">${unitOf(metric, { token })} <span
              class="nowrap">on <span class="readout-day">${day}</span></span></span>
          <span class="readout-note" hidden></span></p>
        ${
          isDrawn(summary)
            ? html`
              <div class="plot is-apart"
                data-chart-title="${label} on ${printable(
                  chainName,
                )}">${sparkline({
                  values,
                  width: 260,
                  height: 56,
                  isRead: true,
                  daysBefore: daysBefore(window.summary.liveSince, {
                    end: window.to,
                    count: values.length,
                  }),
                })}</div>
                        ${extremes(values, window.from!)}
            `
            : html`<p class="muted small">None of the days above is complete.</p>`
        }
        <p class="small">7-day change: ${changeCell(change)}</p>`}
    </li>
  `;
}
