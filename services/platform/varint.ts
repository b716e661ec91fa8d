/** Numbers of variable length, and timestamps packed by them: differences in seconds. */

/** A byte of this or more is followed by another one. */
const MORE = 128;

/** Appends a number. */
export function putVarint(bytes: number[], number: number): void {
  let rest = number;
  for (; rest >= MORE; rest = Math.floor(rest / MORE)) {
    bytes.push(rest % MORE + MORE);
  }
  bytes.push(rest);
}

/** Where the next number begins. */
interface Cursor {
  offset: number;
}

/** Reads a number, and moves the cursor behind it. Throws if the bytes end before. */
export function readVarint(bytes: Uint8Array, cursor: Cursor): number {
  let number = 0;
  for (let unit = 1;; unit *= MORE) {
    const byte = bytes[cursor.offset++];
    if (byte === undefined) throw new RangeError("The bytes end in a number");
    if (byte < MORE) return number + byte * unit;
    number += (byte - MORE) * unit;
  }
}

/** Reads bytes that are numbers only. */
export function readVarints(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  const cursor = { offset: 0 };
  while (cursor.offset < bytes.length) numbers.push(readVarint(bytes, cursor));
  return numbers;
}

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
