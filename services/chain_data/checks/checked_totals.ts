/** The answers of `GET /monthly-transactions` and `GET /transaction-fees`. */
import { readsFor, SOURCES } from "./checked_sources.ts";
import {
  compareSources,
  compareValues,
  type DayPair,
  marksOf,
  roundPct,
} from "./comparison.ts";
import type { Point } from "../catalogue/metrics_schema.ts";
import {
  endOfBucket,
  formatDay,
  type Interval,
  parseDay,
  startOfBucket,
} from "../../platform/days.ts";
import type {
  FeesAnswer,
  TotalsQuery,
  TransactionsAnswer,
} from "./checked_series_schema.ts";
import type {
  CacheableAnswer,
  FreshnessOptions,
} from "../../platform/cache.ts";
import type { ChainDataDeps } from "./deps.ts";
import { foldBuckets } from "../series/buckets.ts";
import { type CheckName, CHECKS } from "../catalogue/cross_checks_schema.ts";
import { sumOf } from "../../platform/numbers.ts";
import { isFinal } from "../series/vintages.ts";
import type { ReadDeps } from "../series/deps.ts";

/** A bucket of our source, compared over the days that both sources have. */
interface ComparedBucket extends Point {
  readonly crossCheckValue: number | null;
  readonly differencePct: number | null;
  readonly agrees: boolean | null;
  readonly comparedDayCount: number;
  readonly disputedDays: string[];
}

/** Reads the C-Chain's transactions with their month-over-month and year-over-year changes. */
export async function readTransactions(
  deps: ReadDeps<ChainDataDeps>,
  query: TotalsQuery,
  freshness: FreshnessOptions,
): Promise<CacheableAnswer<TransactionsAnswer>> {
  const { buckets, all, head, tail, dates } = await readTotals(
    deps,
    "transactions",
    query,
    freshness,
  );
  const months = new Map(
    query.interval === "month" ? all.map((point) => [point.day, point]) : [],
  );
  const change = (day: string, base: string) =>
    changePct(months.get(day), months.get(base));
  const series = buckets.map((bucket) => ({
    day: bucket.day,
    txCount: bucket.value,
    crossCheckTxCount: bucket.crossCheckValue,
    differencePct: bucket.differencePct,
    agrees: bucket.agrees,
    monthOverMonthPct: change(bucket.day, monthBefore(bucket.day)),
    yearOverYearPct: change(bucket.day, yearBefore(bucket.day)),
    complete: bucket.complete,
    comparedDayCount: bucket.comparedDayCount,
    disputedDays: bucket.disputedDays,
    ...marksOf(bucket),
  }));
  return { answer: { ...head, series, ...tail }, ...dates };
}

/** Reads the C-Chain's fees in AVAX. */
export async function readFees(
  deps: ReadDeps<ChainDataDeps>,
  query: TotalsQuery,
  freshness: FreshnessOptions,
): Promise<CacheableAnswer<FeesAnswer>> {
  const { buckets, head, tail, dates } = await readTotals(
    deps,
    "fees",
    query,
    freshness,
  );
  const series = buckets.map((bucket) => ({
    day: bucket.day,
    feesPaid: bucket.value,
    crossCheckFeesPaid: bucket.crossCheckValue,
    differencePct: bucket.differencePct,
    agrees: bucket.agrees,
    complete: bucket.complete,
    comparedDayCount: bucket.comparedDayCount,
    disputedDays: bucket.disputedDays,
    ...marksOf(bucket),
  }));
  return { answer: { ...head, series, ...tail }, ...dates };
}

