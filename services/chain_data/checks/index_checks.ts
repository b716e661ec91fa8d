/** The second source of every chain: what the explorer index has of it, and how it is compared. */
import type { SeriesCheck } from "../catalogue/fields_schema.ts";
import {
  CHECKS,
  INDEX_CHECKS,
  INDEX_METRICS,
  type IndexMetric,
  MIN_COVERED_DAYS,
  MOST_PCT,
} from "../catalogue/cross_checks_schema.ts";
import type { Chain } from "../catalogue/chains_schema.ts";
import {
  C_CHAIN,
  type MetricsAnswer,
  type MetricsQuery,
} from "../catalogue/metrics_schema.ts";
import { type ExplorerMetric, indexSeriesId } from "../catalogue/series_id.ts";
import type { ChainDataDeps } from "./deps.ts";
import type { DayWindow } from "../series/buckets.ts";
import { readMetrics } from "../series/read_metrics.ts";
import { type DailySeries, EMPTY_SERIES, valueOn } from "../series/series.ts";
import { findMetric, findSeries } from "../series/series_reader.ts";
import { findSeriesAsOf, instantOf } from "../series/vintages.ts";
import type {
  CacheableAnswer,
  FreshnessOptions,
} from "../../platform/cache.ts";
import { dayAt, formatDay, parseDay } from "../../platform/days.ts";
import { ofUpstream } from "../../platform/http/upstream_answer.ts";
import {
  type Agreement,
  compareDays,
  compareValues,
  type DayPair,
  isAwaited,
  isIn,
  pairDays,
} from "./comparison.ts";
import { indexMetricsOf, isIndexed } from "./explorer_series.ts";

type StoredDeps = Pick<ChainDataDeps, "now" | "store" | "upstream">;

/** Why a series is not compared. */
type Reason = NonNullable<SeriesCheck["reason"]>;

/** How two sources of a metric of a chain compare. */
interface IndexComparison extends Agreement {
  /** Null if the series is compared. */
  readonly reason: Reason | null;
  /** Days of the window that both sources have, and the second does not cover. */
  readonly notCoveredDayCount: number;
}

/** The two sources, and our transactions: a day's fees may differ by those of a few. */
interface Sides {
  readonly ours: DailySeries;
  readonly second: DailySeries;
  readonly txCount?: DailySeries | undefined;
}

/**
 * Compares a metric of a chain with the index. A zero beside traffic, and a zero before
 * the first day with a value, is not covered: an index that starts or lags answers 0.
 */
export function compareWithIndex(
  metric: IndexMetric,
  { ours, second, txCount }: Sides,
  { window, today }: { readonly window: DayWindow; readonly today: number },
): IndexComparison {
  const { tolerancePct, slack } = INDEX_CHECKS[metric];
  const slackOn = ({ day, value }: DayPair) => {
    if (metric !== "feesPaid") return slack;
    const transactions = valueOn(txCount ?? EMPTY_SERIES, day);
    return transactions > 0 ? value! * slack / transactions : 0;
  };
  const pairs = pairDays(ours, second, today);
  const first =
    pairs.find(({ crossCheckValue }) => crossCheckValue! > 0)?.day ??
      Infinity;
  const isCovered = ({ day, value, crossCheckValue }: DayPair) =>
    day >= first && !(crossCheckValue === 0 && value! > 0);
  const covered = pairs.map((pair) =>
    isCovered(pair) ? pair : { ...pair, crossCheckValue: null }
  );
  const compare = (window: DayWindow) =>
    compareDays(covered, { window, tolerancePct, slackOn });
  const coveredDayCount = covered
    .filter(({ crossCheckValue }) => crossCheckValue !== null).length;
  const reason = !isIndexed(second)
    ? "notIndexed"
    : coveredDayCount < MIN_COVERED_DAYS
    ? "tooFewDays"
    : metric === "activeAddresses" && isCountedDifferently(compare(ALL_DAYS))
    ? "countedDifferently"
    : null;
  return {
    ...reason === null
      ? compare(window)
      : compareDays([], { window, tolerancePct }),
    reason,
    notCoveredDayCount:
      pairs.filter((pair) =>
        isIn(window, pair.day) && pair.value !== null &&
        pair.crossCheckValue !== null &&
        !isCovered(pair)
      ).length,
  };
}

const ALL_DAYS: DayWindow = { start: -Infinity, end: Infinity };

/** Returns whether the sources differ on most of the recent days. */
function isCountedDifferently({ recentAgreementPct }: Agreement): boolean {
  return recentAgreementPct !== null && recentAgreementPct < MOST_PCT;
}

