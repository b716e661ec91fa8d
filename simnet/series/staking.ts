/** Daily staking series of the Primary Network. */
import {
  delegatorCountLevel,
  delegatorWeightLevel,
  validatorCountLevel,
  validatorWeightLevel,
} from "./curves.ts";
import { dayOf } from "./days.ts";
import { vary } from "./noise.ts";
import type { Bucket } from "./rollups.ts";

/** The subnet id of the Primary Network. */
export const PRIMARY_SUBNET_ID = "11111111111111111111111111111111LpoYY";

/** The first day of the staking series. */
const FIRST_STAKING_DAY: number = dayOf("2020-09-10");

interface StakingSeries {
  readonly level: (day: number) => number;
  readonly spread: number;
  readonly unit: number;
}

const NANO_AVAX = 1e9;

/** The staking metrics. Weights are in nAVAX, which exceeds the exact range of a number. */
export const STAKING_METRICS = {
  validatorCount: { level: validatorCountLevel, spread: 0.004, unit: 1 },
  validatorWeight: {
    level: validatorWeightLevel,
    spread: 0.0005,
    unit: NANO_AVAX,
  },
  delegatorCount: { level: delegatorCountLevel, spread: 0.004, unit: 1 },
  delegatorWeight: {
    level: delegatorWeightLevel,
    spread: 0.0005,
    unit: NANO_AVAX,
  },
} as const satisfies Record<string, StakingSeries>;

/** One of the four staking metrics. */
export type StakingMetric = keyof typeof STAKING_METRICS;

/** Returns a staking metric on a day. */
export function stakingOn(metric: StakingMetric, day: number): number {
  const { level, spread, unit } = STAKING_METRICS[metric];
  return Math.round(level(day) * vary(metric, day, spread) * unit);
}

/** Lists a staking metric from its first day to a day. */
export function listStaking(metric: StakingMetric, lastDay: number): Bucket[] {
  return Array.from(
    { length: Math.max(0, lastDay - FIRST_STAKING_DAY + 1) },
    (_, index) => {
      const day = FIRST_STAKING_DAY + index;
      return { day, value: stakingOn(metric, day) };
    },
  );
}
