/**
 * The overview of all chains by their daily transactions, one metric of all of them, and
 * all metrics of one: newest complete days, changes over a week, small charts.
 */
import { type Chain, COVERAGE_STATES } from "../catalogue/chains_schema.ts";
import {
  C_CHAIN,
  type Fold,
  type Metric,
  METRIC_NAMES,
  METRICS,
  STORED_METRICS,
} from "../catalogue/metrics_schema.ts";
import { dayAt, formatDay, MINUTE_MS, parseDay } from "../../platform/days.ts";
import { sumOf } from "../../platform/numbers.ts";
import {
  foldValues,
  isComplete,
  isWithdrawn,
  newestCompleteDay,
} from "../series/buckets.ts";
import {
  firstActiveDay,
  inferableThrough,
  lastActiveDay,
  withInferredDays,
} from "../series/inferred_days.ts";
import {
  type DailySeries,
  EMPTY_SERIES,
  isEmpty,
  newestDay,
  valueOn,
} from "../series/series.ts";
import {
  CARD_CHAINS,
  type ChainColumn,
  type ChainFigure,
  type ChainRow,
  type ChainSummary,
  CHANGE_DAYS,
  MIN_GROWING_FROM,
  NEW_DAYS,
  type NoChange,
  type Overview,
  OVERVIEW_DAYS,
  type OverviewQuery,
  type Period,
  PERIODS,
  type SortKey,
  type WeekChange,
} from "./overview_schema.ts";
import { listUntracked } from "../catalogue/listed_chains.ts";
import { matchesSearch, unknownChain } from "../catalogue/chains.ts";
import { roundPct } from "../checks/comparison.ts";
import {
  type CoveredChain,
  proofOfChain,
  readCoverageOf,
} from "../checks/coverage.ts";
import { Fault } from "../../platform/fault.ts";
import { ofUpstream } from "../../platform/http/upstream_answer.ts";
import type { ChainDataDeps } from "../checks/deps.ts";
import { storedIdOf } from "../catalogue/series_id.ts";
import { valuesOf } from "../series/derived_days.ts";
import {
  findMetric,
  findPublication,
  findSeries,
  findTxCount,
} from "../series/series_reader.ts";
import type { SeriesCheck } from "../catalogue/fields_schema.ts";

/** A chain with its coverage and its stored daily transactions. */
export interface ReadChain
  extends Pick<CoveredChain, "check" | "coverage" | "txCount"> {
  readonly chain: Pick<
    CoveredChain["chain"],
    "blockchainId" | "chainId" | "chainName" | "token"
  >;
}

/** When an overview is made. */
export interface OverviewMoment {
  /** The newest day that the source has published for the C-Chain; null before the first read. */
  readonly publishedDay: number | null;
  readonly today: number;
}

/** A chain before the shares are known. */
interface Measured {
  readonly read: ReadChain;
  readonly series: DailySeries | null;
  readonly change: WeekChange;
}

/** Calculates the overview. Every figure is of complete days; a missing figure is null. */
export function overviewOf(
  chains: readonly ReadChain[],
  { publishedDay, today }: OverviewMoment,
): Overview {
  const measured = chains.map((read) => measure(read, { publishedDay, today }));
  const canary = measured.find(({ read }) => read.chain.chainId === C_CHAIN)
    ?.series;
  const day = canary ? newestCompleteDay(canary, today) : null;
  const valueOf = ({ series }: Pick<Measured, "series">) =>
    day === null || series === null || !isComplete(series, day, today)
      ? null
      : valueOn(series, day);
  const counted = measured.map(valueOf).filter((value) => value !== null);
  const total = day === null ? null : sumOf(counted);
  const summaries = measured.map((one): ChainSummary => {
    const { read: { chain, coverage, check }, series } = one;
    const { chainId, chainName, token } = chain;
    const newest = series && newestCompleteDay(series, today);
    const since = series && firstActiveDay(series);
    const value = valueOf(one);
    return {
      chainId,
      chainName,
      token,
      state: coverage.state,
      since: coverage.since,
      ...proofOfChain(check),
      day: newest === null ? null : formatDay(newest),
      txCount: newest === null ? null : valueOn(series!, newest),
      changePct: one.change.changePct,
      noChange: one.change.noChange,
      sharePct: value === null || !total ? null : shareOf(value, total),
      liveSince: since === null ? null : formatDay(since),
      ageDays: since === null || publishedDay === null
        ? null
        : Math.max(0, publishedDay - since),
      recent: day === null || series === null
        ? []
        : recentDays(series, { end: day, count: OVERVIEW_DAYS, today }),
    };
  });
  return {
    day: day === null ? null : formatDay(day),
    recentFrom: day === null ? null : formatDay(day - OVERVIEW_DAYS + 1),
    txCount: total,
    chainCount: chains.length,
    countedChainCount: counted.length,
    untracked: listUntracked(chains.map(({ chain }) => chain)),
    ...cardsOf(summaries, { day, measured }),
    chains: summaries,
  };
}

