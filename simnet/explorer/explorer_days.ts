/** Daily values of the explorer index, with deliberate differences from the Metrics API. */
import { type BlockTimeline, countBlocks } from "../c_chain/blocks.ts";
import { C_CHAIN, type Chain } from "../chains.ts";
import { findAnomaly } from "../series/anomalies.ts";
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

/** Metrics that the index has of any chain. */
type ChainMetric = "txCount" | "activeAddresses" | "feesPaid";

/** Generated chains have higher ids. The index does not know them. */
const REAL_IDS_BELOW = 5_000_000;

/** A chain that the index answers with zeroes, as it did in July 2025. */
export const ZERO_CHAIN_ID = 68414;

/** A chain of which the index lacks some days, and one that it counts differently on one. */
export const LAGGING_DAYS = { chainId: 13322, ages: [3, 6] } as const;
export const CHAIN_DISPUTE = { chainId: 12150, age: 12, factor: 1.19 } as const;

/** Lists the days of a chain as the index counts them, newest first. */
export function listChainDays(
  chain: Chain | undefined,
  metric: ChainMetric,
  nowMs: number,
): { day: number; value: number }[] {
  const isKnown = chain !== undefined && chain.evmChainId < REAL_IDS_BELOW;
  if (!isKnown) return [];
  const { evmChainId } = chain;
  const { firstAge, silentFrom = Infinity, absentAges } = findAnomaly(
    evmChainId,
  );
  if (absentAges?.[1] === Infinity) return [];
  const today = dayAt(nowMs);
  const firstDay = firstAge === undefined ? chain.firstDay : today - firstAge;
  const days: { day: number; value: number }[] = [];
  for (let day = today; day >= firstDay; day--) {
    const age = today - day;
    const isZero = evmChainId === ZERO_CHAIN_ID ||
      (evmChainId === LAGGING_DAYS.chainId &&
        isBetween(age, LAGGING_DAYS.ages)) ||
      day >= silentFrom;
    const elapsed = age === 0 ? (nowMs - day * DAY_MS) / DAY_MS : 1;
    const isDisputed = evmChainId === CHAIN_DISPUTE.chainId &&
      age === CHAIN_DISPUTE.age;
    const counted = dailyValue(chain, metric, day) * elapsed *
      (isDisputed ? CHAIN_DISPUTE.factor : 1);
    // Another slice of the day: a thousandth of it at most.
    const sliced = counted *
      (1 + 0.002 * (unit(`slice/${evmChainId}`, day) - 0.5));
    const value = isZero
      ? 0
      : metric === "feesPaid"
      ? sliced
      : Math.round(sliced);
    days.push({ day, value });
  }
  return days;
}

function isBetween(age: number, [newest, oldest]: readonly [number, number]) {
  return newest <= age && age <= oldest;
}
