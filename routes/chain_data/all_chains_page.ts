/** The page `/chains`: an overview of all tracked chains. */
import { html } from "hono/html";
import type { Release } from "../../services/downloads/downloads_store.ts";
import {
  CHAINS_OVERVIEW,
  OVERVIEW_TABLE,
} from "../../services/downloads/downloads_schema.ts";
import {
  type ChainColumn,
  type ChainRow,
  type ChainSummary,
  MIN_GROWING_FROM,
  NEW_DAYS,
  type Overview,
  type OverviewQuery,
  type Period,
  PERIODS,
  type SortKey,
  USUAL_SORT,
} from "../../services/chain_data/overview/overview_schema.ts";
import {
  countUnread,
  isInTokens,
  ranksOf,
  rowsOf,
  selectChains,
} from "../../services/chain_data/overview/overview.ts";
import {
  type Fold,
  type Metric,
  METRIC_NAMES,
  METRICS,
} from "../../services/chain_data/catalogue/metrics_schema.ts";
import {
  COVERAGE,
  COVERAGE_STATES,
} from "../../services/chain_data/catalogue/chains_schema.ts";
import { DOWNLOADS } from "../http/paths.ts";
import { formatValue, pctColumnFormat, unitOf } from "../charts/chart_words.ts";
import { cite } from "../../services/downloads/downloads.ts";
import { citationBlock, datasetOf } from "../downloads/dataset.ts";
import type { Html, Page } from "../pages/layout.ts";
import { instant } from "../pages/tables.ts";
import {
  chainLink,
  chainProof,
  CHAINS,
  changeCell,
  checkLinks,
  formatAge,
  formatChainShare,
  shortProof,
  stateLegend,
} from "../charts/chain_words.ts";
import type { SeriesCheck } from "../../services/chain_data/catalogue/fields_schema.ts";
import {
  MAX_COMPARED_CHAINS,
  shownUnitOf,
  shownValue,
} from "../../services/charts/charts_schema.ts";
import { printable } from "../pages/drawable_names.ts";
import { daysBefore, sparkline } from "./sparkline.ts";

const DESCRIPTION =
  "All tracked mainnet chains of Avalanche: transactions of the newest complete day, change over a week, share, age, and how current the data are.";

const TITLE = "Avalanche by chain";

const VARIABLES = [
  { name: "txCount", unitText: "count" },
  { name: "changePct", unitText: "percent" },
  { name: "sharePct", unitText: "percent" },
  { name: "ageDays", unitText: "days" },
  { name: "state" },
  { name: "proof" },
];

/** The same as files. */
const FILES = [
  [`${DOWNLOADS}/${CHAINS_OVERVIEW}`, "application/json"],
  [`${DOWNLOADS}/${OVERVIEW_TABLE}.csv.gz`, "application/gzip"],
  [`${DOWNLOADS}/${OVERVIEW_TABLE}.parquet`, "application/vnd.apache.parquet"],
] as const;

/** Renders the page of a query. */
export function chainsPage(
  { overview, column = null, checks, release, query, publicUrl, retrievedOn }: {
    readonly overview: Overview;
    /** The chosen column; null for the transactions of the newest day. */
    readonly column?: ChainColumn | null;
    readonly checks: Listing["checks"];
    readonly release: Release | null;
    readonly query: OverviewQuery;
    readonly publicUrl: string;
    /** YYYY-MM-DD. */
    readonly retrievedOn: string;
  },
): Page {
  const rows = rowsOf(overview.chains, column);
  const chains = selectChains(rows, query);
  const unread = column?.unreadCount ?? countUnread(overview);
  const listing: Listing = {
    query,
    overview,
    column,
    checks,
    unread,
    ranks: unread > 0 ? new Map() : ranksOf(rows, query.sort),
  };
  const url = `${publicUrl}${CHAINS}`;
  return {
    title: "Chains",
    description: DESCRIPTION,
    facts: datasetOf({
      name: TITLE,
      description: DESCRIPTION,
      url,
      publicUrl,
      variables: VARIABLES,
      files: release === null ? [] : FILES.map(([path, encodingFormat]) => ({
        contentUrl: `${publicUrl}${path}`,
        encodingFormat,
      })),
    }),
    nav: "chains",
    url,
    styles: ["chains.css"],
    modules: ["chains.js", "copy.js"],
    body: html`
      <div class="stack stack-large">
        <header class="stack stack-small">
          <h1>${TITLE}</h1>
          <p class="lede">${introOf(overview)}</p>
        </header>
        ${overview.chainCount === 0
          ? html`<p class="notice">The list of chains has not been read yet. That happens
            within the first hour; <a href="/status">the status</a> shows whether the
            source answers.</p>`
          : html`${form(query)} ${results(chains, listing)} ${
            overview.day === null || countUnread(overview) > 0
              ? ""
              : cards(overview)
          } ${notes(overview, release)}`} ${citationBlock(
            cite({ title: TITLE, url, publicUrl, release, retrievedOn }),
          )}
      </div>
    `,
  };
}

