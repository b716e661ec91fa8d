/** What tells at a glance how far a chart can be trusted. */
import { html } from "hono/html";
import type { Chart } from "../../services/contract/charts.ts";
import { CHECKED_BY, isChecked } from "../../services/contract/charts.ts";
import type {
  Agreement,
  ExplorerState,
  ExplorerView,
} from "../../services/contract/explorer.ts";
import {
  formatBucket,
  formatInstant,
  formatPct,
  formatShare,
  formatValue,
  printable,
  unitOf,
} from "./chart_words.ts";
import { explorerPath } from "./explorer_links.ts";
import type { Html } from "./layout.ts";

/** Writes the facts beside a chart: newest value, how far it goes, who agrees, and where it is from. */
export function trustFacts({ state, chart, agreement }: ExplorerView): Html {
  return html`
    <dl class="card trust">
      ${chart.isIndexed ? "" : latestFact(chart)} ${throughFact(
        chart,
      )} ${agreement ? checkedFact(agreement, state) : html`
        <div class="stat">
          <dt class="stat-label">Second source</dt>
          <dd><span class="badge">Not checked</span></dd>
          <dd class="small muted">One source alone counts this.</dd>
        </div>
      `}
      ${sourceFact(chart)}
    </dl>
  `;
}

function latestFact(chart: Chart): Html {
  const { name, interval, lines: [line] } = chart;
  const latest = line!.points.findLast(({ complete }) => complete);
  return html`
    <div class="stat">
      <dt class="stat-label">Newest complete ${interval}</dt>
      <dd class="stat-value">${latest ? formatValue(latest.value) : "none"}</dd>
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

function throughFact({ lines, interval }: Chart): Html {
  const through = lines.map(({ dataThrough }) => dataThrough)
    .reduce((a, b) => a === null || b === null ? null : a < b ? a : b);
  const incomplete = new Set(
    lines.flatMap(({ points }) =>
      points.filter(({ complete }) => !complete).map(({ day }) => day)
    ),
  ).size;
  const gaps = lines.reduce((sum, line) => sum + line.gaps.length, 0);
  return html`
    <div class="stat">
      <dt class="stat-label">Data through</dt>
      <dd class="stat-value">${through ?? "–"}</dd>
      <dd class="small muted">${incomplete === 0
        ? `every ${interval} complete`
        : `${incomplete} incomplete ${
          plural(interval, incomplete)
        }, dashed`}${gaps === 0
        ? ", no gap"
        : `, ${gaps} ${plural("gap", gaps)}`}</dd>
    </div>
  `;
}

function checkedFact(
  { checks, recentAgreementPct }: Agreement,
  state: ExplorerState,
): Html {
  const { agreementPct, comparedDayCount, disputedDays, source } = checks;
  const { metric } = state;
  const checkedBy = isChecked(metric) ? undefined : CHECKED_BY[metric];
  const disputed = disputedDays.length;
  return html`
    <div class="stat">
      <dt class="stat-label">Second source agrees</dt>
      <dd class="stat-value">${agreementPct === null
        ? "–"
        : formatShare(agreementPct)}</dd>
      <dd class="small muted">${agreementPct === null
        ? "no day compared yet"
        : html`
          of ${formatValue(comparedDayCount)} compared days, <span
            class="${disputed > 0
              ? "is-bad"
              : ""}">${disputed} disputed</span>${recentAgreementPct === null
              ? ""
              : `; ${formatShare(recentAgreementPct)} of the last 90`}
        `}</dd>
      <dd class="small muted">${printable(source)}</dd>
      ${checkedBy
        ? html`
          <dd class="small"><a href="${explorerPath({
            ...state,
            metric: checkedBy,
            interval: state.interval === "week" ? "month" : state.interval,
          })}">Show both values</a></dd>
        `
        : ""}
    </div>
  `;
}

function sourceFact({ lines }: Chart): Html {
  const sources = [...new Set(lines.map(({ source }) => printable(source)))];
  const fetchedAt = lines.map((line) => line.fetchedAt)
    .reduce((a, b) => a < b ? a : b);
  return html`
    <div class="stat">
      <dt class="stat-label">Source</dt>
      <dd>${sources.join("; ")}</dd>
      <dd
        class="small muted">read <time datetime="${fetchedAt}">${formatInstant(
          fetchedAt,
        )}</time></dd>
    </div>
  `;
}

/** Writes every disputed day with both values; nothing where there is none. */
export function disputedSection(
  { chart: { checks } }: ExplorerView,
): Html | "" {
  if (checks === null || checks.disputedDays.length === 0) return "";
  const { source, tolerancePct, disputedDays } = checks;
  return html`
    <section class="stack" aria-labelledby="disputed">
      <div class="stack stack-small">
        <h2 id="disputed">Disputed days</h2>
        <p
          class="muted">More than ${tolerancePct
            .day} % apart. Second source: ${printable(
              source,
            )}. Nothing is smoothed over; the same is in the JSON.</p>
      </div>
      <div class="table-scroll" tabindex="0" role="region"
        aria-label="Disputed days">
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col" class="num">Shown here</th>
              <th scope="col" class="num">Second source</th>
              <th scope="col" class="num">Difference</th>
            </tr>
          </thead>
          <tbody>${disputedDays.toReversed().map((
            { day, value, crossCheckValue, differencePct },
          ) =>
            html`
              <tr>
                <th scope="row">${day}</th>
                <td class="num">${formatValue(value)}</td>
                <td class="num">${formatValue(crossCheckValue)}</td>
                <td class="num">${differencePct === null
                  ? "–"
                  : formatPct(differencePct)}</td>
              </tr>
            `
          )}</tbody>
        </table>
      </div>
    </section>
  `;
}

function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`;
}
