/** Changes between buckets, in percent. */
import type { Point } from "../catalogue/metrics_schema.ts";
import { roundPct } from "./agreement.ts";
import { formatDay, parseDay, startOfBucket } from "../../platform/days.ts";

/** Returns the change in percent; null if a bucket is absent or incomplete, or the base is 0. */
export function changePct(
  current: Point | undefined,
  base: Point | undefined,
): number | null {
  if (!current?.complete || !base?.complete || base.value === 0) return null;
  return roundPct((current.value - base.value) / base.value * 100);
}

/** Returns the first day of the month before a month. */
export function monthBefore(month: string): string {
  return formatDay(startOfBucket(parseDay(month) - 1, "month"));
}

/** Returns the first day of the same month a year before. */
export function yearBefore(month: string): string {
  return `${Number(month.slice(0, 4)) - 1}${month.slice(4)}`;
}
