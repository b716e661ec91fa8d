/** The table of all chains, and the links that sort it. */
import { html } from "hono/html";
import {
  type ChainSummary,
  type Overview,
  type OverviewQuery,
  type SortKey,
  USUAL_SORT,
} from "../../services/chain_data/overview/overview_schema.ts";
import { formatValue, pctColumnFormat } from "../charts/chart_words.ts";
import type { Html } from "../pages/layout.ts";
import {
  chainLink,
  CHAINS,
  changeCell,
  formatAge,
  formatChainShare,
  stateBadge,
} from "./chain_words.ts";
import { sparkline } from "./sparkline.ts";

/** A column: its heading, what it sorts by, and its first direction. */
interface Column {
  readonly label: string;
  readonly key?: SortKey;
  readonly isDescending?: boolean;
}

const COLUMNS: readonly Column[] = [
  { label: "Chain", key: "name" },
  { label: "30 days" },
  { label: "Transactions", key: "transactions", isDescending: true },
  { label: "7-day change", key: "change", isDescending: true },
  { label: "Share", key: "share", isDescending: true },
  { label: "Age", key: "age", isDescending: true },
  { label: "Data", key: "state" },
];

/** Index of the first and of the last numeric column. */
const NUMBERS = [2, 5] as const;

/** Returns the path of the overview with a query. What is usual is left out. */
function overviewPath({ sort, q, state }: OverviewQuery): string {
  const query = new URLSearchParams({
    ...sort !== USUAL_SORT && { sort },
    ...q !== "" && { q },
    ...state !== undefined && { state },
  });
  return query.size === 0 ? CHAINS : `${CHAINS}?${query}`;
}

/** Renders the table. */
export function chainsTable(
  chains: readonly ChainSummary[],
  { query, overview }: {
    readonly query: OverviewQuery;
    readonly overview: Overview;
  },
): Html {
  const formatChange = pctColumnFormat(
    chains.map(({ changePct }) => changePct),
  );
  return html`
    <div class="table-scroll chains-table" role="region" aria-label="Chains"
      tabindex="0">
      <table>
        <thead>
          <tr>${COLUMNS.map((column, nth) => heading(column, nth, query))}</tr>
        </thead>
        <tbody>${chains.map((chain) =>
          row(chain, overview, formatChange)
        )}</tbody>
      </table>
    </div>
  `;
}

function heading(
  { label, key, isDescending = false }: Column,
  nth: number,
  query: OverviewQuery,
): Html {
  const kind = nth >= NUMBERS[0] && nth <= NUMBERS[1] ? "num" : "";
  if (key === undefined) return html`<th scope="col">${label}</th>`;
  const [rising, falling] = [key, `-${key}`] as const;
  const [usual, other] = isDescending ? [falling, rising] : [rising, falling];
  const sort = query.sort === usual ? other : usual;
  const link = html`<a href="${overviewPath({ ...query, sort })}">${label}</a>`;
  if (query.sort !== rising && query.sort !== falling) {
    return html`<th scope="col" class="${kind}">${link}</th>`;
  }
  const isRising = query.sort === rising;
  return html`
    <th scope="col" class="${kind}"
      aria-sort="${isRising
        ? "ascending"
        : "descending"}">${link}<span aria-hidden="true"> ${isRising
        ? "▲"
        : "▼"}</span></th>
  `;
}

function row(
  chain: ChainSummary,
  { day }: Overview,
  formatChange: (pct: number) => string,
): Html {
  const { token, txCount, sharePct, liveSince, ageDays, state } = chain;
  const isOtherDay = chain.day !== null && chain.day !== day;
  const nothing = state === "unread" ? UNREAD : NOTHING;
  return html`
    <tr>
      <th scope="row">${chainLink(chain)}${token === null ? "" : html`
        <span class="muted small">${token}</span>
      `}</th>
      <td>${state === "unread"
        ? UNREAD
        : sparkline({ values: chain.recent, width: 120, height: 28 })}</td>
      <td class="num">${txCount === null
        ? nothing
        : formatValue(txCount)}${isOtherDay
        ? html`<small>on ${chain.day}</small>`
        : ""}</td>
      <td class="num">${changeCell(chain, formatChange)}</td>
      <td class="num">${sharePct === null
        ? nothing
        : formatChainShare(sharePct)}</td>
      <td class="num">${ageDays === null
        ? nothing
        : html`${formatAge(ageDays)}<small>${liveSince}</small>`}</td>
      <td>${stateBadge(state)}</td>
    </tr>
  `;
}

const NOTHING = html`<span class="muted">none</span>`;

/** A figure of a chain that was not read: nobody knows whether it has one. */
const UNREAD = html`<span class="muted">–</span>`;
