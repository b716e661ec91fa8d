/** Compares a checked series with its second source over the window of a query. */
import type { CheckedTail, Checks } from "./checked_series_schema.ts";
import type { Point } from "../catalogue/metrics_schema.ts";
import { formatDay, type Interval, startOfDay } from "../../platform/days.ts";
import type { DaysQuery, Range } from "../catalogue/fields_schema.ts";
import {
  type Agreement,
  compareDays,
  type DayPair,
  pairDays,
} from "./agreement.ts";
import {
  type DayWindow,
  foldBuckets,
  listGaps,
  newestCompleteDay,
} from "../series/buckets.ts";
import { type CheckName, CHECKS } from "../catalogue/cross_checks_schema.ts";
import { instant } from "../../platform/clock.ts";
import type { DailySeries } from "../series/series.ts";
import type { SourcedSeries } from "../series/values.ts";
import { selectDays } from "../series/window.ts";

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
    disputedDays: agreement.disputedDays.map((
      { day, value, crossCheckValue, differencePct },
    ) => ({ day: formatDay(day), value, crossCheckValue, differencePct })),
    withdrawnDays: withdrawn.map(({ from, to }) => ({
      from: formatDay(from),
      to: formatDay(to),
    })),
  };
}
