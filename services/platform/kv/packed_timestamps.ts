/** Packs lists of timestamps into bytes: differences in seconds, as variable-length integers. */

/** Bits of a number in each byte. The highest bit means that more bytes follow. */
const BITS = 7;
const MORE = 2 ** BITS;

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
    let rest = step >= 0 ? 2 * step : -2 * step - 1;
    for (; rest >= MORE; rest = Math.floor(rest / MORE)) {
      bytes.push(rest % MORE + MORE);
    }
    bytes.push(rest);
  }
  return Uint8Array.from(bytes);
}

/** Returns the packed timestamps. */
export function unpackTimestamps(bytes: Uint8Array): number[] {
  const instants: number[] = [];
  let second = 0;
  let number = 0;
  let unit = 1;
  for (const byte of bytes) {
    if (byte >= MORE) {
      number += (byte - MORE) * unit;
      unit *= MORE;
      continue;
    }
    number += byte * unit;
    second -= number % 2 === 0 ? number / 2 : -(number + 1) / 2;
    instants.push(second * 1000);
    number = 0;
    unit = 1;
  }
  return instants;
}
