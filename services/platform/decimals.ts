/** Decimal arithmetic of figures: sums without the rounding errors of binary floats. */
// @ts-types="@types/big.js"
import Big from "big.js";

/**
 * Returns the sum of decimal numbers, rounded once to the nearest number. The sum
 * of 0.1 and 0.2 is 0.3.
 */
export function sumOf(values: readonly number[]): number {
  // Most buckets are single days.
  if (values.length === 1) return values[0]!;
  const sum = values.reduce((total, value) => total + value, 0);
  // Whole numbers up to 2^53 add up exactly, and most series have only these.
  if (Number.isSafeInteger(sum) && values.every(Number.isSafeInteger)) {
    return sum;
  }
  return values.reduce((total, value) => total.plus(value), new Big(0))
    .toNumber();
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
