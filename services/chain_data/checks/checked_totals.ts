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
interface ComparedBucket extends Pick<Point, "day" | "value"> {
  readonly crossCheckValue: number | null;
  /** The fields of an item of the answer that say how it compares. */
  readonly compared: {
    readonly differencePct: number | null;
    readonly agrees: boolean | null;
  };
  /** Its last fields, with the marks of its days. */
  readonly counted: Omit<Point, "day" | "value" | "inferred"> & {
    readonly comparedDayCount: number;
    readonly disputedDays: string[];
  };
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
  const series = buckets.map((
    { day, value, crossCheckValue, compared, counted },
  ) => ({
    day,
    txCount: value,
    crossCheckTxCount: crossCheckValue,
    ...compared,
    monthOverMonthPct: change(day, monthBefore(day)),
    yearOverYearPct: change(day, yearBefore(day)),
    ...counted,
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
  const series = buckets.map((
    { day, value, crossCheckValue, compared, counted },
  ) => ({
    day,
    feesPaid: value,
    crossCheckFeesPaid: crossCheckValue,
    ...compared,
    ...counted,
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
  return points.map(({ day, value, complete, ...marks }) => {
    const days = shared.get(day) ?? [];
    const isJudged = complete && days.length === dayCountOf(parseDay(day));
    const own = sumOf(days.map((pair) => pair.value!));
    const other = sumOf(days.map((pair) => pair.crossCheckValue!));
    const { differencePct, agrees } = compareValues(own, other, tolerancePct);
    return {
      day,
      value,
      ...days.length === 0
        ? {
          crossCheckValue: null,
          compared: { differencePct: null, agrees: null },
        }
        : {
          crossCheckValue: other,
          compared: { differencePct, agrees: isJudged ? agrees : null },
        },
      counted: {
        complete,
        comparedDayCount: days.length,
        disputedDays: disputed.get(day) ?? [],
        ...marksOf(marks),
      },
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