/** Returns the complete days of a window; null for every other day. */
function recentDays(
  series: DailySeries,
  { end, count, today }: {
    readonly end: number;
    readonly count: number;
    readonly today: number;
  },
): (number | null)[] {
  return Array.from({ length: count }, (_, nth) => {
    const day = end - count + 1 + nth;
    return isComplete(series, day, today) ? valueOn(series, day) : null;
  });
}

/** Returns a share in percent, with six significant digits: chains differ by a million times. */
function shareOf(value: number, total: number): number {
  return Number((value / total * 100).toPrecision(6));
}

function measure(
  read: ReadChain,
  { publishedDay, today }: OverviewMoment,
): Measured {
  const { txCount: series } = read;
  if (series === null || publishedDay === null) {
    return { read, series, change: none("unread") };
  }
  const known = withInferredDays(series, {
    kind: METRICS.txCount.kind,
    txCount: series,
    through: inferableThrough(publishedDay),
  });
  const change = isIdle(series, publishedDay)
    ? none("idle")
    : weekChangeOf(known, { fold: "mean", today });
  return { read, series: known, change };
}

/** Returns whether a chain had no transaction in the last seven published days. */
function isIdle(series: DailySeries, publishedDay: number): boolean {
  return (lastActiveDay(series) ?? -Infinity) <= inferableThrough(publishedDay);
}

/** Returns the leading chains of each card. */
function cardsOf(
  summaries: readonly ChainSummary[],
  { day, measured }: {
    readonly day: number | null;
    readonly measured: readonly Measured[];
  },
): Pick<Overview, "mostActive" | "fastestGrowing" | "newlyLive"> {
  const lead = (rankOf: (summary: ChainSummary, nth: number) => number) =>
    summaries.map((summary, nth) => ({
      chainId: summary.chainId,
      rank: rankOf(summary, nth),
    }))
      .filter(({ rank }) => rank > 0)
      .toSorted((a, b) => b.rank - a.rank || a.chainId - b.chainId)
      .slice(0, CARD_CHAINS)
      .map(({ chainId }) => chainId);
  const isCurrent = (summary: ChainSummary) =>
    day !== null && summary.day !== null && parseDay(summary.day) >= day;
  return {
    mostActive: lead(({ recent }) => recent.at(-1) ?? 0),
    fastestGrowing: lead((summary, nth) => {
      const { changePct, from } = measured[nth]!.change;
      return changePct !== null && isCurrent(summary) &&
          from >= MIN_GROWING_FROM
        ? changePct
        : 0;
    }),
    newlyLive: lead(({ ageDays }) => ageDays === null ? 0 : NEW_DAYS - ageDays),
  };
}

/** Joins chains with the figures of a column; null is the transactions of the newest day. */
export function rowsOf(
  chains: readonly ChainSummary[],
  column: ChainColumn | null,
): ChainRow[] {
  return chains.map((chain) => {
    // Of the same day for all: a chain's own newest day can be long ago.
    if (column === null) {
      return { ...chain, value: chain.recent.at(-1) ?? null };
    }
    const figure = column.figures.get(chain.chainId)!;
    return { ...chain, ...figure, ...isInTokens(column) && { value: null } };
  });
}

