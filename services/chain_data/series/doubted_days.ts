/** Days of a source that can't be true: kept apart until the source corrects them, or an operator decides. */
import { type DoubtKind, DOUBTS } from "../catalogue/cross_checks_schema.ts";
import { C_CHAIN, METRICS } from "../catalogue/metrics_schema.ts";
import type { SeriesId } from "../catalogue/series_id.ts";
import { MAX_NUMBER } from "../../platform/http/numeric_schema.ts";
import { maxOf, minOf } from "../../platform/numbers.ts";
import {
  type DailySeries,
  type DailyValue,
  EMPTY_SERIES,
  newestDay,
  pointsOf,
  valueOn,
} from "./series.ts";

/** A day that is not believed. */
interface DoubtedDay extends DailyValue {
  readonly kind: DoubtKind;
  /** The stored value of the day, or a believed one beside it. */
  readonly against: number;
}

/** A run of days that are not believed for the same reason. */
export interface Doubt {
  /** First and last day. */
  readonly from: number;
  readonly to: number;
  readonly kind: DoubtKind;
  /** The source's value of the first day, and the value that it contradicts. */
  readonly value: number;
  readonly against: number;
  /** When a read first showed it, in epoch ms. */
  readonly foundAt: number;
}

/** What an operator decided about doubted days. */
export interface DoubtDecision {
  /** First and last day. */
  readonly from: number;
  readonly to: number;
  readonly kind: DoubtKind;
  /** Whether the source is believed. */
  readonly isAccepted: boolean;
  /** Who decided. */
  readonly by: string;
  /** Epoch ms. */
  readonly at: number;
}

/**
 * The metrics whose values have a unit, and the count that moves with each. Counts have
 * no unit: a launch is real.
 */
const ACTIVITY_OF: Readonly<Partial<Record<SeriesId["metric"], string>>> = {
  feesPaid: "txCount",
  avgGasPrice: "txCount",
  maxGasPrice: "txCount",
  validatorWeight: "validatorCount",
  delegatorWeight: "delegatorCount",
};

/** One transaction may pay a thousand times the usual price. */
const PEAK: SeriesId["metric"] = "maxGasPrice";

/** Returns whether the values of a metric have a unit that a source may change. */
export function hasUnit({ metric }: SeriesId): boolean {
  return metric in ACTIVITY_OF;
}

/** Returns the series of the Metrics API that shows how active the days of a series were; null if none is needed. */
export function activityOf({ subject, metric }: SeriesId): SeriesId | null {
  const activity = ACTIVITY_OF[metric];
  if (activity === undefined) return null;
  const isOfIndex = String(subject).startsWith("explorer-index");
  const chainId = Number(String(subject).split("/")[1] ?? C_CHAIN);
  return {
    subject: isOfIndex ? chainId : subject,
    metric: activity,
  } as SeriesId;
}

/** What is known of a series before a read. */
interface Known {
  readonly stored: DailySeries;
  /** The chain's count of the same days; empty if it is not stored. */
  readonly activity: DailySeries;
  readonly decisions: readonly DoubtDecision[];
}

/** Lists the days of a read that can't be true, in order. */
export function judgeDays(
  id: SeriesId,
  read: readonly DailyValue[],
  { stored, activity, decisions }: Known,
): DoubtedDay[] {
  const points = read.toSorted((a, b) => a.day - b.day);
  const doubted = hasUnit(id)
    ? listOtherUnits(points, {
      stored,
      activity,
      factors: FACTORS.filter(({ isSmall }) => !isSmall || id.metric !== PEAK),
    })
    : isRunningTotal(id)
    ? listFallingTotals(points, stored)
    : [];
  const isAccepted = ({ day, kind }: DoubtedDay) =>
    kind !== "outOfRange" &&
    decisions.some((decision) =>
      decision.isAccepted && decision.kind === kind &&
      decision.from <= day && day <= decision.to
    );
  return doubted.filter((each) => !isAccepted(each));
}

function isRunningTotal({ subject, metric }: SeriesId): boolean {
  return typeof subject === "number" && metric in METRICS &&
    METRICS[metric as keyof typeof METRICS].kind === "running total";
}

