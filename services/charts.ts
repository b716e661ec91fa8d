/** Charts of metrics: of one chain, and of several indexed beside each other. */
import { type Metric, METRICS, type MetricsAnswer } from "./contract/chain.ts";
import type { Chart, ChartLine, MetricChartQuery } from "./contract/charts.ts";
import type { Dated } from "./dated.ts";
import type { Deps } from "./deps.ts";
import { joinAxes } from "./domain/chart_axis.ts";
import { baseOf } from "./domain/indexing.ts";
import { readMetrics } from "./metrics.ts";
import type { Tolerance } from "./read_through.ts";

/** What charts are read with. */
export type ChartDeps = Pick<Deps, "now" | "share" | "store" | "upstream">;

/** Reads the chart of a metric of one chain. Faults are those of `readMetrics()`. */
export async function readMetricChart(
  deps: ChartDeps,
  { metric, ...query }: MetricChartQuery & { readonly metric: Metric },
  tolerance: Tolerance,
): Promise<Dated<Chart>> {
  const { answer, ...dates } = await readMetrics(
    deps,
    { ...query, metric, format: "json" },
    tolerance,
  );
  return { answer: chartOf(metric, [lineOf(answer)], answer), ...dates };
}

/**
 * Reads a metric of several chains on one axis, each line with the base that it
 * is indexed to. Each fault of one chain is a fault of the whole.
 */
export async function readComparison(
  deps: ChartDeps,
  { metric, chainIds, ...query }: Omit<MetricChartQuery, "chainId"> & {
    readonly metric: Metric;
    readonly chainIds: readonly number[];
  },
  tolerance: Tolerance,
): Promise<Dated<Chart>> {
  const found = await Promise.all(chainIds.map((chainId) =>
    readMetrics(
      deps,
      { ...query, metric, chainId, format: "json" },
      tolerance,
    )
  ));
  const lines = found.map(({ answer }) => ({
    ...lineOf(answer),
    base: baseOf(answer.series, METRICS[metric].unit),
  }));
  return {
    answer: chartOf(metric, lines, found[0]!.answer),
    fetchedAt: Math.min(...found.map(({ fetchedAt }) => fetchedAt)),
    changedAt: Math.max(...found.map(({ changedAt }) => changedAt ?? 0)),
  };
}

function chartOf(
  name: Metric,
  lines: readonly ChartLine[],
  { unit, interval }: Pick<MetricsAnswer, "unit" | "interval">,
): Chart {
  return {
    name,
    unit,
    interval,
    axis: joinAxes(lines.map(({ points }) => points), interval),
    lines,
    isIndexed: lines.length > 1,
    checks: null,
    recentAgreementPct: null,
  };
}

function lineOf(answer: MetricsAnswer): ChartLine {
  const { chainId, chainName, token, gaps, dataThrough, fetchedAt, source } =
    answer;
  return {
    chainId,
    chainName,
    token,
    points: answer.series.map((point) => ({ ...point, ...UNCHECKED })),
    gaps,
    dataThrough,
    fetchedAt,
    source,
    base: null,
  };
}

const UNCHECKED = {
  crossCheckValue: null,
  differencePct: null,
  agrees: null,
  disputedDays: [],
  further: {},
};