/** Returns whether the values of a column are in the token of each chain. */
export function isInTokens({ metric }: Pick<ChainColumn, "metric">): boolean {
  return ["avax", "wei"].includes(METRICS[metric].unit);
}

/** Returns the chains that a query selects, in its order. */
export function selectChains(
  chains: readonly ChainRow[],
  { sort, q, state }: Pick<OverviewQuery, "sort" | "q" | "state">,
): ChainRow[] {
  return chains
    .filter((chain) => state === undefined || chain.state === state)
    .filter((chain) => matchesSearch(chain, q))
    .toSorted(orderOf(sort));
}

/** What each key compares; null is last in both directions. */
const VALUES: Readonly<
  Record<SortKey, (chain: ChainRow) => number | string | null>
> = {
  name: ({ chainName }) => chainName,
  value: ({ value }) => value,
  change: ({ changePct }) => changePct,
  share: ({ sharePct }) => sharePct,
  age: ({ ageDays }) => ageDays,
  state: ({ state }) => COVERAGE_STATES.indexOf(state),
};

const NAMES = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Returns the comparison of a sort. Equal chains stay in the order of their names and ids. */
function orderOf(
  sort: OverviewQuery["sort"],
): (a: ChainRow, b: ChainRow) => number {
  const isDescending = sort.startsWith("-");
  const valueOf = VALUES[sort.replace("-", "") as SortKey];
  return (a, b) => {
    const [one, two] = [valueOf(a), valueOf(b)];
    const absent = Number(one === null) - Number(two === null);
    if (absent !== 0) return absent;
    const order = one === null ? 0 : compare(one, two!);
    return (isDescending ? -order : order) ||
      NAMES.compare(a.chainName, b.chainName) || a.chainId - b.chainId;
  };
}

/** The keys that rank chains: the others only order them. */
const RANKED: readonly SortKey[] = ["value", "change", "share", "age"];

/**
 * Returns the ranks of chains by the sorted column, else by the value: 1 is the highest,
 * and equal figures have one rank. A chain without a figure has none.
 */
export function ranksOf(
  chains: readonly ChainRow[],
  sort: OverviewQuery["sort"],
): ReadonlyMap<number, number> {
  const key = sort.replace("-", "") as SortKey;
  const valueOf = VALUES[RANKED.includes(key) ? key : "value"];
  const figures = chains.map((chain) => ({ chain, figure: valueOf(chain) }))
    .filter(({ figure }) => figure !== null);
  return new Map(figures.map(({ chain, figure }) => [
    chain.chainId,
    1 + figures.filter((other) => other.figure! > figure!).length,
  ]));
}

/** Where a chain stands among all by its transactions of the overview's day. */
export interface Standing {
  readonly day: string | null;
  /** 1 is the highest; null while a chain is unread, and without a complete value. */
  readonly rank: number | null;
  readonly rankedCount: number;
  /** Null where the rank is. */
  readonly sharePct: number | null;
  readonly unreadCount: number;
  readonly chainCount: number;
}

/** Counts the chains without a read series. While there are some, nothing is ranked or shared. */
export function countUnread({ chains }: Pick<Overview, "chains">): number {
  return chains.filter(({ state }) => state === "unread").length;
}

/** Returns where a chain stands. Nothing is ranked or shared while a chain is unread. */
export function standingOf(
  { day, chains, chainCount }: Pick<Overview, "day" | "chains" | "chainCount">,
  chainId: number,
): Standing {
  const unreadCount = countUnread({ chains });
  const ranks = unreadCount > 0
    ? new Map<number, number>()
    : ranksOf(rowsOf(chains, null), "-value");
  const rank = ranks.get(chainId) ?? null;
  const chain = chains.find((chain) => chain.chainId === chainId);
  return {
    day,
    rank,
    rankedCount: ranks.size,
    sharePct: rank === null ? null : chain?.sharePct ?? null,
    unreadCount,
    chainCount,
  };
}