function introOf(overview: Overview): Html | string {
  const { day, txCount, chainCount, countedChainCount } = overview;
  if (day === null || txCount === null) {
    return "Figures appear when the first series have been read.";
  }
  const unread = countUnread(overview);
  if (unread > 0) {
    return `${
      chainCount - unread
    } of ${chainCount} chains are read so far. Totals, shares and ranks appear when all are.`;
  }
  return html`
    ${formatValue(txCount)} transactions on
        <time class="nowrap"
      datetime="${day}">${day}</time>, the newest complete
        day of the <span class="nowrap">C-Chain</span>, on
        ${countedChainCount} of ${chainCount} chains.
  `;
}

/** A card: its heading, what it says when it is empty, and a figure for each chain. */
interface Card {
  readonly title: string;
  readonly rule: string;
  readonly chainIds: readonly number[];
  readonly figureOf: (chain: ChainSummary) => string | Html;
}

function cards({ chains, ...overview }: Overview): Html {
  const byId = new Map(chains.map((chain) => [chain.chainId, chain]));
  const formatChange = pctColumnFormat(
    overview.fastestGrowing.map((id) => byId.get(id)!.changePct),
  );
  const all: readonly Card[] = [
    {
      title: "Most active",
      rule: "transactions on that day",
      chainIds: overview.mostActive,
      figureOf: ({ recent }) => formatValue(recent.at(-1)!),
    },
    {
      title: "Fastest growing",
      rule:
        `last seven days against the seven before, from ${MIN_GROWING_FROM} a day`,
      chainIds: overview.fastestGrowing,
      figureOf: ({ changePct }) => formatChange(changePct!),
    },
    {
      title: "Newly live",
      rule: `first transaction in the last ${NEW_DAYS} days`,
      chainIds: overview.newlyLive,
      figureOf: ({ ageDays, liveSince }) =>
        html`<time datetime="${liveSince}" title="${liveSince}">${
          formatAge(ageDays!)
        }</time>`,
    },
  ];
  return html`
    <div class="grid leading">
      ${all.map(({ title, rule, chainIds, figureOf }) =>
        html`
          <section class="card stack stack-small">
            <h2>${title}</h2>
            <p class="muted small">${rule}</p>
            ${chainIds.length === 0
              ? html`<p>None</p>`
              : html`<ol class="leaders">${
                chainIds.map((id) => {
                  const chain = byId.get(id)!;
                  return html`<li>${chainLink(chain)}<span class="num">${
                    figureOf(chain)
                  }</span></li>`;
                })
              }</ol>`}
          </section>
        `
      )}
    </div>
  `;
}

const PERIOD_WORDS: Readonly<Record<Period, string>> = {
  day: "newest day",
  week: "7 days",
  month: "30 days",
};

const FOLD_WORDS: Readonly<Record<Fold, string>> = {
  sum: "total",
  mean: "mean",
  max: "highest",
  last: "newest",
};

/** Describes the column: `Active addresses, mean of the 7 days to 2026-11-23`. */
function columnWords({ metric, period, day }: ChainColumn): string {
  const { label, fold } = METRICS[metric];
  if (day === null) return label;
  return period === "day" || fold === "last"
    ? `${label} on ${day}`
    : `${label}, ${FOLD_WORDS[fold]} of the ${PERIODS[period]} days to ${day}`;
}

