/** Self-identities: what a chain's own daily series must say about each other. */
import type { Metric } from "../metrics_schema.ts";
import type { IdentityName } from "./quality_schema.ts";
import { type DailySeries, EMPTY_SERIES } from "../series/series.ts";

/** The series of one chain; a metric that is not there counts as one without a day. */
export type SeriesByMetric = Readonly<Partial<Record<Metric, DailySeries>>>;

/** A day on which an identity does not hold, with the two numbers it compares. */
export interface DayFailure {
  readonly identity: IdentityName;
  readonly day: number;
  readonly left: number;
  readonly right: number;
}

/** How many days an identity compared, and on which it failed, oldest first. */
export interface IdentityResult {
  readonly identity: IdentityName;
  readonly checkedDayCount: number;
  readonly failures: readonly DayFailure[];
}

/** Two metrics, what is made of the left one, and how the numbers of a day compare. */
interface Check {
  readonly left: Metric;
  readonly derive?: (values: Float64Array) => Float64Array;
  readonly right: Metric;
  readonly holds: (left: number, right: number) => boolean;
}

const DAY_SECONDS = 86_400;

/** Half of the second decimal, to which upstream rounds `avgTps`, over a day. */
const ROUNDING_TXS = 0.005 * DAY_SECONDS;

const CHECKS: Readonly<Record<IdentityName, Check>> = {
  cumulativeTxCountGrowsByTxCount: {
    left: "cumulativeTxCount",
    derive: growth,
    right: "txCount",
    holds: (left, right) => left === right,
  },
  avgTpsMatchesTxCount: {
    left: "avgTps",
    derive: overTheDay,
    right: "txCount",
    holds: (left, right) => Math.abs(left - right) <= ROUNDING_TXS,
  },
  avgTpsWithinMaxTps: atMost("avgTps", "maxTps"),
  avgGpsWithinMaxGps: atMost("avgGps", "maxGps"),
  activeSendersWithinActiveAddresses: atMost(
    "activeSenders",
    "activeAddresses",
  ),
  cumulativeTxCountNeverFalls: neverFalls("cumulativeTxCount"),
  cumulativeAddressesNeverFalls: neverFalls("cumulativeAddresses"),
  cumulativeContractsNeverFalls: neverFalls("cumulativeContracts"),
  cumulativeDeployersNeverFalls: neverFalls("cumulativeDeployers"),
};

/** The metrics that the identities compare. */
export const IDENTITY_METRICS: readonly Metric[] = [
  ...new Set(Object.values(CHECKS).flatMap(({ left, right }) => [left, right])),
];

/** Checks every identity on the days that are complete in both series it needs. */
export function checkIdentities(
  series: SeriesByMetric,
  today: number,
): IdentityResult[] {
  return Object.entries(CHECKS).map(([name, { derive, holds, ...metrics }]) => {
    const identity = name as IdentityName;
    const { firstDay, values } = completeDays(series[metrics.left], today);
    const right = completeDays(series[metrics.right], today);
    const lefts = derive?.(values) ?? values;
    // From a left slot to the right slot of the same day.
    const shift = firstDay - right.firstDay;
    const end = Math.min(lefts.length, right.values.length - shift);
    const failures: DayFailure[] = [];
    let checkedDayCount = 0;
    for (let slot = Math.max(0, -shift); slot < end; slot++) {
      const sides = { left: lefts[slot]!, right: right.values[slot + shift]! };
      if (Number.isNaN(sides.left) || Number.isNaN(sides.right)) continue;
      checkedDayCount++;
      if (holds(sides.left, sides.right)) continue;
      failures.push({ identity, day: firstDay + slot, ...sides });
    }
    return { identity, checkedDayCount, failures };
  });
}

/** Cuts a series to where `isComplete` holds: before today and before the newest day. */
function completeDays(
  { firstDay, values }: DailySeries = EMPTY_SERIES,
  today: number,
): { firstDay: number; values: Float64Array } {
  const end = Math.min(values.length - 1, today - firstDay);
  return { firstDay, values: values.subarray(0, Math.max(0, end)) };
}

function growth(totals: Float64Array): Float64Array {
  return totals.map((total, slot) => total - (totals[slot - 1] ?? NaN));
}

/** Whole transactions: two decimals times a day's seconds are nothing else. */
function overTheDay(perSecond: Float64Array): Float64Array {
  return perSecond.map((rate) => Math.round(rate * DAY_SECONDS));
}

/** The value of the last day before that has one, so that a gap hides no fall. */
function lastBefore(values: Float64Array): Float64Array {
  let last = NaN;
  return values.map((value) => {
    const before = last;
    if (!Number.isNaN(value)) last = value;
    return before;
  });
}

function atMost(left: Metric, right: Metric): Check {
  return { left, right, holds: (low, high) => low <= high };
}

function neverFalls(metric: Metric): Check {
  return { ...atMost(metric, metric), derive: lastBefore };
}