/** Believed days before a day that it is compared with, and how many there must be. */
const MAX_NEIGHBOURS = 14;
const MIN_NEIGHBOURS = 7;

/**
 * The factors between units. In the other unit a value must lie within `margin` of its
 * neighbours. The small factors also occur where a chain becomes busy.
 */
const FACTORS = [
  { factor: 1e18, margin: 100, isSmall: false },
  { factor: 1e9, margin: 100, isSmall: false },
  { factor: 1e6, margin: 3, isSmall: true },
  { factor: 1e3, margin: 3, isSmall: true },
] as const;

interface Factors {
  readonly factors: readonly typeof FACTORS[number][];
}

/** Lists the days whose values are of another unit. A zero has none. */
function listOtherUnits(
  points: readonly DailyValue[],
  { stored, activity, factors }: Pick<Known, "stored" | "activity"> & Factors,
): DoubtedDay[] {
  const doubted: DoubtedDay[] = [];
  const first = points[0]?.day ?? Infinity;
  const newest = newestDay(stored) ?? -Infinity;
  const neighbours = pointsOf(stored)
    .filter(({ day, value }) => day < first && value > 0)
    .slice(-MAX_NEIGHBOURS);
  for (const point of points) {
    const { day, value } = point;
    const before = valueOn(stored, day);
    // A complete day is compared with itself. The newest one may still grow.
    const isRestated = day < newest && before > 0;
    const beside = isRestated ? [{ day, value: before }] : neighbours;
    const isComparable = isRestated || beside.length >= MIN_NEIGHBOURS;
    const kind = value > MAX_NUMBER
      ? "outOfRange"
      : value > 0 && value !== before && isComparable &&
          isOfOtherUnit(point, beside, { activity, factors })
      ? "otherUnit"
      : null;
    if (kind !== null) {
      const against = beside.at(-1)?.value ?? 0;
      doubted.push({ day, value, kind, against });
    }
    const used = kind === null ? value : before;
    if (!(used > 0)) continue;
    neighbours.push({ day, value: used });
    if (neighbours.length > MAX_NEIGHBOURS) neighbours.shift();
  }
  return doubted;
}

function isOfOtherUnit(
  { day, value }: DailyValue,
  beside: readonly DailyValue[],
  { activity, factors }: Pick<Known, "activity"> & Factors,
): boolean {
  const low = minOf(beside.map((each) => each.value));
  const high = maxOf(beside.map((each) => each.value));
  return factors.some(({ factor, margin, isSmall }) => {
    const far = Math.sqrt(factor);
    const inOtherUnit = value > high * far
      ? value / factor
      : value < low / far
      ? value * factor
      : NaN;
    return low / margin <= inOtherUnit && inOtherUnit <= high * margin &&
      !(isSmall && isExplained({ day, value }, beside, activity));
  });
}

/** Returns whether the chain's activity moved in the same direction, by half as many digits or more. */
function isExplained(
  { day, value }: DailyValue,
  beside: readonly DailyValue[],
  activity: DailySeries,
): boolean {
  if (beside.length === 1 && beside[0]!.day === day) {
    return activity.revised?.has(day) ?? false;
  }
  const usual = medianOf(beside.map((each) => each.value));
  const active = medianOf(
    beside.map((each) => valueOn(activity, each.day))
      .filter((count) => count > 0),
  );
  const moved = Math.log10(value / usual);
  const activityMoved = Math.log10(valueOn(activity, day) / active);
  return activityMoved / moved >= 1 / 2;
}

/** Returns the middle one of the values; `NaN` if there are none. */
function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/**
 * Lists the days on which a running total falls. Stored days that the source does not
 * change stand; of the others the longest sequence that never falls is believed.
 */
