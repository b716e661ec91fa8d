/**
 * Follower arrivals by hour, and the peak within any 24 hours. Hours are stored
 * in ranges of two weeks, each with its own peak. A change touches at most two
 * ranges, however long the history is, and can be undone exactly.
 */
import { HOUR_MS } from "../../platform/days.ts";

/** Arrived followers: their number, and their weights in millionths, so that sums are exact. */
export interface Arrivals {
  readonly count: number;
  /** Weight of followers who paid for gas. */
  readonly paidWeight: number;
  /** Weight of followers that cost nothing to create. */
  readonly freeWeight: number;
}

/**
 * Arrivals by slot (an hour, or an hour range), sorted by slot, without empty
 * slots. One flat array with four numbers per row: slot, count, paidWeight,
 * freeWeight. A typed array is the fastest to store. Never changed in place.
 */
export type ArrivalTable = Float64Array<ArrayBuffer>;

/** An empty table. */
export const EMPTY_TABLE: ArrivalTable = new Float64Array();

const NO_ARRIVALS: Arrivals = { count: 0, paidWeight: 0, freeWeight: 0 };

/** Numbers per row. */
const WIDTH = 4;

/** Hours within which arrivals count as one burst. */
const BURST_HOURS = 24;

const HOURS_PER_RANGE = 14 * 24;

/** Returns the hour of an instant (epoch ms), counted from the epoch. */
export function hourAt(at: number): number {
  return Math.floor(at / HOUR_MS);
}

/** Returns the range of an hour, counted from the epoch. */
export function hourRangeOf(hour: number): number {
  return Math.floor(hour / HOURS_PER_RANGE);
}

/** Returns whether a slot has arrivals. */
export function hasSlot(table: ArrivalTable, slot: number): boolean {
  return table[rowIndexOf(table, slot)] === slot;
}

/** Adds arrivals to a slot, or subtracts them with a `sign` of -1. */
export function addArrivals(
  table: ArrivalTable,
  slot: number,
  { arrivals, sign }: { readonly arrivals: Arrivals; readonly sign: 1 | -1 },
): ArrivalTable {
  const place = rowIndexOf(table, slot);
  const sum = { ...table[place] === slot ? rowAt(table, place) : NO_ARRIVALS };
  addInto(sum, arrivals, sign);
  return setSlot(table, slot, sum);
}

/** Replaces the arrivals of a slot. Without arrivals the slot is removed. */
export function setSlot(
  table: ArrivalTable,
  slot: number,
  { count, paidWeight, freeWeight }: Arrivals,
): ArrivalTable {
  const start = rowIndexOf(table, slot);
  const end = table[start] === slot ? start + WIDTH : start;
  const row = count > 0 ? [slot, count, paidWeight, freeWeight] : [];
  const next = new Float64Array(table.length - (end - start) + row.length);
  next.set(table.subarray(0, start));
  next.set(row, start);
  next.set(table.subarray(end), start + row.length);
  return next;
}

/**
 * Returns the peak arrivals within 24 hours that end in an hour range. Each
 * measure has its own peak. `before` is the preceding range.
 */
export function peakOf(
  hourRange: ArrivalTable,
  before: ArrivalTable,
): Arrivals {
  const [first] = hourRange;
  if (first === undefined) return NO_ARRIVALS;
  const tail = before.subarray(rowIndexOf(before, first - BURST_HOURS + 1));
  const hours = new Float64Array(tail.length + hourRange.length);
  hours.set(tail);
  hours.set(hourRange, tail.length);
  const sum = { ...NO_ARRIVALS };
  const peak = { ...NO_ARRIVALS };
  let oldest = 0;
  for (let place = 0; place < hours.length; place += WIDTH) {
    addInto(sum, rowAt(hours, place), 1);
    while (hours[oldest]! <= hours[place]! - BURST_HOURS) {
      addInto(sum, rowAt(hours, oldest), -1);
      oldest += WIDTH;
    }
    if (place >= tail.length) raiseTo(peak, sum);
  }
  return peak;
}

/** Returns the maximum of each measure over all slots. */
export function largestOf(table: ArrivalTable): Arrivals {
  const peak = { ...NO_ARRIVALS };
  for (let place = 0; place < table.length; place += WIDTH) {
    raiseTo(peak, rowAt(table, place));
  }
  return peak;
}

type Sums = { -readonly [Measure in keyof Arrivals]: number };

function addInto(sum: Sums, arrivals: Arrivals, sign: 1 | -1): void {
  sum.count += sign * arrivals.count;
  sum.paidWeight += sign * arrivals.paidWeight;
  sum.freeWeight += sign * arrivals.freeWeight;
}

function raiseTo(peak: Sums, arrivals: Arrivals): void {
  peak.count = Math.max(peak.count, arrivals.count);
  peak.paidWeight = Math.max(peak.paidWeight, arrivals.paidWeight);
  peak.freeWeight = Math.max(peak.freeWeight, arrivals.freeWeight);
}

function rowAt(table: ArrivalTable, place: number): Arrivals {
  return {
    count: table[place + 1]!,
    paidWeight: table[place + 2]!,
    freeWeight: table[place + 3]!,
  };
}

/** Returns the index of the row of a slot, or where it would be. Searches from the end, where new arrivals are. */
function rowIndexOf(table: ArrivalTable, slot: number): number {
  let place = table.length;
  while (place > 0 && table[place - WIDTH]! >= slot) place -= WIDTH;
  return place;
}
