/**
 * Followers by the hour they arrived in, and the most that arrived within any 24
 * hours. Hours are kept in stretches of two weeks, each with its own peak: a
 * change touches two of them at most, however many years there are, and is undone
 * as exactly as it was made.
 */

/** Followers: how many, and what they weigh in millionths, so that sums are exact in any order. */
export interface Crowd {
  readonly heads: number;
  readonly solid: number;
  readonly soft: number;
}

/**
 * Crowds by slot (an hour, or a stretch) in the order of slots, without empty
 * ones: the slot, heads, solid and soft of each, one after the other in one array,
 * which is the fastest to store. Never changed in place.
 */
export type CrowdTable = Float64Array<ArrayBuffer>;

/** A table with nobody in it. */
export const EMPTY_TABLE: CrowdTable = new Float64Array();

const NOBODY: Crowd = { heads: 0, solid: 0, soft: 0 };

/** Numbers of a row. */
const WIDTH = 4;

const HOUR_MS = 3_600_000;

/** Hours within which arrivals count as one surge. */
const SURGE_HOURS = 24;

const STRETCH_HOURS = 14 * 24;

/** Returns the hour of an instant (epoch ms), counted from the epoch. */
export function hourAt(at: number): number {
  return Math.floor(at / HOUR_MS);
}

/** Returns the stretch of an hour, counted from the epoch. */
export function stretchOf(hour: number): number {
  return Math.floor(hour / STRETCH_HOURS);
}

/** Returns whether a slot has anybody. */
export function has(table: CrowdTable, slot: number): boolean {
  return table[placeOf(table, slot)] === slot;
}

/** Adds followers to a slot, or takes them out with a `sign` of -1. */
export function addTo(
  table: CrowdTable,
  slot: number,
  { crowd, sign }: { readonly crowd: Crowd; readonly sign: 1 | -1 },
): CrowdTable {
  const place = placeOf(table, slot);
  const sum = { ...table[place] === slot ? rowAt(table, place) : NOBODY };
  addInto(sum, crowd, sign);
  return setSlot(table, slot, sum);
}

/** Puts a crowd in the place of what a slot holds; nobody leaves no slot. */
export function setSlot(
  table: CrowdTable,
  slot: number,
  { heads, solid, soft }: Crowd,
): CrowdTable {
  const start = placeOf(table, slot);
  const end = table[start] === slot ? start + WIDTH : start;
  const row = heads > 0 ? [slot, heads, solid, soft] : [];
  const next = new Float64Array(table.length - (end - start) + row.length);
  next.set(table.subarray(0, start));
  next.set(row, start);
  next.set(table.subarray(end), start + row.length);
  return next;
}

/**
 * Returns the most that arrived within 24 hours that end in a stretch, each
 * measure by itself; `before` is the stretch that precedes it.
 */
export function peakOf(stretch: CrowdTable, before: CrowdTable): Crowd {
  const [first] = stretch;
  if (first === undefined) return NOBODY;
  const tail = before.subarray(placeOf(before, first - SURGE_HOURS + 1));
  const hours = new Float64Array(tail.length + stretch.length);
  hours.set(tail);
  hours.set(stretch, tail.length);
  const sum = { ...NOBODY };
  const peak = { ...NOBODY };
  let oldest = 0;
  for (let place = 0; place < hours.length; place += WIDTH) {
    addInto(sum, rowAt(hours, place), 1);
    while (hours[oldest]! <= hours[place]! - SURGE_HOURS) {
      addInto(sum, rowAt(hours, oldest), -1);
      oldest += WIDTH;
    }
    if (place >= tail.length) raiseTo(peak, sum);
  }
  return peak;
}

/** Returns the largest of all crowds, each measure by itself. */
export function largestOf(table: CrowdTable): Crowd {
  const peak = { ...NOBODY };
  for (let place = 0; place < table.length; place += WIDTH) {
    raiseTo(peak, rowAt(table, place));
  }
  return peak;
}

type Sums = { -readonly [Measure in keyof Crowd]: number };

function addInto(sum: Sums, crowd: Crowd, sign: 1 | -1): void {
  sum.heads += sign * crowd.heads;
  sum.solid += sign * crowd.solid;
  sum.soft += sign * crowd.soft;
}

function raiseTo(peak: Sums, crowd: Crowd): void {
  peak.heads = Math.max(peak.heads, crowd.heads);
  peak.solid = Math.max(peak.solid, crowd.solid);
  peak.soft = Math.max(peak.soft, crowd.soft);
}

function rowAt(table: CrowdTable, place: number): Crowd {
  return {
    heads: table[place + 1]!,
    solid: table[place + 2]!,
    soft: table[place + 3]!,
  };
}

/** Returns where the row of a slot is or would be; who arrives now is at the end. */
function placeOf(table: CrowdTable, slot: number): number {
  let place = table.length;
  while (place > 0 && table[place - WIDTH]! >= slot) place -= WIDTH;
  return place;
}