function listFallingTotals(
  points: readonly DailyValue[],
  stored: DailySeries,
): DoubtedDay[] {
  const read = new Map(points.map(({ day, value }) => [day, value]));
  const standing = pointsOf(stored).filter(({ day, value }) =>
    (read.get(day) ?? value) === value
  );
  const isStanding = new Set(standing.map(({ day }) => day));
  const doubted: DoubtedDay[] = [];
  let from = 0;
  // Each run of other days lies between two standing ones.
  for (let nth = 0; nth <= standing.length; nth++) {
    const low = standing[nth - 1]?.value ?? 0;
    const end = standing[nth]?.day ?? Infinity;
    const high = standing[nth]?.value ?? Infinity;
    const run: DailyValue[] = [];
    for (; from < points.length && points[from]!.day <= end; from++) {
      const point = points[from]!;
      // What falls to 0 is withdrawn.
      const isWithdrawn = point.value === 0 && valueOn(stored, point.day) > 0;
      if (!isStanding.has(point.day) && !isWithdrawn) run.push(point);
    }
    const rising = new Set(
      longestRise(
        run.filter(({ value }) => low <= value && value <= high),
      ),
    );
    let against = low;
    for (const point of run) {
      if (rising.has(point)) against = point.value;
      else doubted.push({ ...point, kind: "fallingTotal", against });
    }
  }
  return doubted;
}

/** Returns the longest sequence of days in which no value is below an earlier one. */
function longestRise(points: readonly DailyValue[]): DailyValue[] {
  /** The last day of the best sequence of each length, and the day before each day in its sequence. */
  const ends: number[] = [];
  const before: number[] = [];
  for (const [nth, { value }] of points.entries()) {
    let low = 0;
    for (let high = ends.length; low < high;) {
      const middle = (low + high) >> 1;
      if (points[ends[middle]!]!.value <= value) low = middle + 1;
      else high = middle;
    }
    before.push(ends[low - 1] ?? -1);
    ends[low] = nth;
  }
  const rise: DailyValue[] = [];
  for (let nth = ends.at(-1) ?? -1; nth !== -1; nth = before[nth]!) {
    rise.push(points[nth]!);
  }
  return rise.reverse();
}

/** Returns the doubts after a read: the new ones, and those about days that were not read. */
export function nextDoubts(
  known: readonly Doubt[],
  doubted: readonly DoubtedDay[],
  { start, end, readAt }: {
    readonly start: number;
    readonly end: number;
    readonly readAt: number;
  },
): Doubt[] {
  const runs: Doubt[] = [];
  for (const { day, kind, value, against } of doubted) {
    const last = runs.at(-1);
    const earlier = known.find((doubt) =>
      doubt.kind === kind && doubt.from <= day && day <= doubt.to
    );
    const foundAt = earlier?.foundAt ?? readAt;
    const isNext = last?.to === day - 1 && last.kind === kind &&
      last.foundAt === foundAt;
    if (isNext) runs[runs.length - 1] = { ...last, to: day };
    else runs.push({ from: day, to: day, kind, value, against, foundAt });
  }
  const kept = known.filter(({ from, to }) => to < start || end < from);
  return [...kept, ...runs].sort((a, b) => a.from - b.from);
}

/** Returns the decision about a doubt; undefined while there is none. */
export function decisionOn(
  { from, to, kind }: Pick<Doubt, "from" | "to" | "kind">,
  decisions: readonly DoubtDecision[] = [],
): DoubtDecision | undefined {
  return decisions.findLast((decision) =>
    decision.kind === kind && decision.from <= from && to <= decision.to
  );
}

/** Lists the doubted days that have no value, each with the reason of its gap. */
export function doubtedGaps(
  { doubts = [], decisions = [] }: {
    readonly doubts?: readonly Doubt[];
    readonly decisions?: readonly DoubtDecision[];
  },
  series: DailySeries = EMPTY_SERIES,
): { day: number; reason: string }[] {
  return doubts.flatMap((doubt) => {
    const reason = decisionOn(doubt, decisions)?.isAccepted === false
      ? `${DOUBTS[doubt.kind]}, and the operator does not accept it`
      : DOUBTS[doubt.kind];
    const days = [];
    for (let day = doubt.from; day <= doubt.to; day++) {
      if (Number.isNaN(valueOn(series, day))) days.push({ day, reason });
    }
    return days;
  });
}
