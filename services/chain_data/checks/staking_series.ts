/** The staking series of the Primary Network, joined on the days that all four have. */
import type { SourcedSeries } from "../series/values.ts";
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
} from "../catalogue/series_id.ts";
import { toAvax } from "./measurements.ts";
import { maxOf, minOf } from "../../platform/numbers.ts";

/** Counts and stakes of a day; stakes in AVAX. */
interface StakingDay {
  readonly validators: number;
  readonly delegators: number;
  readonly validatorStake: number;
  readonly delegatorStake: number;
  readonly totalStake: number;
}

/** The daily total stake in AVAX, and the counts of each of its days. */
interface Staking {
  readonly total: SourcedSeries;
  readonly on: (day: number) => StakingDay;
}

/** The four series. */
export const STAKING_SERIES: readonly MetricsSeriesId[] = STAKING_METRICS.map(
  (metric) => ({ subject: "primary-network", metric }),
);

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

  const days = new Map<number, StakingDay>();
  for (const { day } of pointsOf(series.get("validatorWeight")!)) {
    const value = (metric: StakingMetric) => valueOn(series.get(metric)!, day);
    if (STAKING_METRICS.some((metric) => Number.isNaN(value(metric)))) continue;
    const [validatorWeight, delegatorWeight] = [
      BigInt(Math.round(value("validatorWeight"))),
      BigInt(Math.round(value("delegatorWeight"))),
    ];
    days.set(day, {
      validators: value("validatorCount"),
      delegators: value("delegatorCount"),
      validatorStake: toAvax(validatorWeight),
      delegatorStake: toAvax(delegatorWeight),
      totalStake: toAvax(validatorWeight + delegatorWeight),
    });
  }
  const total = withMarks(
    seriesOf(
      Array.from(days, ([day, { totalStake }]) => ({ day, value: totalStake })),
    ),
    [...series.values()],
  );
  return {
    on: (day) => days.get(day)!,
    total: {
      series: total,
      source: parts[0]!.source,
      fetchedAt: minOf(parts.map(({ fetchedAt }) => fetchedAt)),
      confirmedAt: minOf(
        parts.map(({ confirmedAt, fetchedAt }) => confirmedAt ?? fetchedAt),
      ),
      validAt: minOf(
        parts.map(({ validAt, fetchedAt }) => validAt ?? fetchedAt),
      ),
      changedAt: maxOf(parts.map(({ changedAt }) => changedAt)),
    },
  };
}

/** Marks the days that are withdrawn or revised in a part. */
function withMarks(
  total: DailySeries,
  parts: readonly DailySeries[],
): DailySeries {
  const revised = new Map<number, number>();
  for (const [day, at] of parts.flatMap((part) => [...part.revised ?? []])) {
    revised.set(day, Math.max(at, revised.get(day) ?? at));
  }
  const withdrawn = parts.flatMap((part) => part.withdrawn ?? []);
  // Parts may lack the same day, and then their reasons are alike.
  const unread = [
    ...new Map(
      parts.flatMap((part) => part.unread ?? []).map((row) => [row.day, row]),
    ).values(),
  ];
  return { ...total, withdrawn, revised, unread };
}
