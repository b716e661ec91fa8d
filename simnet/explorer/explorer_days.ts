/** Daily values of the explorer index, with deliberate differences from the Metrics API. */
import { type BlockTimeline, countBlocks } from "../c_chain/blocks.ts";
import { C_CHAIN } from "../chains.ts";
import { DAY_MS, dayAt, dayOf } from "../series/days.ts";
import { unit } from "../series/noise.ts";
import { dailyValue } from "../series/series.ts";

/** A daily value of the explorer index. */
export type ExplorerMetric = "txCount" | "feesPaid" | "blockCount";

/** Fixed days on which the index is wrong, with the factor. */
export const DISPUTED_DAYS: Readonly<
  Record<"txCount" | "feesPaid", Readonly<Record<string, number>>>
> = {
  txCount: { "2023-11-22": 1.021, "2024-06-18": 0.985, "2025-07-02": 1.017 },
  feesPaid: { "2024-03-13": 0.976 },
};

/** The day (`age` days before today) on which transactions and fees are wrong by a factor. */
export const RECENT_DISPUTE = { age: 10, txCount: 1.016, feesPaid: 0.983 };

/** The day (`age` days before today) on which the index counts fewer blocks than exist. */
export const MISCOUNTED_BLOCKS = { age: 15, blockCount: -3 };

/** Days without a row for transactions and fees. */
export const MISSING_DAYS: readonly string[] = ["2021-08-17", "2024-02-29"];

/** Largest share of a day that the index counts towards the previous day. */
const MAX_SHIFTED = 0.002;

const MISSING = new Set(MISSING_DAYS.map(dayOf));

/** Returns a value of a day as counted at an instant; null if the index has no row. */
export function explorerValue(
  metric: ExplorerMetric,
  day: number,
  timeline: BlockTimeline,
  nowMs: number,
): number | null {
  const today = dayAt(nowMs);
  if (day > today) return null;
  if (metric === "blockCount") {
    if (day === today) {
      return timeline.headAt(nowMs) - timeline.countBefore(day);
    }
    const isMiscounted = today - day === MISCOUNTED_BLOCKS.age;
    return countBlocks(day) + (isMiscounted ? MISCOUNTED_BLOCKS.blockCount : 0);
  }
  if (MISSING.has(day)) return null;
  const sliced = dailyValue(C_CHAIN, metric, day) -
    shiftedShare(metric, day) + shiftedShare(metric, day + 1);
  const elapsed = day === today ? (nowMs - day * DAY_MS) / DAY_MS : 1;
  const counted = sliced * elapsed * disputeFactor(metric, day, today);
  return metric === "txCount" ? Math.round(counted) : counted;
}

/** The part of a day that the index counts towards the previous day. */
function shiftedShare(metric: "txCount" | "feesPaid", day: number): number {
  const smaller = Math.min(
    dailyValue(C_CHAIN, metric, day - 1),
    dailyValue(C_CHAIN, metric, day),
  );
  const slice = smaller * MAX_SHIFTED * unit("slice", day);
  return metric === "txCount" ? Math.floor(slice) : slice;
}

function disputeFactor(
  metric: "txCount" | "feesPaid",
  day: number,
  today: number,
): number {
  if (today - day === RECENT_DISPUTE.age) return RECENT_DISPUTE[metric];
  return DISPUTES[metric].get(day) ?? 1;
}

const DISPUTES = {
  txCount: byDay(DISPUTED_DAYS.txCount),
  feesPaid: byDay(DISPUTED_DAYS.feesPaid),
};

function byDay(factors: Readonly<Record<string, number>>): Map<number, number> {
  return new Map(
    Object.entries(factors).map(([date, factor]) => [dayOf(date), factor]),
  );
}