/** Renders the choices. On a phone they are folded while all are the usual ones. */
function form({ sort, q, state, metric, period }: OverviewQuery): Html {
  const isUsual = q === "" && state === undefined && metric === "txCount" &&
    period === "day";
  return html`
    <details class="phone-details" ${isUsual ? "" : "open"}>
      <summary>Search, or choose another figure</summary>
      <form class="cluster cluster-end" id="chains-form" action="${CHAINS}"
        role="search"
        aria-label="Chains">
      ${sort === USUAL_SORT
        ? ""
        : html`<input type="hidden" name="sort" value="${sort}">`}
      <div class="field">
        <label for="q">Name, token or chain id</label>
        <input id="q" name="q" type="search" value="${q}" maxlength="60"
          autocomplete="off" spellcheck="false">
      </div>
      <div class="field">
        <label for="metric">Figure</label>
        <select id="metric" name="metric">${METRIC_NAMES.map((name) =>
          html`<option value="${name === "txCount" ? "" : name}" ${
            name === metric ? "selected" : ""
          }>${METRICS[name].label}</option>`
        )}</select>
      </div>
      <div class="field">
        <label for="period">Over</label>
        <select id="period" name="period">${Object.entries(PERIOD_WORDS).map((
          [name, words],
        ) =>
          html`<option value="${name === "day" ? "" : name}" ${
            name === period ? "selected" : ""
          }>${words}</option>`
        )}</select>
      </div>
      <div class="field">
        <label for="state">Data</label>
        <select id="state" name="state">
          <option value="">all</option>
          ${COVERAGE_STATES.map((name) =>
            html`<option value="${name}" ${name === state ? "selected" : ""}>${
              COVERAGE[name].term
            }</option>`
          )}
        </select>
      </div>
      <button class="button-primary">Show</button>
      </form>
    </details>
  `;
}

/** What the table is made of besides its chains. */
interface Listing {
  readonly query: OverviewQuery;
  readonly overview: Overview;
  readonly column: ChainColumn | null;
  readonly checks: ReadonlyMap<number, SeriesCheck>;
  /** Chains whose figures were never read. */
  readonly unread: number;
  /** By chain id; empty while chains are unread. */
  readonly ranks: ReadonlyMap<number, number>;
}

function results(
  chains: readonly ChainRow[],
  listing: Listing,
): Html {
  const { query, overview, column, unread } = listing;
  const isFiltered = query.q !== "" || query.state !== undefined;
  const count = isFiltered
    ? `${chains.length} of ${overview.chainCount} chains`
    : `${chains.length} chains`;
  return html`
    <section class="stack stack-small" id="chains-results"
      aria-labelledby="chains-heading">
      <div class="cluster">
        <h2 id="chains-heading">All chains</h2>
        <p class="muted small" role="status">${count}${isFiltered
          ? html`
            · <a href="${CHAINS}">show all</a>
          `
          : ""}</p>
      </div>
      ${chains.length === 0
        ? html`<p class="notice">No chain matches. Search for a part of the name, a token or a
          chain id.</p>`
        : html`
          ${column === null ? "" : html`
            <p>${columnWords(column)}. ${unread > 0
              ? `${
                overview.chainCount - unread
              } of ${overview.chainCount} chains are read so far, so none is ranked.`
              : isInTokens(column)
              ? "Each chain has its own token, so the values are not ranked."
              : ""}</p>
          `}
          ${howToRead(overview)} ${chainsTable(chains, listing)}
          <form class="cluster" id="compare-chains" action="/"
            data-most="${MAX_COMPARED_CHAINS}">
            ${column === null
              ? ""
              : html`<input type="hidden" name="metric" value="${column.metric}">`}
            <button>Compare the ticked chains</button>
            <span class="muted small">up to ${MAX_COMPARED_CHAINS}, in one chart</span>
          </form>
        `}
    </section>
  `;
}

