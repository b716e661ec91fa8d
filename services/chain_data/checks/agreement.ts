/** Two sources compared day by day: what agrees, what does not, what cannot be told. */
import { type DayWindow, isComplete } from "../series/buckets.ts";
import {
  type DailySeries,
  isEmpty,
  newestDay,
  valueOn,
} from "../series/series.ts";

/** A day that at least one of the two sources has; null where it does not count. */
export interface DayPair {
  readonly day: number;
  /** Ours, if it is there and complete. */
  readonly value: number | null;
  readonly crossCheckValue: number | null;
}

/** A day that both sources have. */
export interface ComparedDay {
  readonly day: number;
  readonly value: number;
  readonly crossCheckValue: number;
  /** Null where there is nothing to relate a difference to. */
  readonly differencePct: number | null;
  readonly agrees: boolean;
}

/** What a comparison came to. */
export interface Agreement {
  readonly checkedThrough: number | null;
  readonly comparedDayCount: number;
  readonly notComparedDayCount: number;
  /** Share of compared days that agree; null where none was compared. */
  readonly agreementPct: number | null;
  /** The same over the last 90 compared days of all, whatever the window. */
  readonly recentAgreementPct: number | null;
  readonly disputedDays: readonly ComparedDay[];
}

/** Compared days that count as recent. */
const RECENT_DAYS = 90;

/** Lists the days that either source has, in order. */
export function pairDays(
  ours: DailySeries,
  second: DailySeries,
  today: number,
): DayPair[] {
  const known = [ours, second].filter((series) => !isEmpty(series));
  const first = Math.min(...known.map((series) => series.firstDay));
  const newest = Math.max(...known.map((series) => newestDay(series)!));
  const pairs: DayPair[] = [];
  for (let day = first; day <= newest; day++) {
    const held = valueOn(ours, day);
    const other = valueOn(second, day);
    if (Number.isNaN(held) && Number.isNaN(other)) continue;
    pairs.push({
      day,
      value: isComplete(ours, day, today) ? held : null,
      crossCheckValue: Number.isNaN(other) ? null : other,
    });
  }
  return pairs;
}

/** Compares the pairs of a window that both sources have; what is recent is so of all pairs. */
export function compareDays(
  pairs: readonly DayPair[],
  { window, tolerancePct }: { window: DayWindow; tolerancePct: number },
): Agreement {
  const isShown = ({ day }: { day: number }) =>
    window.start <= day && day <= window.end;
  const all = pairs.flatMap((pair) => compareDay(pair, tolerancePct));
  const compared = all.filter(isShown);
  return {
    checkedThrough: compared.at(-1)?.day ?? null,
    comparedDayCount: compared.length,
    notComparedDayCount: pairs.filter(isShown).length - compared.length,
    agreementPct: shareThatAgrees(compared),
    recentAgreementPct: shareThatAgrees(all.slice(-RECENT_DAYS)),
    disputedDays: compared.filter((day) => !day.agrees),
  };
}

/** Compares one pair; nothing where a source lacks the day. */
function compareDay(pair: DayPair, tolerancePct: number): ComparedDay[] {
  const { day, value, crossCheckValue } = pair;
  if (value === null || crossCheckValue === null) return [];
  const compared = compareValues(value, crossCheckValue, tolerancePct);
  return [{ day, value, crossCheckValue, ...compared }];
}

/** Compares two values; the difference is of the second to the first, in percent. */
export function compareValues(
  value: number,
  crossCheckValue: number,
  tolerancePct: number,
): Pick<ComparedDay, "differencePct" | "agrees"> {
  const difference = crossCheckValue - value;
  if (value === 0) {
    const agrees = difference === 0;
    return { differencePct: agrees ? 0 : null, agrees };
  }
  const differencePct = difference / value * 100;
  return {
    differencePct: roundPct(differencePct),
    agrees: Math.abs(differencePct) <= tolerancePct,
  };
}

/** Rounds a percentage to four decimals, for showing; decisions use the exact one. */
export function roundPct(pct: number): number {
  return Math.round(pct * 1e4) / 1e4 + 0;
}

function shareThatAgrees(compared: readonly ComparedDay[]): number | null {
  if (compared.length === 0) return null;
  const agreeing = compared.filter((day) => day.agrees).length;
  return roundPct(agreeing / compared.length * 100);
}
