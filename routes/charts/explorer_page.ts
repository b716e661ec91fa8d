/** The explorer page, with the facts beside a chart that show how reliable it is. */
import { html, raw } from "hono/html";
import { hasAverages } from "../../services/charts/chart_view.ts";
import {
  type Chart,
  type ChartPoint,
  CHECKED_SERIES_OF,
  choicesOf,
  isChecked,
  PLAIN_VIEW,
  SCALES,
} from "../../services/charts/charts_schema.ts";
import type {
  ExplorerState,
  ExplorerView,
  KeptChoice,
  ListedChain,
} from "../../services/charts/explorer.ts";
import {
  countDrawn,
  countMarked,
  isUnfinished,
  shownOf,
} from "../../services/charts/marks.ts";
import {
  capitalised,
  comparedDays,
  definitionOf,
  formatBucket,
  formatPct,
  formatShare,
  formatValue,
  isComparison,
  titleOf,
  unitOf,
} from "./chart_words.ts";
import {
  dataPaths,
  explorerPath,
  picturePath,
  shareSection,
  takeAway,
  valuesCsvPath,
} from "./explorer_links.ts";
import { chartFigure, valueTable } from "./explorer_figure.ts";
import {
  type ChainMistake,
  explorerForm,
  SCALE_WORDS,
  suggestionLinks,
} from "./explorer_form.ts";
import { datasetOf } from "../downloads/dataset.ts";
import type { Html, Page } from "../pages/layout.ts";
import { unbroken } from "../pages/unbroken.ts";
import {
  GENESIS_DAY,
  RANGES,
} from "../../services/chain_data/catalogue/fields_schema.ts";
import { formatDay, parseDay } from "../../services/platform/days.ts";
import { type Failure, isOutage } from "../../services/platform/fault.ts";
import {
  CHAINS,
  type Compared,
  proofBadge,
  seriesProof,
} from "./chain_words.ts";
import { CHARTS, dayPath, DISPUTES } from "../http/paths.ts";
import type { CheckQuality } from "../../services/chain_data/quality/quality_schema.ts";
import {
  formatUsdc,
  PLAN_NAMES,
  PLANS,
} from "../../services/payments/plans_schema.ts";
import {
  CHECKS,
  NOT_COMPARED,
  proofOf,
  PROOFS,
} from "../../services/chain_data/catalogue/cross_checks_schema.ts";
import { C_CHAIN } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { datesOf } from "../../services/charts/across_chains.ts";
import { daySeriesOf } from "../../services/chain_data/checks/day_proof.ts";
import { printable } from "../pages/drawable_names.ts";
import { formatInstant } from "../pages/dates.ts";
import { table } from "../pages/tables.ts";
import type { Retrieval } from "../../services/downloads/downloads.ts";

const DESCRIPTION =
  "Daily on-chain metrics of the Avalanche C-Chain and its L1s. Incomplete, missing and disputed values are marked.";