/** Reads a metric of a chain, and how it compares with its second source over the same days. */
export async function readCheckedMetrics(
  deps:
    & StoredDeps
    & Pick<ChainDataDeps, "log" | "runningJobs" | "share" | "sleep">,
  query: MetricsQuery,
  freshness: FreshnessOptions,
): Promise<CacheableAnswer<MetricsAnswer>> {
  const [{ ours, answer, changedAt, ...dates }, second] = await Promise.all([
    readMetrics(deps, query, freshness),
    readSecond(deps, query),
  ]);
  const today = dayAt(
    query.asOf ? Date.parse(query.asOf) : deps.now().getTime(),
  );
  const window = { start: parseDay(answer.from), end: parseDay(answer.to) };
  return {
    ...dates,
    answer: {
      ...answer,
      check: checkOf(query, { ours, ...second }, { window, today }),
    },
    changedAt: Math.max(changedAt ?? 0, second.changedAt ?? 0),
  };
}

/** A metric of a chain in both sources, as it is stored, and how all days compare. */
interface StoredPair {
  readonly ours: DailySeries;
  /** Null if there is no second source, or if it was never read. */
  readonly second: DailySeries | null;
  readonly check: SeriesCheck;
  /** When ours was last read or the second last changed, in epoch ms. */
  readonly readAt: number;
}

/** Reads a metric of a chain in both sources; null if ours was never read. It calls no upstream. */
export async function readStoredPair(
  deps: StoredDeps,
  id: Pick<MetricsQuery, "chainId" | "metric">,
): Promise<StoredPair | null> {
  const read = await readBoth(deps, id);
  if (read === null) return null;
  const { ours, second, today } = read;
  const days = { window: ALL_DAYS, today };
  return {
    ours: ours.series,
    second: second.second,
    check: checkOf(id, { ours: ours.series, ...second }, days),
    readAt: Math.max(ours.fetchedAt, second.changedAt ?? 0),
  };
}

async function readBoth(
  deps: StoredDeps,
  id: Pick<MetricsQuery, "chainId" | "metric">,
) {
  const [ours, second] = await Promise.all([
    findMetric(deps, id),
    readSecond(deps, id),
  ]);
  return ours && { ours, second, today: dayAt(deps.now().getTime()) };
}

/** A day of a metric in both sources, as it is stored. */
export interface StoredDay {
  /** Null if the day has no complete value. */
  readonly value: number | null;
  /** Whether the source has published neither the day nor a later one. */
  readonly isAwaited: boolean;
  /** The first day that a source has; null without any. */
  readonly firstDay: number | null;
  readonly source: string;
  readonly crossCheckValue: number | null;
  readonly crossCheckSource: string | null;
  readonly differencePct: number | null;
  /** Null if the day is not compared. */
  readonly agrees: boolean | null;
  /** How the day compares, or why it does not. */
  readonly check: SeriesCheck;
}

/** Reads a day of a metric in both sources; null if the metric was never read. It calls no upstream. */
export async function readStoredDay(
  deps: StoredDeps,
  { chainId, metric }: Pick<MetricsQuery, "chainId" | "metric">,
  day: number,
): Promise<StoredDay | null> {
  const read = await readBoth(deps, { chainId, metric });
  if (read === null) return null;
  const { ours: { series, source }, second, today } = read;
  const check = checkOf({ chainId, metric }, { ours: series, ...second }, {
    window: { start: day, end: day },
    today,
  });
  const pairs = pairDays(series, second.second ?? EMPTY_SERIES, today);
  const { value = null, crossCheckValue = null } =
    pairs.find((pair) => pair.day === day) ?? {};
  const isCompared = check.comparedDayCount > 0;
  return {
    value,
    isAwaited: isAwaited(pairs, day),
    firstDay: pairs[0]?.day ?? null,
    source,
    crossCheckValue,
    crossCheckSource: second.source,
    differencePct: isCompared
      ? compareValues(value!, crossCheckValue!, check.tolerancePct!)
        .differencePct
      : null,
    agrees: isCompared ? check.disputedDayCount === 0 : null,
    check,
  };
}

/** The second source of a metric as it is stored; null if it was never read, or if there is none. */
interface Second {
  readonly second: DailySeries | null;
  readonly source: string | null;
  readonly changedAt: number | null;
  readonly txCount?: DailySeries | undefined;
}

async function readSecond(
  deps: StoredDeps,
  { chainId, metric, asOf }:
    & Pick<MetricsQuery, "chainId" | "metric">
    & Partial<Pick<MetricsQuery, "asOf">>,
): Promise<Second> {
  const indexed = INDEX_METRICS.find((each) => each === metric);
  if (indexed === undefined) {
    return { second: null, source: null, changedAt: null };
  }
  const id = indexMetricsOf(chainId).includes(indexed)
    ? indexSeriesId(chainId, indexed)
    : { subject: "explorer-index", metric: indexed as ExplorerMetric } as const;
  const instant = instantOf("asOf", asOf, deps.now().getTime());
  const finding = instant === null
    ? deps.store.series.find(id)
      .then((stored) => ofUpstream(deps.upstream.explorer, stored))
    : findSeriesAsOf(deps, id, instant);
  const [found, txCount] = await Promise.all([
    finding,
    metric === "feesPaid" && chainId !== C_CHAIN
      ? findSeries(deps, { subject: chainId, metric: "txCount" })
      : null,
  ]);
  return {
    second: found?.series ?? null,
    source: found?.source ?? null,
    changedAt: found?.changedAt ?? null,
    txCount: txCount?.series,
  };
}

