/** One chain with all metrics: newest complete days, changes over a week, small charts. */
import { dayAt, formatDay, MINUTE_MS } from "../platform/days.ts";
import { Fault } from "../platform/fault.ts";
import { ofUpstream } from "../platform/http/upstream_answer.ts";
import { unknownChain } from "../chain_data/catalogue/chains.ts";
import type { Chain } from "../chain_data/catalogue/chains_schema.ts";
import type { DownloadsDeps } from "./downloads.ts";
import {
  type Metric,
  METRIC_NAMES,
  METRICS,
  STORED_METRICS,
} from "../chain_data/catalogue/metrics_schema.ts";
import { storedIdOf } from "../chain_data/catalogue/series_id.ts";
import { valuesOf } from "../chain_data/series/derived_days.ts";
import { foldValues, newestCompleteDay } from "../chain_data/series/buckets.ts";
import { sumOf } from "../platform/numbers.ts";
import {
  inferableThrough,
  lastActiveDay,
  withInferredDays,
} from "../chain_data/series/inferred_days.ts";
import {
  type DailySeries,
  EMPTY_SERIES,
  isEmpty,
  newestDay,
  valueOn,
} from "../chain_data/series/series.ts";
import {
  findMetric,
  findPublication,
  findSeries,
  findTxCount,
} from "../chain_data/series/series_reader.ts";
import {
  none,
  type OverviewMoment,
  overviewOf,
  recentDays,
  weekChangeOf,
} from "../chain_data/overview/overview.ts";
import {
  type ChainColumn,
  type ChainFigure,
  type ChainSummary,
  type NoChange,
  OVERVIEW_DAYS,
  type Period,
  PERIODS,
} from "../chain_data/overview/overview_schema.ts";
import type { SeriesCheck } from "../chain_data/catalogue/fields_schema.ts";
import { readCoverageOf } from "../chain_data/checks/coverage.ts";

type ChainDeps = Pick<DownloadsDeps, "now" | "store" | "upstream">;

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
  deps: ChainDeps,
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
  deps: ChainDeps,
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
