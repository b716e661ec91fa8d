/**
 * Followers by the hour they arrived in, and the most that arrived within any 24
 * hours. Hours are kept in stretches of two weeks, each with its own peak: a
 * change touches two of them at most, however many years there are, and is undone
 * as exactly as it was made.
 */
import { HOUR_MS } from "../../platform/days.ts";

/** Followers: how many, and what they weigh in millionths, so that sums are exact in any order. */
export interface Arrivals {
  readonly count: number;
  readonly paidWeight: number;
  readonly freeWeight: number;
}

/**
 * Crowds by slot (an hour, or a hourRange) in the order of slots, without empty
 * ones: the slot, count, paidWeight and freeWeight of each, one after the other in one array,
 * which is the fastest to store. Never changed in place.
 */
export type ArrivalTable = Float64Array<ArrayBuffer>;

/** A table with nobody in it. */
export const EMPTY_TABLE: ArrivalTable = new Float64Array();

const NO_ARRIVALS: Arrivals = { count: 0, paidWeight: 0, freeWeight: 0 };

/** Numbers of a row. */
const WIDTH = 4;

/** Hours within which arrivals count as one surge. */
const BURST_HOURS = 24;

const HOURS_PER_RANGE = 14 * 24;

/** Returns the hour of an instant (epoch ms), counted from the epoch. */
export function hourAt(at: number): number {
  return Math.floor(at / HOUR_MS);
}

/** Returns the hourRange of an hour, counted from the epoch. */
export function hourRangeOf(hour: number): number {
  return Math.floor(hour / HOURS_PER_RANGE);
}

/** Returns whether a slot has anybody. */
export function hasSlot(table: ArrivalTable, slot: number): boolean {
  return table[rowIndexOf(table, slot)] === slot;
}

/** Adds followers to a slot, or takes them out with a `sign` of -1. */
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

/** Puts a arrivals in the place of what a slot holds; nobody leaves no slot. */
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
 * Returns the most that arrived within 24 hours that end in a hourRange, each
 * measure by itself; `before` is the hourRange that precedes it.
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

/** Returns the largest of all crowds, each measure by itself. */
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

/** Returns where the row of a slot is or would be; who arrives now is at the end. */
function rowIndexOf(table: ArrivalTable, slot: number): number {
  let place = table.length;
  while (place > 0 && table[place - WIDTH]! >= slot) place -= WIDTH;
  return place;
}
