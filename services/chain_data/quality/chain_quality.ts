/** Checks the identities between the stored series of every tracked chain. */
import type { Metric } from "../catalogue/metrics_schema.ts";
import type { Chain } from "../catalogue/chains_schema.ts";
import {
  type ChainQuality,
  type IdentityName,
  MAX_FAILING_DAYS,
} from "./quality_schema.ts";
import type { ChainDataDeps } from "../checks/deps.ts";
import { DAY_MS, dayAt, formatDay } from "../../platform/days.ts";
import { type DailySeries, EMPTY_SERIES, valueOn } from "../series/series.ts";
import { ofUpstream } from "../../platform/http/upstream_answer.ts";
import { findMetric } from "../series/series_reader.ts";
import { isComplete } from "../series/buckets.ts";

type QualityDeps = Pick<ChainDataDeps, "now" | "store" | "upstream">;

/** Checks every tracked chain, ordered by id. It reads the store alone. */
export async function readChainQuality(
  deps: QualityDeps,
): Promise<ChainQuality[]> {
  const today = dayAt(deps.now().getTime());
  const list = ofUpstream(
    deps.upstream.metrics,
    await deps.store.chains.find(),
  );
  const qualities: ChainQuality[] = [];
  // Sequential: other requests run while this one waits for the store.
  for (const chain of list?.chains ?? []) {
    const series = await findSeriesOf(deps, chain);
    qualities.push(qualityOf(chain, series, today));
  }
  return qualities;
}

function qualityOf(
  { chainId, chainName }: Chain,
  series: SeriesByMetric,
  today: number,
): ChainQuality {
  const results = checkIdentities(series, today);
  const failures = results
    .flatMap((result) => result.failures)
    .sort((a, b) => b.day - a.day);
  return {
    chainId,
    chainName,
    checkedDayCount: results
      .reduce((sum, { checkedDayCount }) => sum + checkedDayCount, 0),
    failingDayCount: failures.length,
    failingDays: failures.slice(0, MAX_FAILING_DAYS)
      .map((failure) => ({ ...failure, day: formatDay(failure.day) })),
  };
}

async function findSeriesOf(
  deps: QualityDeps,
  { chainId }: Chain,
): Promise<SeriesByMetric> {
  const series: Partial<Record<Metric, DailySeries>> = {};
  await Promise.all(IDENTITY_METRICS.map(async (metric) => {
    const stored = await findMetric(deps, { chainId, metric });
    if (stored) series[metric] = stored.series;
  }));
  return series;
}

/** The series of one chain. A missing metric counts as an empty series. */
export type SeriesByMetric = Readonly<Partial<Record<Metric, DailySeries>>>;

/** A day on which an identity fails, with the two compared numbers. */
interface DayFailure {
  readonly identity: IdentityName;
  readonly day: number;
  readonly left: number;
  readonly right: number;
}

/** The number of days that an identity compared, and its failures, oldest first. */
interface IdentityResult {
  readonly identity: IdentityName;
  readonly checkedDayCount: number;
  readonly failures: readonly DayFailure[];
}

/** An identity of two metrics. `derive` computes the left number of each day from the left series. */
interface Identity {
  readonly left: Metric;
  readonly derive?: (values: Float64Array) => Float64Array;
  readonly right: Metric;
  readonly holds: (left: number, right: number) => boolean;
}

const DAY_SECONDS = DAY_MS / 1000;

/** Upstream rounds `avgTps` to two decimals. This is half of the last decimal, times a day's seconds. */
const ROUNDING_TXS = 0.005 * DAY_SECONDS;

const IDENTITIES: Readonly<Record<IdentityName, Identity>> = {
  cumulativeTxCountGrowsByTxCount: {
    left: "cumulativeTxCount",
    derive: growth,
    right: "txCount",
    holds: (left, right) => left === right,
  },
  avgTpsMatchesTxCount: {
    left: "avgTps",
    derive: overTheDay,
    right: "txCount",
    holds: (left, right) => Math.abs(left - right) <= ROUNDING_TXS,
  },
  avgTpsWithinMaxTps: atMost("avgTps", "maxTps"),
  avgGpsWithinMaxGps: atMost("avgGps", "maxGps"),
  activeSendersWithinActiveAddresses: atMost(
    "activeSenders",
    "activeAddresses",
  ),
  cumulativeTxCountNeverFalls: neverFalls("cumulativeTxCount"),
  cumulativeAddressesNeverFalls: neverFalls("cumulativeAddresses"),
  cumulativeContractsNeverFalls: neverFalls("cumulativeContracts"),
  cumulativeDeployersNeverFalls: neverFalls("cumulativeDeployers"),
};

/** The metrics that the identities compare. */
export const IDENTITY_METRICS: readonly Metric[] = [
  ...new Set(
    Object.values(IDENTITIES).flatMap(({ left, right }) => [left, right]),
  ),
];

/** Checks every identity on the days that are complete in both of its series. */
export function checkIdentities(
  series: SeriesByMetric,
  today: number,
): IdentityResult[] {
  return Object.entries(IDENTITIES).map(([name, { derive, holds, ...of }]) => {
    const identity = name as IdentityName;
    const left = series[of.left] ?? EMPTY_SERIES;
    const right = series[of.right] ?? EMPTY_SERIES;
    const values = derive?.(left.values) ?? left.values;
    const failures: DayFailure[] = [];
    let checkedDayCount = 0;
    values.forEach((value, slot) => {
      const day = left.firstDay + slot;
      const isComparable = !Number.isNaN(value) &&
        isComplete(left, day, today) && isComplete(right, day, today);
      if (!isComparable) return;
      checkedDayCount++;
      const sides = { left: value, right: valueOn(right, day) };
      if (!holds(sides.left, sides.right)) {
        failures.push({ identity, day, ...sides });
      }
    });
    return { identity, checkedDayCount, failures };
  });
}

function growth(totals: Float64Array): Float64Array {
  return totals.map((total, slot) => total - (totals[slot - 1] ?? NaN));
}

/** A multiple of 0.01 times 86,400 is a whole number; rounding removes floating-point error. */
function overTheDay(perSecond: Float64Array): Float64Array {
  return perSecond.map((rate) => Math.round(rate * DAY_SECONDS));
}

/** Returns the previous value of each day. Days without a value are skipped, so a gap hides no fall. */
function lastBefore(values: Float64Array): Float64Array {
  let last = NaN;
  return values.map((value) => {
    const before = last;
    if (!Number.isNaN(value)) last = value;
    return before;
  });
}

function atMost(left: Metric, right: Metric): Identity {
  return { left, right, holds: (low, high) => low <= high };
}

function neverFalls(metric: Metric): Identity {
  return { ...atMost(metric, metric), derive: lastBefore };
}
