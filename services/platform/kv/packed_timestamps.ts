/** Lists of instants as bytes: the seconds from one to the next, which are few. */

/** Bits of a number that a byte holds; its highest bit says that more follow. */
const BITS = 7;
const MORE = 2 ** BITS;

/** Packs instants of whole seconds, in epoch ms, in their order. */
export function packTimestamps(
  instants: readonly number[],
): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  let last = 0;
  for (const instant of instants) {
    const second = Math.floor(instant / 1000);
    const step = last - second;
    last = second;
    // Odd numbers are steps forward in time.
    let rest = step >= 0 ? 2 * step : -2 * step - 1;
    for (; rest >= MORE; rest = Math.floor(rest / MORE)) {
      bytes.push(rest % MORE + MORE);
    }
    bytes.push(rest);
  }
  return Uint8Array.from(bytes);
}

/** Returns what was packed. */
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