function compare(one: number | string, two: number | string): number {
  return typeof one === "string"
    ? NAMES.compare(one, String(two))
    : one - Number(two);
}

/**
 * Compares the last seven complete days with the seven before. There is no change
 * unless all fourteen days are complete: a missing day is never replaced.
 */
export function weekChangeOf(
  series: DailySeries,
  { fold, today }: { readonly fold: Fold; readonly today: number },
): WeekChange {
  const end = newestCompleteDay(series, today);
  if (isEmpty(series) || end === null) return none("noCompleteDay");
  const start = end - 2 * CHANGE_DAYS + 1;
  if (start < series.firstDay) return none("young");
  const values: number[] = [];
  for (let day = start; day <= end; day++) {
    if (!isComplete(series, day, today)) return none("missing");
    if (isWithdrawn(series, day)) return none("withdrawn");
    values.push(valueOn(series, day));
  }
  const from = foldValues(fold, values.slice(0, CHANGE_DAYS));
  const to = foldValues(fold, values.slice(CHANGE_DAYS));
  return from === 0
    ? none("fromZero")
    : { changePct: roundPct((to / from - 1) * 100), noChange: null, from };
}

/** Returns the absence of a change. */
function none(noChange: NoChange): WeekChange {
  return { changePct: null, noChange, from: null };
}

type ReadDeps = Pick<ChainDataDeps, "now" | "store" | "upstream">;

/** Days of the charts of a chain's page. */
const CHAIN_DAYS = 90;

/** Retry-After while the list of chains has never been read. */
const UNREAD_RETRY_MS = MINUTE_MS;

/** A metric of a chain. Days are YYYY-MM-DD. */
export interface MetricSummary {
  readonly metric: Metric;
  /** Whether the source lacks the metric although the chain is active. */
  readonly isLacking: boolean;
  /** The newest complete day; null if there is none. */
  readonly day: string | null;
  readonly value: number | null;
  readonly changePct: number | null;
  readonly noChange: NoChange | null;
  /** The complete days of the window; null for every other day. */
  readonly recent: readonly (number | null)[];
}

/** A chain with its metrics. */
export interface ChainMetrics {
  readonly chain: Chain;
  readonly summary: ChainSummary;
  /** How its transactions compare with a second source; null if they were never read. */
  readonly check: SeriesCheck | null;
  /** First and last day of the charts; null before the first publication. */
  readonly from: string | null;
  readonly to: string | null;
  readonly metrics: readonly MetricSummary[];
}

/** Reads a chain from the store; no upstream is called. Throws a fault for an unknown chain, and before the list of chains is read. */
export async function readChainMetrics(
  deps: ReadDeps,
  chainId: number,
): Promise<ChainMetrics> {
  const list = ofUpstream(
    deps.upstream.metrics,
    await deps.store.chains.find(),
  );
  if (list === null) {
    const { host } = new URL(deps.upstream.metrics.baseUrl);
    throw new Fault(
      `Cannot show chain ${chainId}: the list of chains has not been read yet`,
      { kind: "upstreamDown", upstream: host, retryAfterMs: UNREAD_RETRY_MS },
    );
  }
  const chain = list.chains.find((chain) => chain.chainId === chainId);
  if (chain === undefined) throw unknownChain(chainId);
  const publishedDay = (await findPublication(deps))?.newestDay ?? null;
  const [covered, ...found] = await Promise.all([
    readCoverageOf(deps, chain, publishedDay),
    ...STORED_METRICS.map((metric) =>
      findSeries(deps, { subject: chainId, metric })
    ),
  ]);
  const { txCount, check } = covered;
  const moment = { publishedDay, today: dayAt(deps.now().getTime()) };
  const stored = new Map(
    STORED_METRICS.map((metric, nth) => [metric, found[nth] ?? null]),
  );
  // A running total is read once, also for its daily growth.
  const seriesOf = (metric: Metric) => {
    const held = stored.get(storedIdOf({ chainId, metric }).metric) ?? null;
    return held && valuesOf(metric, held).series;
  };
  const { chains: [summary] } = overviewOf([covered], moment);
  const end = publishedDay === null ? null : publishedDay - 1;
  return {
    chain,
    summary: summary!,
    check,
    from: end === null ? null : formatDay(end - CHAIN_DAYS + 1),
    to: end === null ? null : formatDay(end),
    metrics: METRIC_NAMES.map((metric) =>
      summarise(metric, {
        series: seriesOf(metric),
        txCount,
        moment,
      })
    ),
  };
}

