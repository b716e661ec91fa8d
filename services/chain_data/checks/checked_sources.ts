/** The two sources of each checked series, and how they are read for a query. */
import { checkedWindow, type SecondSource } from "./comparison.ts";
import type { SourcedSeries } from "../series/values.ts";
import { C_CHAIN } from "../catalogue/metrics_schema.ts";
import type { ChainDataDeps } from "./deps.ts";
import type { CheckName } from "../catalogue/cross_checks_schema.ts";
import {
  type DailySeries,
  EMPTY_SERIES,
  pointsOf,
  seriesOf,
  valueOn,
} from "../series/series.ts";
import {
  type ExplorerMetric,
  type MetricsSeriesId,
  type SeriesId,
  STAKING_METRICS,
  type StakingMetric,
} from "../catalogue/series_id.ts";
import {
  type BlockSample,
  measuredBy,
  sampledSeries,
  samplesAsOf,
  stakeSeries,
  toAvax,
  type ValidatorSnapshot,
} from "./measurements.ts";
import { findExplorerSeries } from "./explorer_series.ts";
import { findSeries, readSeries, waitsUntil } from "../series/series_reader.ts";
import {
  findSeriesAsOf,
  instantOf,
  readSeriesAsOf,
} from "../series/vintages.ts";
import { dayAt, type Interval } from "../../platform/days.ts";
import { checkDays } from "../series/window.ts";
import type { FreshnessOptions } from "../../platform/cache.ts";
import type { TotalsQuery } from "./checked_series_schema.ts";
import type { ReadDeps } from "../series/deps.ts";
import { maxOf, minOf } from "../../platform/numbers.ts";

type SourceDeps = Pick<ChainDataDeps, "now" | "store" | "upstream">;

/** Reads a series of the Metrics API; null if it is not available. */
type ReadSeries = (id: MetricsSeriesId) => Promise<SourcedSeries | null>;

/** How sources are read: now, or as of an instant. */
interface SourceReads {
  readonly metrics: ReadSeries;
  /** Finds a series of the explorer index; null if none was stored. */
  readonly explorer: (metric: ExplorerMetric) => Promise<SourcedSeries | null>;
  readonly samples: () => Promise<readonly BlockSample[]>;
  readonly snapshots: () => Promise<readonly ValidatorSnapshot[]>;
  readonly upstream: SourceDeps["upstream"];
}

/** Returns how sources are read now. */
export function currentReads(
  deps: SourceDeps,
  metrics: ReadSeries,
): SourceReads {
  const { store, upstream } = deps;
  return {
    metrics,
    explorer: (metric) => findExplorerSeries(deps, metric),
    samples: () => store.blockSamples.list(),
    snapshots: () => store.validatorDays.list(),
    upstream,
  };
}

/** Returns how sources are read as of an instant. */
export function earlierReads(deps: SourceDeps, instant: number): SourceReads {
  const { store, upstream } = deps;
  const read = async (id: SeriesId) =>
    (await readSeriesAsOf(deps, [id], instant))[0]!;
  return {
    metrics: read,
    explorer: (metric) =>
      findSeriesAsOf(deps, { subject: "explorer-index", metric }, instant),
    samples: async () => samplesAsOf(await store.blockSamples.list(), instant),
    snapshots: async () =>
      (await store.validatorDays.list())
        .filter(({ takenAt }) => takenAt <= instant),
    upstream,
  };
}

/** Returns a reader of stored series of any age. It calls no upstream. */
export function readStored(
  deps: Pick<SourceDeps, "store" | "upstream">,
): ReadSeries {
  return (id) => findSeries(deps, id);
}

interface Sources {
  readonly ours: (reads: SourceReads) => Promise<SourcedSeries | null>;
  readonly second: (reads: SourceReads) => Promise<SecondSource>;
}

/** How to read each checked series and its second source. */
export const SOURCES: Record<CheckName, Sources> = {
  transactions: {
    ours: ({ metrics }) => metrics({ subject: C_CHAIN, metric: "txCount" }),
    second: (reads) => indexSource(reads, "txCount"),
  },
  fees: {
    ours: ({ metrics }) => metrics({ subject: C_CHAIN, metric: "feesPaid" }),
    second: (reads) => indexSource(reads, "feesPaid"),
  },
  blocks: {
    ours: ({ explorer }) => explorer("blocks"),
    async second({ samples: list, upstream }) {
      const samples = await list();
      const measured = measuredBy(samples, upstream.cChain);
      const series = sampledSeries(samples);
      return { series, ...measured, changedAt: measured.fetchedAt };
    },
  },
  stake: {
    ours: async ({ metrics }) => (await readStaking(metrics))?.total ?? null,
    async second({ snapshots: list, upstream }) {
      const snapshots = await list();
      const measured = measuredBy(snapshots, upstream.platformChain);
      const series = stakeSeries(snapshots);
      return { series, ...measured, changedAt: measured.fetchedAt };
    },
  },
};

async function indexSource(
  { explorer, upstream }: SourceReads,
  metric: ExplorerMetric,
): Promise<SecondSource> {
  const { source } = upstream.explorer;
  return await explorer(metric) ??
    { series: EMPTY_SERIES, source, fetchedAt: null, changedAt: null };
}

/** The reads of a query, and the instants that its answer is about. */
interface QueriedReads {
  readonly reads: SourceReads;
  /** Unix time of the request, in milliseconds. */
  readonly now: number;
  /** The `asOf` of the query, in milliseconds; null if the answer is about now. */
  readonly instant: number | null;
  /** The UTC day of the answer. */
  readonly today: number;
}

/**
 * Returns how the sources are read for a query. Our source is refreshed only if
 * the requested days need it. Throws a fault if the days or `asOf` are not
 * accepted.
 */
export function readsFor(
  deps: ReadDeps<ChainDataDeps>,
  { query, interval }: {
    readonly query: Omit<TotalsQuery, "interval">;
    readonly interval: Interval;
  },
  freshness: FreshnessOptions,
): QueriedReads {
  const now = deps.now().getTime();
  const instant = instantOf("asOf", query.asOf, now);
  const today = dayAt(instant ?? now);
  checkDays(query, today);
  const options = { ...freshness, waitUntil: waitsUntil(deps) };
  const reads = instant === null
    ? currentReads(deps, (id) =>
      readSeries(
        deps,
        id,
        options,
        (series) => checkedWindow(series, { query, interval, today }),
      ))
    : earlierReads(deps, instant);
  return { reads, now, instant, today };
}

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
