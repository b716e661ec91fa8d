/** What the answers of the four checked series share. */
import type { CheckedTail, Checks } from "./checked_series_schema.ts";
import type { Point } from "../metrics_schema.ts";
import type { Interval } from "../../platform/days.ts";
import {
  type DaysQuery,
  GENESIS_DAY,
  type Range,
} from "../day_query_schema.ts";
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
import { type CheckName, CHECKS } from "./check_rules_schema.ts";
import { formatDay, parseDay, startOfDay } from "../../platform/days.ts";
import { type DailySeries, isEmpty } from "../series/series.ts";
import { rangeOf, windowOf } from "../series/window.ts";

/** A daily series with the words that name its source; instants in epoch ms. */
export interface SourcedSeries {
  readonly series: DailySeries;
  readonly source: string;
  readonly fetchedAt: number;
  readonly changedAt: number;
}

/** The second source of a checked series: perhaps nothing yet, but always a name. */
export interface SecondSource extends Pick<SourcedSeries, "series" | "source"> {
  /** Null before the first check. */
  readonly changedAt: number | null;
}

/** A checked series over the window of a query, compared. */
export interface Comparison {
  readonly window: DayWindow;
  /** Our buckets. */
  readonly points: readonly Point[];
  /** Of every day, in the window or not. */
  readonly pairs: readonly DayPair[];
  readonly range: Range | null;
  readonly tail: CheckedTail;
  /** When either source or the day changed, epoch ms. */
  readonly changedAt: number;
}

/** The range where none is asked for. */
const RANGE: Range = "all";

/** Compares a series with its second source over the window of a query. */
export function compareSources(
  name: CheckName,
  { ours, second }: { ours: SourcedSeries; second: SecondSource },
  { query, interval, today }: {
    query: DaysQuery;
    interval: Interval;
    today: number;
  },
): Comparison {
  const { series } = ours;
  const first = isEmpty(series) ? parseDay(GENESIS_DAY) : series.firstDay;
  const window = windowOf(query, { usual: RANGE, interval, first, today });
  const points = foldBuckets(series, window, { interval, fold: "sum", today });
  const pairs = pairDays(series, second.series, today);
  const tolerancePct = CHECKS[name].tolerancePct.day;
  const agreement = compareDays(pairs, { window, tolerancePct });
  const through = newestCompleteDay(series, today);
  const tail: CheckedTail = {
    lastPeriodComplete: points.at(-1)?.complete ?? false,
    gaps: listGaps(series, window),
    dataThrough: through === null ? null : formatDay(through),
    fetchedAt: new Date(ours.fetchedAt).toISOString(),
    source: ours.source,
    checks: showChecks(name, agreement, second.source),
    recentAgreementPct: agreement.recentAgreementPct,
    disputedDayCount: agreement.disputedDays.length,
  };
  return {
    window,
    points,
    pairs,
    range: rangeOf(query, RANGE),
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
  source: string,
): Checks {
  return {
    source,
    tolerancePct: CHECKS[name].tolerancePct,
    checkedThrough: checkedThrough === null ? null : formatDay(checkedThrough),
    comparedDayCount,
    notComparedDayCount: agreement.notComparedDayCount,
    agreementPct: agreement.agreementPct,
    disputedDays: agreement.disputedDays.map((
      { day, value, crossCheckValue, differencePct },
    ) => ({ day: formatDay(day), value, crossCheckValue, differencePct })),
  };
}