/** Explains the columns and the terms of the table below it. */
function howToRead({ day }: Overview): Html {
  return html`
    <details id="chains-rules">
      <summary>How to read it</summary>
      <div class="stack">
      <ul class="prose">
        <li>Every figure covers complete days only. Missing days break the line and are
          never filled in; a line begins on the first day of its chain.</li>
        <li>The change compares the last seven complete days with the seven before. It
          needs all fourteen.</li>
        <li>A share is the chain's part of the transactions of all chains with a complete value of
          <span class="nowrap">${day ?? "the day"}.</span></li>
        <li>Each small line fills its own range, so it shows the course of a chain
          and not its size.</li>
        <li>Transactions are those of the chain's newest complete day. Its date is shown if
          it differs from that day.</li>
      </ul>
      ${stateLegend()}
      </div>
    </details>
  `;
}

function notes({ untracked }: Overview, release: Release | null): Html {
  return html`
    <section class="stack stack-small" aria-labelledby="chains-source">
      <h2 id="chains-source">Where the figures come from</h2>
      <p class="small">${checkLinks()}</p>
      ${untracked.length === 0 ? "" : html`
        <p
          class="muted small">${untracked
            .length} more mainnet chains, which a public list names as active, are ${COVERAGE
            .notIndexed.term}: ${untracked.map(({ chainName }) =>
              printable(chainName)
            ).join(", ")}.</p>
      `}
      <p class="muted small">${release === null
        ? "Computed from the series that have been read so far. The files appear when all series have been read."
        : html`Built ${
          instant(new Date(release.builtAt).toISOString())
        }, once after each
          publication of the source. The same data as
          <a href="${DOWNLOADS}/${CHAINS_OVERVIEW}">JSON</a>,
          <a href="${DOWNLOADS}/${OVERVIEW_TABLE}.csv.gz" download>CSV</a> and
          <a href="${DOWNLOADS}/${OVERVIEW_TABLE}.parquet" download>Parquet</a>.`}</p>
    </section>
  `;
}

/** A column: its heading, what it sorts by, and its first direction. */
interface Column {
  readonly label: string;
  readonly key?: SortKey;
  readonly isDescending?: boolean;
  /** Whether a phone has no room for it. The page of each chain has the same. */
  readonly isWide?: boolean;
}

const COLUMNS: readonly Column[] = [
  { label: "Rank" },
  { label: "Chain", key: "name" },
  { label: "30 days", isWide: true },
  { label: "Transactions", key: "value", isDescending: true },
  { label: "7-day change", key: "change", isDescending: true },
  { label: "Share", key: "share", isDescending: true, isWide: true },
  { label: "Age", key: "age", isDescending: true, isWide: true },
  { label: "Proof", key: "state", isWide: true },
];

/** Returns the columns of a query. Values that do not add up have no share. */
function columnsOf({ metric }: OverviewQuery): readonly Column[] {
  return isAdditive(metric)
    ? COLUMNS
    : COLUMNS.filter(({ key }) => key !== "share");
}

const isAdditive = (metric: Metric) => METRICS[metric].notAdditive === null;

/** Returns the path of the overview with a query. What is usual is left out. */
function overviewPath(
  { sort, q, state, metric, period }: OverviewQuery,
): string {
  const query = new URLSearchParams({
    ...metric !== "txCount" && { metric },
    ...period !== "day" && { period },
    ...sort !== USUAL_SORT && { sort },
    ...q !== "" && { q },
    ...state !== undefined && { state },
  });
  return query.size === 0 ? CHAINS : `${CHAINS}?${query}`;
}

/** Renders the table. */
export function chainsTable(
  chains: readonly ChainRow[],
  listing: Listing,
): Html {
  const { query } = listing;
  const formatChange = pctColumnFormat(
    chains.map(({ changePct }) => changePct),
  );
  return html`
    <div class="table-scroll chains-table" role="region" aria-label="Chains"
      tabindex="0">
      <table>
        <thead>
          <tr>${columnsOf(query).map((column) => heading(column, query))}</tr>
        </thead>
        <tbody>${chains.map((chain) =>
          row(chain, listing, formatChange)
        )}</tbody>
      </table>
    </div>
  `;
}

