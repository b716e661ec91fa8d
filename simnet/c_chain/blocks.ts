/** The C-Chain's blocks, computed: how many per day, and the time of each. */
import { cChainBlockLevel } from "../series/curves.ts";
import { DAY_MS, dayAt } from "../series/days.ts";
import { unit, vary } from "../series/noise.ts";
import { EMPTY_DAYS } from "../series/series.ts";

/** The time of block 1. */
const FIRST_BLOCK_MS: number = Date.parse("2020-09-23T11:02:06Z");

/** The day of block 1. */
export const FIRST_BLOCK_DAY: number = dayAt(FIRST_BLOCK_MS);

/** How much denser blocks are around midnight; 0 distributes them evenly. */
const MIDNIGHT_DENSITY = 0.4;

/** The day of a block, and its position among the blocks of that day. */
export interface BlockPlace {
  /** The day, as days since 1970. */
  readonly day: number;
  /** Zero-based position within the day. */
  readonly index: number;
  /** Number of blocks in the whole day. */
  readonly dayBlockCount: number;
}

/** The blocks in order. Block 0 is before the first day and not counted. */
export interface BlockTimeline {
  /** Counts the blocks before a day. This is also the number of the last one. */
  countBefore(day: number): number;
  /** Returns the number of the newest block at an instant; 0 before block 1. */
  headAt(instantMs: number): number;
  /** Returns day and position of block 1 or later. */
  placeOf(number: number): BlockPlace;
}

/** Counts the blocks of a whole day. */
export function countBlocks(day: number): number {
  if (day < FIRST_BLOCK_DAY || EMPTY_DAYS.has(day)) return 0;
  return Math.round(cChainBlockLevel(day) * vary("blocks", day, 0.015));
}

/** Returns the time of a block. */
export function blockTimeMs({ day, index, dayBlockCount }: BlockPlace): number {
  const isFirstDay = day === FIRST_BLOCK_DAY;
  const startMs = isFirstDay ? FIRST_BLOCK_MS : day * DAY_MS;
  const jitter = isFirstDay && index === 0 ? 0 : unit(`blocks/${day}`, index);
  const part = (index + jitter) / dayBlockCount;
  const wave = MIDNIGHT_DENSITY * Math.sin(2 * Math.PI * part) / (2 * Math.PI);
  return Math.floor(startMs + ((day + 1) * DAY_MS - startMs) * (part - wave));
}

/** Creates a timeline. It caches the block count of each day. */
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

/** Binary search: counts the leading indices for which `holds` is true. */
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
