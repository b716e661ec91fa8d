/** The series that the Metrics API has published on a given day. */
import type { Chain } from "../chains.ts";
import {
  countTxs,
  DAILY_METRICS,
  isRunningTotal,
  type Metric,
  RUNNING_TOTALS,
} from "../series/series.ts";
import { type Anomaly, findAnomaly } from "../series/anomalies.ts";

/** Days between today and the newest published day. */
export const LAG_DAYS = 2;

/** Share of the newest published day that is counted: the Metrics API publishes it too early. */
const PARTIAL_DAY_SHARE = 0.18;

/** A daily series. A missing day is `NaN`. */
export interface Series {
  /** The day of the first value, as days since 1970. */
  readonly firstDay: number;
  /** One value per day. */
  readonly values: Float64Array;
}

/** Returns a metric of a chain as published on a day; null for the API's `results: null`. */
type PublishSeries = (
  chain: Chain,
  metric: Metric,
  today: number,
) => Series | null;

/** Returns a publisher that caches each series until the day changes. */
export function seriesPublisher(): PublishSeries {
  const remembered = new Map<string, { today: number; series: Series }>();

  function remember(key: string, today: number, build: () => Series): Series {
    const found = remembered.get(key);
    if (found?.today === today) return found.series;
    const series = build();
    remembered.set(key, { today, series });
    return series;
  }

  return function publishSeries(chain, metric, today) {
    if (findAnomaly(chain.evmChainId).nullMetric === metric) return null;
    const txCounts = remember(
      `${chain.evmChainId}`,
      today,
      () => listTxCounts(chain, today),
    );
    return remember(
      `${chain.evmChainId}/${metric}`,
      today,
      () => deriveSeries(chain, metric, txCounts, today),
    );
  };
}

/** Counts the transactions of each day, with the chain's anomaly and the partial newest day. */
function listTxCounts(chain: Chain, today: number): Series {
  const { firstAge, silentFrom = Infinity } = findAnomaly(chain.evmChainId);
  const newestDay = today - LAG_DAYS;
  const firstDay = firstAge === undefined ? chain.firstDay : today - firstAge;
  const values = new Float64Array(Math.max(0, newestDay - firstDay + 1));
  for (let index = 0; index < values.length; index++) {
    const day = firstDay + index;
    if (day >= silentFrom) continue;
    const txCount = countTxs(chain, day);
    values[index] = day === newestDay
      ? Math.round(txCount * PARTIAL_DAY_SHARE)
      : txCount;
  }
  return { firstDay, values };
}

function deriveSeries(
  chain: Chain,
  metric: Metric,
  txCounts: Series,
  today: number,
): Series {
  const { firstDay } = txCounts;
  const placedChain = { ...chain, firstDay };
  const values = txCounts.values.map((txCount, index) => {
    const of = { chain: placedChain, day: firstDay + index, txCount };
    return isRunningTotal(metric)
      ? RUNNING_TOTALS[metric].adds(of)
      : DAILY_METRICS[metric](of);
  });
  if (isRunningTotal(metric)) {
    accumulate(values, RUNNING_TOTALS[metric].includesOwnDay);
  }
  applyAnomaly(values, metric, findAnomaly(chain.evmChainId), today - firstDay);
  return { firstDay, values };
}

function accumulate(values: Float64Array, includesOwnDay: boolean): void {
  let total = 0;
  for (const [index, added] of values.entries()) {
    values[index] = includesOwnDay ? total + added : total;
    total += added;
  }
}

function applyAnomaly(
  values: Float64Array,
  metric: Metric,
  { absentAges, distortion }: Anomaly,
  firstAge: number,
): void {
  for (const [index, value] of values.entries()) {
    const age = firstAge - index;
    if (includes(absentAges, age)) values[index] = NaN;
    if (distortion?.metric === metric && distortion.age === age) {
      values[index] = distortion.distort(value);
    }
  }
}

function includes(ages: Anomaly["absentAges"], age: number): boolean {
  return ages !== undefined && age >= ages[0] && age <= ages[1];
}
