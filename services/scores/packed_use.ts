/** Packs the days of use into bytes: about four bytes a day instead of forty. */
import type { ActiveDay } from "./model/own_use.ts";

/** Bits of a number in each byte. The highest bit means that more bytes follow. */
const BITS = 7;
const MORE = 2 ** BITS;
const NAVAX = 1e9;

/** Packs days, newest first: differences of days, gas in nAVAX, and transactions. */
export function packDays(days: readonly ActiveDay[]): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  const put = (number: number) => {
    let rest = number;
    for (; rest >= MORE; rest = Math.floor(rest / MORE)) {
      bytes.push(rest % MORE + MORE);
    }
    bytes.push(rest);
  };
  let last = days[0]?.day ?? 0;
  put(last);
  for (const { day, gasAvax, varied } of days) {
    put(last - day);
    put(Math.round(gasAvax * NAVAX));
    put(varied);
    last = day;
  }
  return Uint8Array.from(bytes);
}

/** Returns the packed days. */
export function unpackDays(bytes: Uint8Array): ActiveDay[] {
  const numbers: number[] = [];
  let number = 0;
  let unit = 1;
  for (const byte of bytes) {
    if (byte >= MORE) {
      number += (byte - MORE) * unit;
      unit *= MORE;
      continue;
    }
    numbers.push(number + byte * unit);
    number = 0;
    unit = 1;
  }
  let day = numbers[0] ?? 0;
  const days: ActiveDay[] = [];
  for (let at = 1; at + 2 < numbers.length; at += 3) {
    day -= numbers[at]!;
    const gasAvax = numbers[at + 1]! / NAVAX;
    days.push({ day, gasAvax, varied: numbers[at + 2]! });
  }
  return days;
}