function checkOf(
  { chainId, metric }: Pick<MetricsQuery, "chainId" | "metric">,
  { ours, second, source, txCount }: Second & { readonly ours: DailySeries },
  days: { readonly window: DayWindow; readonly today: number },
): SeriesCheck {
  const none = {
    source,
    checkedThrough: null,
    comparedDayCount: 0,
    notCoveredDayCount: 0,
    disputedDayCount: 0,
    agreementPct: null,
    tolerancePct: null,
    slack: null,
  };
  const indexed = INDEX_METRICS.find((each) => each === metric);
  if (indexed === undefined) {
    return { compared: false, reason: "noSecondSource", ...none };
  }
  if (second === null) return { compared: false, reason: "notRead", ...none };
  const isOwn = indexMetricsOf(chainId).includes(indexed);
  const { tolerancePct, slack } = isOwn
    ? INDEX_CHECKS[indexed]
    : { tolerancePct: CHECKS.transactions.tolerancePct.day, slack: 0 };
  const { checkedThrough, disputedDays, reason, ...compared } = isOwn
    ? compareWithIndex(indexed, { ours, second, txCount }, days)
    : {
      ...compareDays(pairDays(ours, second, days.today), {
        window: days.window,
        tolerancePct,
      }),
      reason: null,
      notCoveredDayCount: 0,
    };
  return {
    compared: reason === null,
    reason,
    source,
    checkedThrough: checkedThrough === null ? null : formatDay(checkedThrough),
    comparedDayCount: compared.comparedDayCount,
    notCoveredDayCount: compared.notCoveredDayCount,
    disputedDayCount: disputedDays.length,
    agreementPct: compared.agreementPct,
    tolerancePct,
    slack,
  };
}

/** A metric of a chain that the index was asked for, compared over all its days. */
export interface StoredIndexCheck {
  readonly chain: Chain;
  readonly metric: IndexMetric;
  readonly comparison: IndexComparison;
  readonly source: string;
  readonly crossCheckSource: string;
  /** When our source was last fetched, in epoch ms. */
  readonly fetchedAt: number;
  /** When one of the sources last changed, in epoch ms. */
  readonly changedAt: number;
}

/** Compares every stored metric of every chain with the index. It calls no upstream. */
export async function compareStoredChains(
  deps: StoredDeps,
): Promise<StoredIndexCheck[]> {
  const { store, upstream } = deps;
  const today = dayAt(deps.now().getTime());
  const list = ofUpstream(upstream.metrics, await store.chains.find());
  const checks: StoredIndexCheck[] = [];
  // One chain after the other: other requests run while this one waits for the store.
  for (const chain of list?.chains ?? []) {
    const { chainId } = chain;
    const found = await Promise.all(
      indexMetricsOf(chainId).map(async (metric) => ({
        metric,
        ours: await findSeries(deps, { subject: chainId, metric }),
        second: ofUpstream(
          upstream.explorer,
          await store.series.find(indexSeriesId(chainId, metric)),
        ),
      })),
    );
    const txCount = found.find(({ metric }) => metric === "txCount")?.ours;
    for (const { metric, ours, second } of found) {
      if (ours === null || second === null) continue;
      checks.push({
        chain,
        metric,
        comparison: compareWithIndex(metric, {
          ours: ours.series,
          second: second.series,
          txCount: metric === "feesPaid" ? txCount?.series : undefined,
        }, { window: ALL_DAYS, today }),
        source: ours.source,
        crossCheckSource: second.source,
        fetchedAt: ours.fetchedAt,
        changedAt: Math.max(ours.changedAt, second.changedAt),
      });
    }
  }
  return checks;
}

/** Lists the metrics of all chains that were not read from the index today. */
export async function listDueReads(
  { now, store, upstream }: StoredDeps,
): Promise<{ chainId: number; metrics: IndexMetric[] }[]> {
  const list = ofUpstream(upstream.metrics, await store.chains.find());
  const today = dayAt(now().getTime());
  const due = [];
  for (const { chainId } of list?.chains ?? []) {
    const metrics = indexMetricsOf(chainId)
      .filter((metric) => upstream.chainIndex.answers(metric));
    const states = await store.series.listStates(
      metrics.map((metric) => indexSeriesId(chainId, metric)),
      () => upstream.explorer.baseUrl,
    );
    const isDue = (_: IndexMetric, nth: number) =>
      states[nth] === null || dayAt(states[nth]!.fetchedAt) < today;
    due.push({ chainId, metrics: metrics.filter(isDue) });
  }
  return due.filter(({ metrics }) => metrics.length > 0);
}