function heading(
  { label, key, isDescending = false, isWide = false }: Column,
  query: OverviewQuery,
): Html {
  if (query.metric !== "txCount") {
    if (key === "value") {
      // A value in the token of its chain has its unit beside it.
      const unit = isInTokens(query)
        ? undefined
        : shownUnitOf(METRICS[query.metric]);
      label = METRICS[query.metric].label +
        (unit === undefined ? "" : `, ${unit.name}`);
    }
    if (key === "state") label = "Proof of transactions";
  }
  // Figures begin with the highest; words do not.
  const kind = isDescending ? "num" : "";
  const wide = isWide ? "data-wide" : "";
  if (key === undefined) {
    return html`<th scope="col" ${wide}>${label}</th>`;
  }
  const [rising, falling] = [key, `-${key}`] as const;
  const [usual, other] = isDescending ? [falling, rising] : [rising, falling];
  const sort = query.sort === usual ? other : usual;
  const link = html`<a href="${overviewPath({ ...query, sort })}">${label}</a>`;
  if (query.sort !== rising && query.sort !== falling) {
    return html`<th scope="col" class="${kind}" ${wide}>${link}</th>`;
  }
  const isRising = query.sort === rising;
  return html`
    <th scope="col" class="${kind}" ${wide}
      aria-sort="${isRising
        ? "ascending"
        : "descending"}">${link}<span aria-hidden="true"> ${isRising
        ? "▲"
        : "▼"}</span></th>
  `;
}

function row(
  chain: ChainRow,
  { query, overview, column, checks, unread, ranks }: Listing,
  formatChange: (pct: number) => string,
): Html {
  const { day } = overview;
  const { chainId, token, liveSince, ageDays, changePct, noChange } = chain;
  const isShared = unread === 0;
  const sharePct = isShared ? chain.sharePct : null;
  const isOtherDay = column === null && chain.day !== null && chain.day !== day;
  const isUnread = column === null
    ? chain.state === "unread"
    : noChange === "unread";
  const nothing = isUnread ? UNREAD : NOTHING;
  const value = column === null
    ? chain.txCount
    : column.figures.get(chainId)!.value;
  return html`
    <tr>
      <td class="rank">${ranks.get(chainId) ?? UNREAD}</td>
      <th scope="row"><label class="tick"><input type="checkbox" name="chainId"
        value="${chain.chainId}" form="compare-chains"
        aria-label="Compare ${printable(
          chain.chainName,
        )}"></label>${chainLink(chain)}${token === null ? "" : html`
          <span class="muted small">${token}</span>
        `}</th>
      <td data-wide>${isUnread ? UNREAD : sparkline({
        values: chain.recent,
        width: 120,
        height: 28,
        daysBefore: daysBefore(liveSince, {
          end: column?.day ?? day,
          count: chain.recent.length,
        }),
      })}</td>
      <td class="num">${value === null
        ? nothing
        : formatValue(shownValue(query.metric, value))}${value !== null &&
          column !== null &&
          isInTokens(column)
        ? html`<small>${unitOf(column.metric, { token })}</small>`
        : ""}${isOtherDay ? html`<small>on ${chain.day}</small>` : ""}</td>
      <td class="num ${directionOf(changePct)}">${changeCell(
        chain,
        formatChange,
      )}</td>
      ${column !== null && !isAdditive(column.metric)
        ? ""
        : html`<td class="num" data-wide>${
          sharePct === null
            ? isShared ? nothing : UNREAD
            : formatChainShare(sharePct)
        }</td>`}
      <td class="num" data-wide>${ageDays === null
        ? nothing
        : html`${formatAge(ageDays)}<small>${liveSince}</small>`}</td>
      <td data-wide>${chainProof(
        chain,
        checks.get(chain.chainId) ?? null,
        shortProof,
      )}</td>
    </tr>
  `;
}

/** Returns the class that colours a change; its sign says the same. */
function directionOf(changePct: number | null): string {
  const sign = Math.sign(changePct ?? 0);
  return sign > 0 ? "is-up" : sign < 0 ? "is-down" : "";
}

const NOTHING = html`<span class="muted">none</span>`;

/** A figure of a chain that was not read: nobody knows whether it has one. */
const UNREAD = html`<span class="muted">–</span>`;
