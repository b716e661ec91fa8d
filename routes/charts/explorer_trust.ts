/** The facts beside a chart that show how reliable it is. */
import { html } from "hono/html";
import {
  NOT_COMPARED,
  proofOf,
  PROOFS,
} from "../../services/chain_data/catalogue/cross_checks_schema.ts";
import { C_CHAIN } from "../../services/chain_data/catalogue/metrics_schema.ts";
import {
  type Chart,
  type ChartPoint,
  CHECKED_SERIES_OF,
  isChecked,
  PLAIN_VIEW,
} from "../../services/charts/charts_schema.ts";
import { datesOf } from "../../services/charts/across_chains.ts";
import { daySeriesOf } from "../../services/chain_data/checks/day_proof.ts";
import type {
  ExplorerState,
  ExplorerView,
} from "../../services/charts/explorer_schema.ts";
import {
  countDrawn,
  countMarked,
  isUnfinished,
  shownOf,
} from "../../services/charts/marks.ts";
import {
  capitalised,
  comparedDays,
  formatBucket,
  formatPct,
  formatShare,
  formatValue,
  isComparison,
  unitOf,
} from "./chart_words.ts";
import { printable } from "../pages/drawable_names.ts";
import { explorerPath } from "./explorer_links.ts";
import { type Compared, proofBadge, seriesProof } from "./chain_words.ts";
import { dayPath, DISPUTES } from "../http/paths.ts";
import { formatInstant } from "../pages/dates.ts";
import type { Html } from "../pages/layout.ts";
import { table } from "../pages/tables.ts";
import { unbroken } from "../pages/unbroken.ts";

/** Renders the facts: newest value, newest day, agreement with the second source, and source. */
export function trustFacts({ state, chart }: ExplorerView): Html {
  return html`
    <dl class="card trust">
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
