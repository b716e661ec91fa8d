/** The staking series of the Primary Network, joined on the days that all four have. */
import type { SourcedSeries } from "../checks/checks.ts";
import {
  type DailySeries,
  pointsOf,
  seriesOf,
  valueOn,
} from "../series/series.ts";
import {
  type MetricsSeriesId,
  STAKING_METRICS,
  type StakingMetric,
} from "../series/series_id.ts";
import { sumOf } from "../../platform/decimals.ts";
import { toAvax } from "../snapshots.ts";

/** Counts and stakes of a day; stakes in AVAX. */
interface StakingDay {
  readonly validators: number;
  readonly delegators: number;
  readonly validatorStake: number;
  readonly delegatorStake: number;
  readonly totalStake: number;
}

/** The daily total stake in AVAX, and the counts of each day. */
interface Staking {
  readonly total: SourcedSeries;
  readonly on: (day: number) => StakingDay;
}

/** Reads and joins the four series. Returns null if one is not available. */
export async function readStaking(
  read: (id: MetricsSeriesId) => Promise<SourcedSeries | null>,
): Promise<Staking | null> {
  const series = new Map<StakingMetric, DailySeries>();
  const parts = await Promise.all(STAKING_METRICS.map(async (metric) => {
    const part = await read({ subject: "primary-network", metric });
    if (part) series.set(metric, part.series);
    return part;
  }));
  if (!parts.every((part) => part !== null)) return null;

  const on = (day: number): StakingDay => {
    const value = (metric: StakingMetric) => valueOn(series.get(metric)!, day);
    const validatorStake = toAvax(value("validatorWeight"));
    const delegatorStake = toAvax(value("delegatorWeight"));
    return {
      validators: value("validatorCount"),
      delegators: value("delegatorCount"),
      validatorStake,
      delegatorStake,
      totalStake: sumOf([validatorStake, delegatorStake]),
    };
  };
  const days = pointsOf(series.get("validatorWeight")!)
    .map(({ day }) => ({ day, counts: on(day) }))
    .filter(({ counts }) => !Object.values(counts).some(Number.isNaN));
  const total = seriesOf(
    days.map(({ day, counts }) => ({ day, value: counts.totalStake })),
  );
  return {
    on,
    total: {
      series: total,
      source: parts[0]!.source,
      fetchedAt: Math.min(...parts.map(({ fetchedAt }) => fetchedAt)),
      changedAt: Math.max(...parts.map(({ changedAt }) => changedAt)),
    },
  };
}