/** Renders the page: the data of a state, or why there is none. */
export function explorerPage(
  { state, kept = [], chains, shown, publicUrl, cited, at, proof, problem }: {
    readonly state: ExplorerState;
    /** The choices that this chart can't have. */
    readonly kept?: readonly KeptChoice[];
    readonly chains: readonly ListedChain[];
    readonly shown: ExplorerView | Problem;
    readonly publicUrl: string;
    /** When the data were retrieved, and the release of that day; absent without data. */
    readonly cited?: Retrieval;
    /** When the figures were read; absent without data. */
    readonly at?: Date;
    /** On the first page: how far the sources agree; null if they were never read. */
    readonly proof?: Proof | null;
    /** Why another chart was asked for; absent if what is shown was asked for. */
    readonly problem?: Problem;
  },
): Page {
  const view = "chart" in shown ? shown : null;
  const trouble = problem ?? ("chart" in shown ? undefined : shown);
  const { axis } = view?.chart ?? { axis: [] };
  const title = view ? titleOf(view.chart) : "No data";
  return {
    title: view ? title : "Explorer",
    description: DESCRIPTION,
    ...view && { facts: factsOf(view, publicUrl) },
    nav: "explorer",
    url: `${publicUrl}${explorerPath(view?.state ?? state)}`,
    ...view && { picture: `${publicUrl}${picturePath(view.state, "png")}` },
    isIndexed: view !== null && problem === undefined,
    styles: ["explorer.css"],
    modules: ["explorer/main.js"],
    body: html`
      <p class="visually-hidden" id="announcement" role="status"></p>
      ${proof === undefined ? "" : introduction(proof)}
      <div class="stack explorer" id="explorer">
          ${explorerForm({
            state,
            chains,
            shown: axis.length === 0 || trouble
              ? null
              : [axis[0]!, axis.at(-1)!],
            kept,
            mistake: trouble?.mistake,
            refused: trouble && parameterOf(trouble),
          })} ${"chart" in shown
            ? html`${problem === undefined ? "" : noticeOf(problem, state)}${
              viewOf(shown, {
                publicUrl,
                kept,
                ...cited && { cited },
                ...at && { at },
              })
            }`
            : problemOf(shown, state)}
        </div>
      <p
        class="muted explorer-about">Incomplete, missing and disputed values are marked:
      <a href="/docs/completeness">when a number is final</a>, and <a
          href="/docs/checked-series">how sources are compared</a>. <a
          href="${CHARTS}/${isChecked(state.metric)
            ? "txCount"
            : state.metric}">Each figure on one page</a>.</p>
    `,
  };
}

/** Returns the parameter that is not accepted; undefined for other problems. */
function parameterOf({ failure }: Problem): string | undefined {
  return failure.kind === "badInput" ? failure.parameter : undefined;
}

/** Describes the shown data for search engines. */
function factsOf({ chart, state }: ExplorerView, publicUrl: string) {
  const { axis, unit } = chart;
  const [first, last] = [axis[0], axis.at(-1)];
  const title = titleOf(chart);
  const formats = [["csv", "text/csv"], ["json", "application/json"]] as const;
  return datasetOf({
    name: title,
    description: `${title}. ${DESCRIPTION}`,
    url: `${publicUrl}${explorerPath(state)}`,
    publicUrl,
    variables: [{ name: state.metric, unitText: unit }],
    files: formats.flatMap(([format, encodingFormat]) =>
      dataPaths(state, format).map((path) => ({
        contentUrl: `${publicUrl}${path}`,
        encodingFormat,
      }))
    ),
    ...(first !== undefined && last !== undefined && { days: [first, last] }),
  });
}

function viewOf(
  view: ExplorerView,
  { publicUrl, kept = [], cited, at }: Pick<
    Parameters<typeof explorerPage>[0],
    "publicUrl" | "kept" | "cited" | "at"
  >,
): Html {
  const { chart, state } = view;
  const hasDays = chart.axis.length > 0;
  const csv = valuesCsvPath(state);
  return html`
    <section class="stack stack-small" aria-labelledby="shown">
      <div class="cluster title-row">
        <h1 class="explorer-title" id="shown">${unbroken(titleOf(chart))}</h1>
        ${chartBadge(chart)}
      </div>
      <div class="cluster title-row">
        <p class="small muted explorer-definition">${definitionOf(chart)}</p>
        ${shortcuts(state, kept)}
      </div>
      ${chartFigure(shownOf(chart, state))}
    </section>
    ${hasDays
      ? html`
        <section class="stack stack-small explorer-values"
          aria-labelledby="value-table">
          <h2 id="value-table">Values</h2>
          ${valueTable(chart, { csv })}
          <p class="small print-note">The newest buckets. All values: ${publicUrl}${csv}</p>
        </section>
      `
      : ""} ${trustFacts(view)} 
    ${disputedSection(view)} ${cited === undefined || at === undefined
      ? ""
      : shareSection(view, { publicUrl, at, cited })} ${takeAway(
        view,
        publicUrl,
      )}
  `;
}

/**
 * Renders the links that change one choice of a chart and keep all others: its values or
 * their 7-day average, the scale of its value axis, and back from chosen days.
 */
