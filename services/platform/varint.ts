/** Whole numbers from 0 to 2^53 - 1 as bytes: seven bits in each, the lowest first, as in Protocol Buffers. */

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
