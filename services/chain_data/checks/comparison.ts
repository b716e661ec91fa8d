/** Compares the daily values of two sources, and a checked series over the window of a query. */
import {
  type DayWindow,
  foldBuckets,
  isComplete,
  isInferred,
  listGaps,
  newestCompleteDay,
} from "../series/buckets.ts";
import {
  type DailySeries,
  isEmpty,
  newestDay,
  valueOn,
} from "../series/series.ts";
import { type CheckName, CHECKS } from "../catalogue/cross_checks_schema.ts";
import { maxOf, minOf } from "../../platform/numbers.ts";
import type {
  CheckedTail,
  Checks,
  DisputedDay,
} from "./checked_series_schema.ts";
import type { Point } from "../catalogue/metrics_schema.ts";
import { formatDay, type Interval, startOfDay } from "../../platform/days.ts";
import type { DaysQuery, Range } from "../catalogue/fields_schema.ts";
import { instant } from "../../platform/clock.ts";
import type { SourcedSeries } from "../series/values.ts";
import { selectDays } from "../series/window.ts";

/** The two values of a day. A value that is absent or incomplete is null. */
export interface DayPair {
  readonly day: number;
  /** Value of our source. */
  readonly value: number | null;
  readonly crossCheckValue: number | null;
}

/** A day that both sources have. */
interface ComparedDay {
  readonly day: number;
  readonly value: number;
  readonly crossCheckValue: number;
  /** Null if our value is 0 and the other one is not. */
  readonly differencePct: number | null;
  readonly agrees: boolean;
}

/** The result of a comparison. */
export interface Agreement {
  readonly checkedThrough: number | null;
  readonly comparedDayCount: number;
  readonly notComparedDayCount: number;
  /** Percentage of compared days that agree; null if no day was compared. */
  readonly agreementPct: number | null;
  /** The same percentage over the last 90 compared days of the whole series. */
  readonly recentAgreementPct: number | null;
  readonly disputedDays: readonly ComparedDay[];
}

/** Number of compared days that count as recent. */
const RECENT_DAYS = 90;

/**
 * Lists the days that at least one source has, in order. Each source may still add
 * to its newest day, so that day is null.
 */
export function pairDays(
  ours: DailySeries,
  second: DailySeries,
  today: number,
): DayPair[] {
  const known = [ours, second].filter((series) => !isEmpty(series));
  const first = minOf(known.map((series) => series.firstDay));
  const newest = maxOf(known.map((series) => newestDay(series)!));
  const pairs: DayPair[] = [];
  for (let day = first; day <= newest; day++) {
    const own = valueOn(ours, day);
    const other = valueOn(second, day);
    if (Number.isNaN(own) && Number.isNaN(other)) continue;
    pairs.push({
      day,
      value: isComplete(ours, day, today) && !isInferred(ours, day)
        ? own
        : null,
      crossCheckValue: isComplete(second, day, today) ? other : null,
    });
  }
  return pairs;
}

/** Returns whether the source has published no complete value yet, neither of a day nor of a later one. */
export function isAwaited(pairs: readonly DayPair[], day: number): boolean {
  return !pairs.some((pair) => pair.day >= day && pair.value !== null);
}

/** Compares the days of a window that both sources have. */
export function compareDays(
  pairs: readonly DayPair[],
  { window, tolerancePct, slackOn = () => 0 }: {
    window: DayWindow;
    tolerancePct: number;
    /** Returns by how much a day may differ whatever its size. */
    slackOn?: (pair: DayPair) => number;
  },
): Agreement {
  const isShown = ({ day }: { day: number }) => isIn(window, day);
  const all = pairs.flatMap((pair) => compareDay(pair, tolerancePct, slackOn));
  const compared = all.filter(isShown);
  return {
    checkedThrough: compared.at(-1)?.day ?? null,
    comparedDayCount: compared.length,
    notComparedDayCount: pairs.filter(isShown).length - compared.length,
    agreementPct: agreementPctOf(compared),
    recentAgreementPct: agreementPctOf(all.slice(-RECENT_DAYS)),
    disputedDays: compared.filter((day) => !day.agrees),
  };
}

/** Returns whether a window has a day. */
export function isIn({ start, end }: DayWindow, day: number): boolean {
  return start <= day && day <= end;
}

/** Compares one pair. Returns an empty list if a value is null. */
function compareDay(
  pair: DayPair,
  tolerancePct: number,
  slackOn: (pair: DayPair) => number,
): ComparedDay[] {
  const { day, value, crossCheckValue } = pair;
  if (value === null || crossCheckValue === null) return [];
  const compared = compareValues(
    value,
    crossCheckValue,
    tolerancePct,
    slackOn(pair),
  );
  return [{ day, value, crossCheckValue, ...compared }];
}

/** Compares two values. The difference is the second minus the first, in percent of the first. */
export function compareValues(
  value: number,
  crossCheckValue: number,
  tolerancePct: number,
  slack = 0,
): Pick<ComparedDay, "differencePct" | "agrees"> {
  const difference = crossCheckValue - value;
  const isSlight = Math.abs(difference) <= slack;
  if (value === 0) {
    return { differencePct: difference === 0 ? 0 : null, agrees: isSlight };
  }
  const differencePct = difference / value * 100;
  return {
    differencePct: roundPct(differencePct),
    agrees: isSlight || Math.abs(differencePct) <= tolerancePct,
  };
}

