/** Packs the days of use into bytes: about four bytes a day instead of forty. */
import { putVarint, readVarints } from "../../platform/varint.ts";
import type { ActiveDay } from "../../model/own_use.ts";
import { TABLES } from "../../model/s4_2026_3_tables.ts";

/** nAVAX of a unit of gas in the fee era of most records that hold gas as nAVAX. */
const NAVAX_PER_UNIT = 25;

/** Packs days, newest first: differences of days, units of gas, and transactions. */
export function packDays(days: readonly ActiveDay[]): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  let last = days[0]?.day ?? 0;
  putVarint(bytes, last);
  for (const { day, gasUnits, varied } of days) {
    putVarint(bytes, last - day);
    putVarint(bytes, gasUnits);
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
    days.push({ day, gasUnits: numbers[at + 1]!, varied: numbers[at + 2]! });
  }
  return days;
}

/**
 * Returns packed days that hold gas in nAVAX, with an estimate of the units: never
 * less than transfers cost, and never more than were used since gas became cheaper.
 */
export function unpackPaidDays(bytes: Uint8Array): ActiveDay[] {
  return unpackDays(bytes).map(({ day, gasUnits: nAvax, varied }) => ({
    day,
    gasUnits: Math.max(
      TABLES.gas.transfer * varied,
      Math.round(nAvax / NAVAX_PER_UNIT),
    ),
    varied,
  }));
}
