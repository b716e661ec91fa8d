/**
 * Figures: extremes of lists of any length, and decimal arithmetic without the rounding
 * errors of binary floats.
 */
// @ts-types="@types/big.js"
import Big from "big.js";

/** Returns the largest value; -Infinity if there is none. Not `Math.max(...values)`: arguments of a call are limited. */
export function maxOf(values: Iterable<number>): number {
  let most = -Infinity;
  for (const value of values) most = Math.max(most, value);
  return most;
}

/** Returns the smallest value; Infinity if there is none. */
export function minOf(values: Iterable<number>): number {
  let least = Infinity;
  for (const value of values) least = Math.min(least, value);
  return least;
}

/** Numbers whose quotients have more digits than a number holds, also if they are small. */
const Decimal = Big();
Decimal.DP = 40;

/**
 * Returns the sum of decimal numbers, rounded once to the nearest number. The sum
 * of 0.1 and 0.2 is 0.3.
 */
export function sumOf(values: readonly number[]): number {
  // Most buckets are single days.
  if (values.length === 1) return values[0]!;
  return wholeSumOf(values) ?? decimalSumOf(values).toNumber();
}

/** Returns the mean of decimal numbers, rounded once. The mean of 4.01 and 4.03 is 4.02. */
export function meanOf(values: readonly number[]): number {
  if (values.length === 1) return values[0]!;
  const sum = wholeSumOf(values);
  return sum === null
    ? decimalSumOf(values).div(values.length).toNumber()
    : sum / values.length;
}

/**
 * Returns the sum of whole numbers; null if a value is not a whole number up to 2^53.
 */
function wholeSumOf(values: readonly number[]): number | null {
  const sum = values.reduce((total, value) => total + value, 0);
  // Whole numbers up to 2^53 add up exactly, and most series have only these.
  return Number.isSafeInteger(sum) && values.every(Number.isSafeInteger)
    ? sum
    : null;
}

function decimalSumOf(values: readonly number[]): Big {
  return values.reduce((total, value) => total.plus(value), new Decimal(0));
}

/** Returns a whole number divided by a power of ten, rounded once to the nearest number. */
export function scaleDown(value: bigint, digits: number): number {
  return Number(`${value}e-${digits}`);
}

/** Writes a number in digits, without an exponent: `0.0000001`. */
export function plainNumber(value: number): string {
  const text = String(value);
  return text.includes("e") ? new Big(text).toFixed() : text;
}
