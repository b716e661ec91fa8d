/** Checks the identities between the stored series of every tracked chain. */
import type { Metric } from "../catalogue/metrics_schema.ts";
import type { Chain } from "../catalogue/chains_schema.ts";
import { type ChainQuality, MAX_FAILING_DAYS } from "./quality_schema.ts";
import type { ChainDataDeps } from "../deps.ts";
import { dayAt, formatDay } from "../../platform/days.ts";
import {
  checkIdentities,
  IDENTITY_METRICS,
  type SeriesByMetric,
} from "./identities.ts";
import type { DailySeries } from "../series/series.ts";
import { ofUpstream } from "../../platform/http/origin.ts";
import { findSeries } from "../series/series_reader.ts";

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
    const stored = await findSeries(deps, { subject: chainId, metric });
    if (stored) series[metric] = stored.series;
  }));
  return series;
}
