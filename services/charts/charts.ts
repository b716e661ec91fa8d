/** Charts of metrics: one chain, or several chains compared. */
import type { ChartDeps } from "./checked_charts.ts";
import {
  C_CHAIN,
  type Metric,
  METRICS,
} from "../chain_data/catalogue/metrics_schema.ts";
import { type Interval } from "../platform/days.ts";
import type { Chart } from "./charts_schema.ts";
import type { DaysQuery } from "../chain_data/catalogue/day_query_schema.ts";
import type { ChartView } from "./chart_view_schema.ts";
import type { CacheableAnswer } from "../platform/cache/cacheable_answer.ts";
import { joinAxes } from "./chart_axis.ts";
import { upgradesWithin } from "./upgrades.ts";
import { readLine } from "./chart_lines.ts";
import { drawLines } from "./drawn_lines.ts";
import type { FreshnessOptions } from "../platform/cache/read_through.ts";

/** The query of a metric chart. */
interface ChartQuery extends DaysQuery {
  readonly metric: Metric;
  readonly chainIds: readonly number[];
  readonly interval: Interval;
  readonly view: ChartView;
}

/**
 * Reads the chart of a metric of one or several chains on one axis, with the
 * comparison to a second source if there is one. A fault of one chain, as
 * `readMetrics()` throws it, fails the whole chart.
 */
export async function readMetricChart(
  deps: ChartDeps,
  { chainIds, view, ...query }: ChartQuery,
  freshness: FreshnessOptions,
): Promise<CacheableAnswer<Chart>> {
  const { metric, interval } = query;
  const found = await Promise.all(
    chainIds.map((chainId) => readLine(deps, { ...query, chainId }, freshness)),
  );
  const axis = joinAxes(found.map(({ answer }) => answer.points), interval);
  const check = found.find(({ check }) => check !== null)?.check;
  return {
    answer: {
      name: metric,
      unit: METRICS[metric].unit,
      interval,
      axis,
      lines: drawLines(found, { metric, interval, view, axis }),
      view,
      upgrades: chainIds.includes(C_CHAIN)
        ? upgradesWithin(axis, interval)
        : [],
      chainNames: found.map(({ answer }) => answer.chainName),
      checks: check?.checks ?? null,
      recentAgreementPct: check?.recentAgreementPct ?? null,
    },
    fetchedAt: Math.min(...found.map(({ fetchedAt }) => fetchedAt)),
    changedAt: Math.max(...found.map(({ changedAt }) => changedAt ?? 0)),
  };
}