async function readTotals(
  deps: ReadDeps<ChainDataDeps>,
  name: CheckName,
  query: TotalsQuery,
  freshness: FreshnessOptions,
) {
  const { interval } = query;
  const { now, instant, today, reads } = readsFor(
    deps,
    { query, interval },
    freshness,
  );
  const [ours, second] = await Promise.all([
    SOURCES[name].ours(reads),
    SOURCES[name].second(reads),
  ]);
  if (ours === null) throw new Error(`Cannot read ${name}: no source`);
  const { points, pairs, range, days, tail, changedAt } = compareSources(
    name,
    { ours, second },
    { query, interval, today, instant },
  );
  const { day, month } = CHECKS[name].tolerancePct;
  const everything = { start: ours.series.firstDay, end: today };
  return {
    buckets: compareBuckets(points, pairs, {
      interval,
      tolerancePct: interval === "day" ? day : month,
      firstDay: ours.series.firstDay,
      disputedDays: tail.checks.disputedDays.map(({ day }) => day),
    }),
    /**
     * All buckets of the series, since changes need buckets before the window. The
     * month in which the series began is shorter, so nothing is compared with it.
     */
    all: foldBuckets(ours.series, everything, { interval, fold: "sum", today })
      .filter(({ day }) => parseDay(day) >= ours.series.firstDay),
    head: {
      chainName: "C-Chain",
      unit: CHECKS[name].unit,
      token: "AVAX",
      range,
      ...days,
      interval,
      aggregation: "sum" as const,
    },
    tail,
    dates: {
      fetchedAt: ours.validAt ?? ours.fetchedAt,
      changedAt,
      isFinal: isFinal(instant, now),
    },
  };
}

/**
 * Compares each bucket: the sums of both sources over the days that both have.
 * A bucket agrees or disagrees only if it is complete and all its days are compared.
 */
function compareBuckets(
  points: readonly Point[],
  pairs: readonly DayPair[],
  { interval, tolerancePct, firstDay, disputedDays }: {
    interval: Interval;
    tolerancePct: number;
    firstDay: number;
    disputedDays: readonly string[];
  },
): ComparedBucket[] {
  const bucketOf = (day: number) => formatDay(startOfBucket(day, interval));
  const dayCountOf = (bucket: number) =>
    endOfBucket(bucket, interval) - Math.max(bucket, firstDay) + 1;
  const disputed = Map.groupBy(
    disputedDays,
    (day) => bucketOf(parseDay(day)),
  );
  const shared = Map.groupBy(
    pairs.filter((pair) =>
      pair.value !== null && pair.crossCheckValue !== null
    ),
    (pair) => bucketOf(pair.day),
  );
  return points.map((point) => {
    const days = shared.get(point.day) ?? [];
    if (days.length === 0) {
      const none = { crossCheckValue: null, differencePct: null, agrees: null };
      return { ...point, ...none, comparedDayCount: 0, disputedDays: [] };
    }
    const value = sumOf(days.map((pair) => pair.value!));
    const crossCheckValue = sumOf(days.map((pair) => pair.crossCheckValue!));
    const compared = compareValues(value, crossCheckValue, tolerancePct);
    const isJudged = point.complete &&
      days.length === dayCountOf(parseDay(point.day));
    return {
      ...point,
      crossCheckValue,
      ...compared,
      agrees: isJudged ? compared.agrees : null,
      comparedDayCount: days.length,
      disputedDays: disputed.get(point.day) ?? [],
    };
  });
}

/** Returns the change in percent; null if a bucket is absent, incomplete or lacks days, or the base is 0. */
export function changePct(
  current: Point | undefined,
  base: Point | undefined,
): number | null {
  const isWhole = (bucket: Point | undefined): bucket is Point =>
    bucket?.complete === true && bucket.missingDays === undefined;
  if (!isWhole(current) || !isWhole(base) || base.value === 0) return null;
  return roundPct((current.value - base.value) / base.value * 100);
}

/** Returns the first day of the month before a month. */
export function monthBefore(month: string): string {
  return formatDay(startOfBucket(parseDay(month) - 1, "month"));
}

/** Returns the first day of the same month a year before. */
export function yearBefore(month: string): string {
  return `${Number(month.slice(0, 4)) - 1}${month.slice(4)}`;
}