/**
 * Reads a metric of chains over a period from the store; no upstream is called. Chains
 * that can't be compared have values, but no shares.
 */
export async function readColumn(
  deps: ReadDeps,
  chains: readonly Pick<Chain, "chainId">[],
  { metric, period }: { readonly metric: Metric; readonly period: Period },
): Promise<ChainColumn> {
  const publishedDay = (await findPublication(deps))?.newestDay ?? null;
  const moment = { publishedDay, today: dayAt(deps.now().getTime()) };
  const { fold, notAdditive } = METRICS[metric];
  const days = PERIODS[period];
  const found:
    (MetricSummary & Pick<ChainFigure, "value"> & Pick<Chain, "chainId">)[] =
      [];
  // Sequential: other requests run while this one waits for the store.
  for (const { chainId } of chains) {
    const [stored, txCount] = await Promise.all([
      findMetric(deps, { chainId, metric }),
      findTxCount(deps, chainId),
    ]);
    const series = stored?.series ?? null;
    const summary = summarise(metric, { series, txCount, moment });
    const values = summary.recent.slice(-days)
      .filter((value) => value !== null);
    const value = values.length === days ? foldValues(fold, values) : null;
    found.push({ ...summary, chainId, value });
  }
  const unreadCount = found.filter(({ noChange }) => noChange === "unread")
    .length;
  const total = sumOf(found.flatMap(({ value }) => value ?? []));
  return {
    metric,
    period,
    day: publishedDay === null ? null : formatDay(publishedDay - 1),
    unreadCount,
    figures: new Map(found.map(({ chainId, value, ...rest }) => [chainId, {
      value,
      changePct: rest.changePct,
      noChange: rest.noChange,
      recent: rest.recent.slice(-OVERVIEW_DAYS),
      sharePct: notAdditive !== null || unreadCount > 0 || value === null ||
          total === 0
        ? null
        : value / total * 100,
    }])),
  };
}

/** Summarises a metric; `series` is null if it was never read. */
function summarise(
  metric: Metric,
  { series, txCount, moment: { publishedDay, today } }: {
    readonly series: DailySeries | null;
    readonly txCount: DailySeries | null;
    readonly moment: OverviewMoment;
  },
): MetricSummary {
  const unknown = {
    metric,
    isLacking: false,
    day: null,
    value: null,
    recent: [],
  };
  if (series === null || publishedDay === null) {
    return { ...unknown, changePct: null, noChange: "unread" };
  }
  const transactions = txCount ?? EMPTY_SERIES;
  const active = lastActiveDay(transactions);
  if (isEmpty(series) && active !== null) {
    return {
      ...unknown,
      isLacking: true,
      changePct: null,
      noChange: "noCompleteDay",
    };
  }
  const { kind, fold } = METRICS[metric];
  const through = inferableThrough(publishedDay);
  const known = withInferredDays(series, {
    kind,
    txCount: transactions,
    through,
  });
  const day = newestCompleteDay(known, today);
  const isOver = (newestDay(series) ?? -Infinity) <= through;
  const { changePct, noChange } = isOver
    ? none("idle")
    : weekChangeOf(known, { fold, today });
  return {
    metric,
    isLacking: false,
    day: day === null ? null : formatDay(day),
    value: day === null ? null : valueOn(known, day),
    changePct,
    noChange,
    recent: recentDays(known, {
      end: publishedDay - 1,
      count: CHAIN_DAYS,
      today,
    }),
  };
}