function shortcuts(
  state: ExplorerState,
  kept: readonly KeptChoice[],
): Html {
  const { metric: name, interval, view, range } = state;
  const { usualRange } = choicesOf(name);
  const viewLink = (
    id: string,
    words: string,
    change: Partial<typeof view>,
    isCurrent: boolean,
  ) =>
    html`<a id="${id}" href="${
      explorerPath({ ...state, view: { ...view, ...change } }, kept)
    }" ${isCurrent ? raw(`aria-current="true"`) : ""}>${words}</a>`;
  const averages = hasAverages({ name, interval })
    ? ([["Daily values", null], ["7-day average", "7"]] as const)
    : [];
  return html`
    <nav class="cluster small shortcuts"
      aria-label="This chart">${averages.map(([words, average]) =>
        viewLink(
          `average-${average ?? 0}`,
          words,
          { average },
          view.average === average,
        )
      )}${SCALES.map((scale) =>
        viewLink(
          `axis-${scale}`,
          SCALE_WORDS[scale],
          { scale },
          view.scale === scale,
        )
      )}${range !== null ? "" : html`<a id="reset-days" href="${
        explorerPath(
          { ...state, range: usualRange, from: undefined, to: undefined },
          kept,
        )
      }">Back to ${usualRange}</a>`}</nav>
  `;
}

/** Why no data can be shown. */
export interface Problem {
  readonly status: number;
  readonly message: string;
  readonly failure: Failure;
  /** Null if a retry cannot help. */
  readonly retryAfterS: number | null;
  /** The text that names no single chain, if that is the problem. */
  readonly mistake?: ChainMistake | undefined;
}

/** Renders the problem. */
export function problemOf(problem: Problem, state: ExplorerState): Html {
  const { status, message, retryAfterS, mistake } = problem;
  return html`
    <section class="stack stack-small explorer-problem" aria-labelledby="shown">
      <h1 class="explorer-title" id="shown">${headingOf(problem)}</h1>
      <p id="problem" class="notice ${status === 503 || status === 200
        ? "notice-warn"
        : "notice-bad"}">${message}</p>
      ${mistake === undefined ? "" : suggestionLinks(mistake)}
      ${retryAfterS === null
        ? html`
          <p>Choose a series, a chain and days above, or <a href="${CHAINS}">see all
              chains</a>.</p>
        `
        : html`
          <p>No partial data is shown. Try again in ${waitWords(
            retryAfterS,
          )}.</p>
          ${againLinks(problem, state)}
        `}
    </section>
  `;
}

/** Renders the problem above the chart that stands in. */
export function noticeOf(problem: Problem, state: ExplorerState): Html {
  const { failure, message, mistake } = problem;
  const isOld = isOutage(failure);
  return html`
    <div class="notice notice-warn stack stack-small" id="problem">
      <p><strong>${headingOf(problem)}.</strong> ${isOld
        ? unbroken(
          `New figures cannot be read now. The stored ones${
            failure.dataThrough
              ? ` end on ${failure.dataThrough}`
              : " are shown"
          }, and the last of them may have changed since.`,
        )
        : message}</p>
      ${mistake === undefined ? "" : suggestionLinks(mistake)}
      ${isOld ? againLinks(problem, state) : ""}
    </div>
  `;
}

/** Links the same view again, and its days that no longer change. */
function againLinks({ failure }: Problem, state: ExplorerState): Html {
  const settled = isOutage(failure) ? failure.settledThrough : undefined;
  return html`
    <p class="cluster"><a class="button" href="${explorerPath(state)}">Try
        again</a> ${settledLink(state, settled)}</p>
  `;
}

function headingOf({ status, failure, mistake }: Problem): string {
  if (mistake !== undefined) return "No single chain matches";
  if (failure.kind === "upstreamLacks") return "Not indexed";
  if (failure.kind === "notReadYet") return "Not read yet";
  return HEADINGS[status] ?? "Something went wrong";
}

const HEADINGS: Readonly<Record<number, string>> = {
  400: "This link has a mistake",
  404: "Unknown chain",
  503: "A data source is unreachable",
};

/** Links the same view up to the newest day that no longer changes; nothing if all of its days are newer. */
function settledLink(
  state: ExplorerState,
  settled: string | null | undefined,
): Html | "" {
  if (settled === undefined || settled === null) return "";
  const from = state.range === null
    ? state.from ?? GENESIS_DAY
    : Number.isFinite(RANGES[state.range])
    ? formatDay(parseDay(settled) - RANGES[state.range] + 1)
    : GENESIS_DAY;
  if (from > settled) return "";
  const path = explorerPath({ ...state, range: null, from, to: settled });
  return html`<a class="button" href="${path}">Show the days up to ${settled}</a>`;
}

function waitWords(seconds: number): string {
  if (seconds >= 120) return `${Math.round(seconds / 60)} minutes`;
  return seconds === 1 ? "1 second" : `${seconds} seconds`;
}

/** Days that must be compared before the agreement is shown as a figure. */
const MIN_COMPARED_DAYS = 30;

/** How far the two sources of a checked series agree. */
export type Proof = Pick<
  CheckQuality,
  "agreementPct" | "checkedThrough" | "comparedDayCount" | "openDisputeCount"
>;

/** Shows the introduction. The proof is that of the C-Chain's transactions; null if they were never read. */
export function introduction(proof: Proof | null): Html {
  const { free, builder } = PLANS;
  const largest = PLANS[PLAN_NAMES.at(-1)!];
  return html`
    <section class="introduction stack stack-small" aria-label="What Firn is">
      <p
        class="lede"><strong>Avalanche figures that you can check, and wallet scores that say what they rest on.</strong>
    For analysts and builders: two independent sources are compared<span class="wide"> day by day</span>, and every disagreement is published.</p>
      <ul class="grid introduction-parts">
        <li><strong><a href="/docs/quick-start-chain-data">Chain data</a></strong>
    Daily metrics <span class="wide">of the C-Chain and its L1s</span> since 2020<span
          class="wide">, as JSON, CSV and <a href="/downloads">files</a></span>. Free, no key.</li>
        <li><strong><a href="/tools/score">Wallet scores</a></strong>
    <span class="wide">Is an address really used, or made to look so?</span>
    ${free.requests.toLocaleString(
      "en",
    )} a month are free; <a href="/docs/limits">plans</a> cost ${wholeUsdc(
      builder.price,
    )} to ${wholeUsdc(largest.price)} USDC.</li>
        <li><strong><a href="/docs/checked-series">The check</a></strong> ${agreementSoFar(
          proof,
        )}</li>
        <li>
          <details
            class="phone-details"><summary>When to use something else</summary>
    <strong>Use something else</strong> for several ecosystems
    (<a href="https://www.growthepie.com">growthepie</a>, <a href="https://defillama.com">DefiLlama</a>),
    or for people verified by documents (<a href="https://passport.human.tech">Human Passport</a>).</details>
        </li>
      </ul>
    </section>
  `;
}

/** Prices are whole USDC. */
const wholeUsdc = (price: bigint) => formatUsdc(price).replace(/\.00$/, "");

function agreementSoFar(proof: Proof | null): Html | string {
  const days = proof?.comparedDayCount ?? 0;
  if (
    proof === null || days < MIN_COMPARED_DAYS || proof.agreementPct === null
  ) {
    return "C-Chain transactions: not yet compared.";
  }
  const { agreementPct, checkedThrough, openDisputeCount } = proof;
  return html`
    C-Chain transactions <span
      class="wide">in the Metrics API and in an explorer index</span> agree
        <span class="wide">(to within ${CHECKS.transactions.tolerancePct
          .day} %)</span> on
        <span class="nowrap">${formatShare(agreementPct)}</span> of
        <span class="nowrap">${days.toLocaleString("en")} days</span> compared
        through <span class="nowrap">${checkedThrough};</span>
        <a href="/disputes">${openDisputeCount === 1
          ? "1 day is"
          : `${openDisputeCount} days are`} disputed</a>.
  `;
}

/** Renders the facts: newest value, newest day, agreement with the second source, and source. */
export function trustFacts({ state, chart }: ExplorerView): Html {
  return html`
    <dl class="card grid trust">
      ${isComparison(chart) ? "" : latestFact(chart)} ${throughFact(
        chart,
        state,
      )} ${proofFact(chart, state)}
      ${sourceFact(chart)}
    </dl>
  `;
}

/** A value of more characters does not fit beside another one on a phone. */
const LONG = 11;

function latestFact(chart: Chart): Html {
  const { name, interval, lines: [line] } = chart;
  const latest = line!.points.findLast(({ complete }) => complete);
  const value = latest ? formatValue(latest.value) : "none";
  return html`
    <div class="stat">
      <dt class="stat-label">Newest complete ${interval}</dt>
      <dd class="stat-value ${value.length > LONG
        ? "is-long"
        : ""}">${value}</dd>
      ${latest
        ? html`
          <dd
            class="small muted">${unitOf(
              name,
              line!,
            )}, <span class="nowrap">${formatBucket(
              latest.day,
              interval,
            )}</span></dd>
        `
        : ""}
    </div>
  `;
}

function throughFact(chart: Chart, state: ExplorerState): Html {
  const { lines } = chart;
  const { dataThrough } = datesOf(lines);
  const gaps = lines.reduce((sum, line) => sum + line.gaps.length, 0);
  const shown = lines.every(({ points }) => points.length === 0)
    ? "no values for these days"
    : marksOf(chart, state);
  return html`
    <div class="stat">
      <dt class="stat-label">Data through</dt>
      <dd class="stat-value">${unbroken(dataThrough ?? "none")}</dd>
      <dd class="small muted">${shown}, ${gaps === 0
        ? "no gap"
        : `${gaps} ${plural("gap", gaps)}`}</dd>
    </div>
  `;
}

/** Describes the incomplete and inferred buckets, and whether the chart draws them. */
function marksOf(chart: Chart, state: ExplorerState): string {
  const { interval } = chart;
  const picture = shownOf(chart, state);
  const kinds = [
    { kind: "incomplete", how: "hollow", isOf: isUnfinished },
    {
      kind: "inferred",
      how: "dashed",
      isOf: ({ inferred }: ChartPoint) => inferred,
    },
  ];
  const words = kinds.flatMap(({ kind, how, isOf }) => {
    const drawn = countDrawn(picture, isOf);
    const missing = countMarked(chart, isOf) - drawn;
    return ([[drawn, how], [missing, "not drawn"]] as const).flatMap((
      [count, how],
    ) =>
      count === 0 ? [] : [`${count} ${kind} ${plural(interval, count)}, ${how}`]
    );
  });
  return words.length === 0 ? `every ${interval} complete` : words.join(", ");
}

/** How the chart compares with a second source, as its badge and its card say it. */
interface ChartProof extends Compared {
  /** The only compared chain of several, followed by a colon; empty for a single chain. */
  readonly of: string;
  readonly disputedDayCount: number;
  readonly notCoveredDayCount: number;
  /** Null without a second source. */
  readonly source: string | null;
}

/** Returns how the chart compares: its checked series, else its first line. */
function proofOfChart({ chainNames, checks, lines }: Chart): ChartProof {
  const [line] = lines;
  if (checks !== null) {
    return {
      ...checks,
      of: chainNames.length > 1 ? `${checkedChainOf(lines)} only: ` : "",
      disputedDayCount: checks.disputedDays.length,
      notCoveredDayCount: 0,
    };
  }
  return {
    ...line!.check ?? NO_CHECK,
    of: lines.length > 1 ? `${printable(line!.chainName)} only: ` : "",
  };
}

/** A total of several chains has no comparison of its own. */
const NO_CHECK = {
  reason: "noSecondSource",
  agreementPct: null,
  comparedDayCount: 0,
  disputedDayCount: 0,
  notCoveredDayCount: 0,
  source: null,
} as const;

/** Renders the badge beside the title, with the number of disputed days. */
export function chartBadge(chart: Chart): Html {
  const proof = proofOfChart(chart);
  const { disputedDayCount, of } = proof;
  return html`<span class="cluster proof">${
    of === "" ? "" : html`<span class="small muted">${of}</span>`
  }${seriesProof(proof)}${
    disputedDayCount === 0
      ? ""
      : html`<a href="${DISPUTES}">${
        proofBadge("differ", disputedWords(disputedDayCount))
      }</a>`
  }</span>`;
}

function disputedWords(count: number): string {
  return `${formatValue(count)} ${plural("day", count)} disputed`;
}

function proofFact(chart: Chart, state: ExplorerState): Html {
  const { recentAgreementPct } = chart;
  const proof = proofOfChart(chart);
  const { agreementPct, disputedDayCount, notCoveredDayCount, of } = proof;
  const checkedSeries = checkedSeriesOf(state);
  const { term } = PROOFS[agreementPct === null ? proofOf(proof) : "agree"];
  const { reason = null } = proof;
  return html`
    <div class="stat">
      <dt class="stat-label">${capitalised(term)}</dt>
      ${agreementPct === null
        ? html`<dd class="small muted">${
          capitalised(
            of + (reason === null
              ? "none of these days was compared"
              : NOT_COMPARED[reason]),
          )
        }.</dd>`
        : html`
          <dd class="stat-value">${formatShare(agreementPct)}</dd>
          <dd class="small muted">${of}of ${comparedDays(
            proof.comparedDayCount,
          )}, ${disputedDayCount === 0
            ? "0 disputed"
            : html`<a class="is-differ" href="${DISPUTES}">${disputedDayCount} disputed</a>`}</dd>
        `}
      ${notCoveredDayCount === 0 ? "" : html`
        <dd class="small muted">${notCoveredDayCount} not covered</dd>
      `} ${chart.checks === null || recentAgreementPct === null ? "" : html`
        <dd
          class="small muted">${formatShare(
            recentAgreementPct,
          )} of the last 90 compared days of the series</dd>
      `} ${proof.source === null ? "" : html`
        <dd class="small muted">${unbroken(printable(proof.source))}</dd>
      `} ${chart.checks === null || checkedSeries === null ? "" : html`
        <dd class="small"><a href="${checkedSeries}">Show both values</a></dd>
      `}
    </div>
  `;
}

/** Returns the name of the compared chain that has a second source. */
function checkedChainOf(lines: Chart["lines"]): string {
  const line = lines.find(({ chainId }) => chainId === C_CHAIN);
  return printable(line?.chainName ?? "C-Chain");
}

/** Returns the path of the checked series; null if it is shown already. */
function checkedSeriesOf(state: ExplorerState): string | null {
  const { metric, interval } = state;
  const name = isChecked(metric) ? undefined : CHECKED_SERIES_OF[metric];
  return name === undefined ? null : explorerPath({
    ...state,
    metric: name,
    chainIds: [],
    interval: interval === "week" ? "month" : interval,
    view: PLAIN_VIEW,
  });
}

function sourceFact({ lines }: Chart): Html {
  const sources = [...new Set(lines.map(({ source }) => printable(source)))];
  const { fetchedAt } = datesOf(lines);
  return html`
    <div class="stat">
      <dt class="stat-label">Source</dt>
      <dd>${unbroken(sources.join("; "))}</dd>
      <dd
        class="small muted">read <time datetime="${fetchedAt}">${formatInstant(
          fetchedAt,
        )}</time></dd>
    </div>
  `;
}

/** Renders the disputed days with both values; nothing if there are none. */
export function disputedSection(
  { state, chart: { checks, chainNames, lines } }: ExplorerView,
): Html | "" {
  if (checks === null || checks.disputedDays.length === 0) return "";
  const { source, tolerancePct, disputedDays } = checks;
  const checkedSeries = checkedSeriesOf(state);
  return html`
    <section class="stack">
      <div class="stack stack-small">
        <h2 id="disputed">Disputed days${chainNames.length > 1
          ? ` of ${checkedChainOf(lines)}`
          : ""}</h2>
        <p
          class="muted">The sources differ by more than ${tolerancePct
            .day} % on these days. Second source: ${printable(
              source,
            )}. ${checkedSeries === null
            ? "Both values are in the JSON too."
            : html`
              <a href="${checkedSeries}">The checked series</a> shows both values of every day.
            `}</p>
      </div>
      ${table("Disputed days", {
        isCards: true,
        numbersFrom: 1,
        head: ["Day", "Shown here", "Second source", "Difference"],
        rows: disputedDays.toReversed().map((
          { day, value, crossCheckValue, differencePct },
        ) => [
          html`<a href="${
            dayPath(
              daySeriesOf(state.metric),
              C_CHAIN,
              day,
            )
          }">${day}</a>`,
          formatValue(value),
          formatValue(crossCheckValue),
          differencePct === null ? "–" : formatPct(differencePct),
        ]),
      })}
    </section>
  `;
}

function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`;
}