/** Compares the two values of a day of a checked series. */
export function compareOnDay(
  name: CheckName,
  value: number,
  crossCheckValue: number,
): Pick<ComparedDay, "differencePct" | "agrees"> {
  const tolerancePct = CHECKS[name].tolerancePct.day;
  return compareValues(value, crossCheckValue, tolerancePct);
}

/** Rounds a percentage to four decimals for the answer. Comparisons use the exact value. */
export function roundPct(pct: number): number {
  return Math.round(pct * 1e4) / 1e4 + 0;
}

function agreementPctOf(compared: readonly ComparedDay[]): number | null {
  if (compared.length === 0) return null;
  const agreeing = compared.filter((day) => day.agrees).length;
  return roundPct(agreeing / compared.length * 100);
}

/** The second source of a checked series. Its series may be empty. */
export interface SecondSource extends Pick<SourcedSeries, "series" | "source"> {
  /** When it was last read; null before the first read. */
  readonly fetchedAt: number | null;
  /** Null before the first read. */
  readonly changedAt: number | null;
}

/** The result of comparing a checked series over a window. */
export interface Comparison {
  readonly window: DayWindow;
  /** The buckets of our source. */
  readonly points: readonly Point[];
  /** All days, also outside the window. */
  readonly pairs: readonly DayPair[];
  readonly range: Range | null;
  /** The first and the last requested day. */
  readonly days: { readonly from: string; readonly to: string };
  readonly tail: CheckedTail;
  /** When a source last changed, or when today began, in epoch ms. */
  readonly changedAt: number;
}

/** The default range. */
const RANGE: Range = "all";

/** The days that a query selects. */
interface DaysOf {
  readonly query: DaysQuery;
  readonly interval: Interval;
  readonly today: number;
  /** The instant that is asked for, in epoch ms; absent or null for now. */
  readonly instant?: number | null;
}

/** Returns the window of a query over a checked series. */
export function checkedWindow(series: DailySeries, days: DaysOf): DayWindow {
  return selectDays(days.query, { usual: RANGE, series, ...days }).window;
}

/** Returns the marks of a bucket with days that our source lacks, withdraws or has revised. */
export function marksOf(
  { missingDays, disputed, revisedAt }: Marks,
): Marks {
  return {
    ...missingDays && { missingDays },
    ...disputed && { disputed },
    ...revisedAt !== undefined && { revisedAt },
  };
}

type Marks = Pick<Point, "missingDays" | "disputed" | "revisedAt">;

/** Compares both sources over the window of a query. */
export function compareSources(
  name: CheckName,
  { ours, second }: { ours: SourcedSeries; second: SecondSource },
  { query, interval, today, instant = null }: DaysOf,
): Comparison {
  const { series } = ours;
  const selected = selectDays(query, {
    usual: RANGE,
    series,
    today,
    interval,
  });
  const { window } = selected;
  const points = foldBuckets(series, window, {
    interval,
    fold: "sum",
    today,
    isOnlyFinal: instant !== null,
  });
  const pairs = pairDays(series, second.series, today);
  const tolerancePct = CHECKS[name].tolerancePct.day;
  const agreement = compareDays(pairs, { window, tolerancePct });
  const through = newestCompleteDay(series, today);
  const tail: CheckedTail = {
    lastPeriodComplete: points.at(-1)?.complete ?? false,
    gaps: listGaps(series, window),
    dataThrough: through === null ? null : formatDay(through),
    fetchedAt: new Date(ours.fetchedAt).toISOString(),
    confirmedAt: new Date(
      Math.max(ours.confirmedAt ?? ours.fetchedAt, ours.changedAt),
    ).toISOString(),
    source: ours.source,
    checks: showChecks(name, agreement, second),
    recentAgreementPct: agreement.recentAgreementPct,
    disputedDayCount: agreement.disputedDays.length,
    ...instant !== null && { asOf: new Date(instant).toISOString() },
  };
  return {
    ...selected,
    points,
    pairs,
    tail,
    changedAt: Math.max(
      ours.changedAt,
      second.changedAt ?? 0,
      startOfDay(today),
    ),
  };
}

function showChecks(
  name: CheckName,
  { checkedThrough, comparedDayCount, ...agreement }: Agreement,
  { source, fetchedAt, series: { withdrawn = [] } }: SecondSource,
): Checks {
  return {
    source,
    fetchedAt: instant(fetchedAt),
    tolerancePct: CHECKS[name].tolerancePct,
    checkedThrough: checkedThrough === null ? null : formatDay(checkedThrough),
    comparedDayCount,
    notComparedDayCount: agreement.notComparedDayCount,
    agreementPct: agreement.agreementPct,
    disputedDays: showDisputed(agreement),
    withdrawnDays: withdrawn.map(({ from, to }) => ({
      from: formatDay(from),
      to: formatDay(to),
    })),
  };
}

/** Returns the disputed days as answers have them. */
export function showDisputed(
  { disputedDays }: Pick<Agreement, "disputedDays">,
): DisputedDay[] {
  return disputedDays.map((
    { day, value, crossCheckValue, differencePct },
  ) => ({ day: formatDay(day), value, crossCheckValue, differencePct }));
}
