/** Totals, shares and dates across chains. */
import type { Gap } from "../chain_data/catalogue/fields_schema.ts";
import { sumOf } from "../platform/numbers.ts";

/** A line of a chart, of one chain. */
interface ChainLine extends BegunLine {
  readonly points: readonly ChainPoint[];
}

/** What shows when a line begins. */
interface BegunLine {
  readonly points: readonly Pick<ChainPoint, "day">[];
  readonly gaps: readonly Gap[];
  readonly dataThrough: string | null;
}

/** A bucket of one chain. */
interface ChainPoint {
  readonly day: string;
  readonly value: number;
  readonly complete: boolean;
  readonly inferred?: boolean | undefined;
}

/** A bucket of all chains together. */
interface Total {
  readonly day: string;
  readonly value: number;
  readonly complete: boolean;
  readonly inferred: boolean;
}

/**
 * Adds up several chains bucket by bucket. A chain counts as 0 before its first
 * bucket, because it did not exist. A bucket that a chain lacks later has no total:
 * the sum of the others would look like a fall.
 */
export function totalsOf(
  lines: readonly ChainLine[],
  axis: readonly string[],
): Total[] {
  const next = lines.map(() => 0);
  const totals: Total[] = [];
  for (const day of axis) {
    const found: ChainPoint[] = [];
    let isWhole = true;
    lines.forEach((line, index) => {
      const point = line.points[next[index]!];
      if (point?.day === day) {
        found.push(point);
        next[index]!++;
      } else if (!isBeforeFirst(day, line)) isWhole = false;
    });
    if (!isWhole || found.length === 0) continue;
    totals.push({
      day,
      value: sumOf(found.map(({ value }) => value)),
      complete: found.every(({ complete }) => complete),
      inferred: found.some(({ inferred }) => inferred === true),
    });
  }
  return totals;
}

/** Returns whether a bucket lies before the first day of a chain. A gap never does. */
export function isBeforeFirst(
  day: string,
  { points: [first], gaps: [gap], dataThrough }: BegunLine,
): boolean {
  if (gap !== undefined && gap.from <= day) return false;
  return first === undefined
    ? dataThrough === null || dataThrough >= day
    : day < first.day;
}

/** Returns the newest day that all chains have, null if one has none, and when the first of them was read. */
export function datesOf(
  lines: readonly { dataThrough: string | null; fetchedAt: string }[],
) {
  return {
    dataThrough: lines.map(({ dataThrough }) => dataThrough)
      .reduce((a, b) => a === null || b === null ? null : a < b ? a : b),
    fetchedAt: lines.map(({ fetchedAt }) => fetchedAt)
      .reduce((a, b) => a < b ? a : b),
  };
}

/**
 * Returns the share of a value in percent of a total; null without a total, or if it
 * is 0.
 */
export function shareOf(
  value: number,
  total: number | null,
): number | null {
  return total === null || total === 0 ? null : value / total * 100;
}
