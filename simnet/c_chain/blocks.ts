/** The C-Chain's blocks by arithmetic: how many a day, and when each was made. */
import { cChainBlockLevel } from "../series/curves.ts";
import { DAY_MS, dayAt } from "../series/days.ts";
import { unit, vary } from "../series/noise.ts";
import { EMPTY_DAYS } from "../series/series.ts";

/** When block 1 was made. */
export const FIRST_BLOCK_MS: number = Date.parse("2020-09-23T11:02:06Z");

/** The day of block 1. */
export const FIRST_BLOCK_DAY: number = dayAt(FIRST_BLOCK_MS);

/** How strongly blocks crowd around midnight: 0 is evenly. */
const MIDNIGHT_DENSITY = 0.4;

/** Where a block stands: its day, and its place among the blocks of that day. */
export interface BlockPlace {
  /** The day, as days since 1970. */
  readonly day: number;
  /** How many blocks of the day are older. */
  readonly index: number;
  /** How many blocks the whole day has. */
  readonly dayBlockCount: number;
}

/** The blocks in order; block 0 is older than every day and not counted. */
export interface BlockTimeline {
  /** Counts the blocks before a day, which is also the last block's number. */
  countBefore(day: number): number;
  /** Finds the newest block at an instant, 0 before block 1. */
  headAt(instantMs: number): number;
  /** Finds the day and place of a block from 1 on. */
  placeOf(number: number): BlockPlace;
}

/** Counts the blocks of a whole day. */
export function countBlocks(day: number): number {
  if (day < FIRST_BLOCK_DAY || EMPTY_DAYS.has(day)) return 0;
  return Math.round(cChainBlockLevel(day) * vary("blocks", day, 0.015));
}

/** Works out when a block was made. */
export function blockTimeMs({ day, index, dayBlockCount }: BlockPlace): number {
  const isFirstDay = day === FIRST_BLOCK_DAY;
  const startMs = isFirstDay ? FIRST_BLOCK_MS : day * DAY_MS;
  const jitter = isFirstDay && index === 0 ? 0 : unit(`blocks/${day}`, index);
  const part = (index + jitter) / dayBlockCount;
  const wave = MIDNIGHT_DENSITY * Math.sin(2 * Math.PI * part) / (2 * Math.PI);
  return Math.floor(startMs + ((day + 1) * DAY_MS - startMs) * (part - wave));
}

/** Opens the timeline, which counts each day once. */
export function blockTimeline(): BlockTimeline {
  const counts = [0];

  function countNextDay(): void {
    const day = FIRST_BLOCK_DAY + counts.length - 1;
    counts.push(counts.at(-1)! + countBlocks(day));
  }

  function countBefore(day: number): number {
    const daysPassed = Math.max(0, day - FIRST_BLOCK_DAY);
    while (counts.length <= daysPassed) countNextDay();
    return counts[daysPassed]!;
  }

  function headAt(instantMs: number): number {
    const day = dayAt(instantMs);
    const dayBlockCount = countBlocks(day);
    const made = countWhile(
      dayBlockCount,
      (index) => blockTimeMs({ day, index, dayBlockCount }) <= instantMs,
    );
    return countBefore(day) + made;
  }

  function placeOf(number: number): BlockPlace {
    while (counts.at(-1)! < number) countNextDay();
    const startsBefore = (index: number) => counts[index]! < number;
    const daysPassed = countWhile(counts.length, startsBefore) - 1;
    const day = FIRST_BLOCK_DAY + daysPassed;
    const index = number - 1 - counts[daysPassed]!;
    return { day, index, dayBlockCount: countBlocks(day) };
  }

  return { countBefore, headAt, placeOf };
}

/** Counts how many of the first indices hold, where none holds after one that fails. */
function countWhile(end: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
