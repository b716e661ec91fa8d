/** Days that a source no longer publishes, because the chain has gone quiet. */
import { GENESIS_DAY } from "../catalogue/fields_schema.ts";
import type { Kind } from "../catalogue/metrics_schema.ts";
import { parseDay } from "../../platform/days.ts";
import {
  type DailySeries,
  type DailyValue,
  isEmpty,
  newestDay,
  pointsOf,
  seriesOf,
  valueOn,
} from "./series.ts";

/** A chain that publishes a day later than the C-Chain is late; after this many days it is quiet, and the day is inferred. */
export const QUIET_DAYS = 7;

/** Returns the newest day that can be inferred, by the newest day of the C-Chain. */
export function inferableThrough(published: number): number {
  return published - QUIET_DAYS;
}

/** Returns the first day with a transaction; null if there is none. */
export function firstActiveDay(
  { firstDay, values }: DailySeries,
): number | null {
  const slot = values.findIndex((value) => value > 0);
  return slot === -1 ? null : firstDay + slot;
}

/** Returns the last day with a transaction, in whatever source; null if there is none. */
export function lastActiveDay(
  { firstDay, values, activeElsewhere }: DailySeries,
): number | null {
  const slot = values.findLastIndex((value) => value > 0);
  return activeElsewhere ?? (slot === -1 ? null : firstDay + slot);
}

/** Sources cut days differently, so what is the last day of one may be the next day of another. */
export const CUT_DAYS = 1;

/**
 * Adds to a chain's transactions that a second source has some after the last day with a
 * transaction: the source has stopped, whether it publishes zeroes or nothing.
 */
export function withSecondSource(
  txCount: DailySeries,
  second: DailySeries | null | undefined,
): DailySeries {
  const active = second ? lastActiveDay(second) : null;
  const last = lastActiveDay(txCount);
  return active !== null && (last === null || active > last + CUT_DAYS)
    ? { ...txCount, activeElsewhere: active }
    : txCount;
}

/** Returns of two sources of a chain's transactions the one that has them on a later day. */
export function laterActive<
  T extends { readonly series: DailySeries; readonly changedAt: number },
>(one: T | null, other: T | null): T | null {
  if (one === null || other === null) return one ?? other;
  const lastOf = ({ series }: T) => lastActiveDay(series) ?? -Infinity;
  const later = lastOf(other) > lastOf(one) ? other : one;
  const changedAt = Math.max(one.changedAt, other.changedAt);
  return { ...later, changedAt };
}

/**
 * Adds the inferred days of a metric after its last published day, up to `through`:
 * 0, or the last value of a running total. A day on which `txCount` shows a
 * transaction is not inferred: the source lacks its value. A chain without any
 * day is inferred from the genesis on. Nothing is inferred while another source has
 * transactions after the last active day. If the chain has not been active since the
 * last published day, that day is final.
 */
export function withInferredDays(
  series: DailySeries,
  { kind, txCount, through }: {
    kind: Kind;
    txCount: DailySeries;
    through: number;
  },
): DailySeries {
  const last = newestDay(series);
  if (last !== null && last > through) return series;
  if (txCount.activeElsewhere !== undefined) return series;
  const first = isEmpty(txCount) ? parseDay(GENESIS_DAY) : txCount.firstDay;
  const value = kind === "running total" ? series.values.at(-1) ?? 0 : 0;
  const inferred: DailyValue[] = [];
  const unread = new Set(
    [...series.unread ?? [], ...txCount.unread ?? []].map(({ day }) => day),
  );
  for (let day = last === null ? first : last + 1; day <= through; day++) {
    // Whatever the source says about an unread day, it is not that there is nothing.
    const isKnown = !unread.has(day) && !unread.has(null);
    if (isKnown && isInferable(txCount, day)) inferred.push({ day, value });
  }
  const inferredAfter = last ?? -Infinity;
  return {
    ...series,
    ...seriesOf([...pointsOf(series), ...inferred]),
    inferredAfter,
    isClosed: (lastActiveDay(txCount) ?? -Infinity) <= inferredAfter,
  };
}

/** Returns whether a day after the last published one had no transaction, as far as published. */
export function isInferable(txCount: DailySeries, day: number): boolean {
  if (txCount.activeElsewhere !== undefined) return false;
  const last = newestDay(txCount);
  return last === null || day > last || valueOn(txCount, day) === 0;
}
