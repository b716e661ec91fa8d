/** Packs lists of timestamps into bytes: differences in seconds. */
import { putVarint, readVarints } from "../varint.ts";

/** Packs timestamps of whole seconds, in epoch ms, and keeps their order. */
export function packTimestamps(
  instants: readonly number[],
): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  let last = 0;
  for (const instant of instants) {
    const second = Math.floor(instant / 1000);
    const step = last - second;
    last = second;
    // Odd numbers are steps forward in time, even numbers steps back.
    putVarint(bytes, step >= 0 ? 2 * step : -2 * step - 1);
  }
  return Uint8Array.from(bytes);
}

/** Returns the packed timestamps. */
export function unpackTimestamps(bytes: Uint8Array): number[] {
  let second = 0;
  return readVarints(bytes).map((number) => {
    second -= number % 2 === 0 ? number / 2 : -(number + 1) / 2;
    return second * 1000;
  });
}
