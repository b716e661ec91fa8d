/** Packs the days of use into bytes: about four bytes a day instead of forty. */
import { putVarint, readVarints } from "../../platform/varint.ts";
import type { ActiveDay } from "../../model/own_use.ts";

const NAVAX = 1e9;

/** Packs days, newest first: differences of days, gas in nAVAX, and transactions. */
export function packDays(days: readonly ActiveDay[]): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  let last = days[0]?.day ?? 0;
  putVarint(bytes, last);
  for (const { day, gasAvax, varied } of days) {
    putVarint(bytes, last - day);
    putVarint(bytes, Math.round(gasAvax * NAVAX));
    putVarint(bytes, varied);
    last = day;
  }
  return Uint8Array.from(bytes);
}

/** Returns the packed days. */
export function unpackDays(bytes: Uint8Array): ActiveDay[] {
  const numbers = readVarints(bytes);
  let day = numbers[0] ?? 0;
  const days: ActiveDay[] = [];
  for (let at = 1; at + 2 < numbers.length; at += 3) {
    day -= numbers[at]!;
    const gasAvax = numbers[at + 1]! / NAVAX;
    days.push({ day, gasAvax, varied: numbers[at + 2]! });
  }
  return days;
}
