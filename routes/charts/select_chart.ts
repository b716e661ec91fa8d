/** The chart that a request names, and how it is drawn. */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ChainDataDeps } from "../../services/chain_data/overview/deps.ts";
import {
  type Metric,
  METRIC_NAMES,
} from "../../services/chain_data/catalogue/metrics_schema.ts";
import { resolveView } from "../../services/charts/chart_view.ts";
import { readMetricChart } from "../../services/charts/charts.ts";
import {
  type Chart,
  CHART_NAMES,
  type ChartName,
  CHECKED_CHART_QUERIES,
  type CheckedChartName,
  type Hidden,
  isChecked,
  MetricChartQuery,
} from "../../services/charts/charts_schema.ts";
import {
  CHECKED_CHARTS,
  type CheckedChartQuery,
} from "../../services/charts/checked_charts.ts";
import type { CacheableAnswer } from "../../services/platform/cache/freshness.ts";
import type { FreshnessOptions } from "../../services/platform/cache/read_through.ts";
import { checkFigureQuery } from "../http/query.ts";
import { invalidInput } from "../http/validation_errors.ts";

const ChartPath = z.object({ metric: z.enum(CHART_NAMES) });
const TablePath = z.object({ metric: z.enum(METRIC_NAMES) });

/** Returns the chart that a path names. Throws a fault that lists the names. */
export function parseChartName(metric: string): ChartName {
  return parseName(ChartPath, metric);
}

/** Returns the metric that the path of a table names. Throws a fault that lists the names. */
export function parseTableName(metric: string): Metric {
  return parseName(TablePath, metric);
}

function parseName<Name>(
  path: z.ZodType<{ readonly metric: Name }>,
  metric: string,
): Name {
  const data = { metric };
  const checked = path.safeParse(data);
  if (checked.success) return checked.data.metric;
  const { error } = checked;
  throw invalidInput({ target: "path", data, error, queries: () => [] });
}

/** How an image is drawn. */
type ImageLook = Pick<MetricChartQuery, "theme" | "width" | "density">;

/** The checked query of a request, and the reader of its chart. */
interface SelectedChart {
  readonly query: Hidden;
  /** Parameters that nobody knows; the figure names them. */
  readonly unknown: readonly string[];
  readonly look: ImageLook;
  readonly read: (
    freshness: FreshnessOptions,
  ) => Promise<CacheableAnswer<Chart>>;
}

/** Returns how an image is drawn, by its query. */
export function lookOf({ theme, width, density }: ImageLook): ImageLook {
  return { theme, width, density };
}

/** Selects the chart of a request. Throws a fault for an invalid query. */
export function selectChart(
  deps: ChainDataDeps,
  c: Context,
  name: ChartName,
): SelectedChart {
  return isChecked(name)
    ? selectCheckedChart(deps, c, name)
    : selectMetricChart(deps, c, name);
}

/** Selects the chart of a metric. */
export function selectMetricChart(
  deps: ChainDataDeps,
  c: Context,
  name: Metric,
): SelectedChart {
  const { query: checked, unknown } = checkFigureQuery(c, MetricChartQuery);
  const { chainId: chainIds, ...given } = checked;
  const { range, from, to, asOf, interval } = given;
  const view = resolveView(given, {
    name,
    chainCount: chainIds.length,
    interval,
  }, "all");
  const { unfinished, upgrades, revisions } = given;
  const query = {
    range,
    from,
    to,
    asOf,
    metric: name,
    chainIds,
    interval,
    view,
    unfinished,
    upgrades,
    revisions,
  };
  return {
    query,
    unknown,
    look: lookOf(given),
    read: (freshness) => readMetricChart(deps, query, freshness),
  };
}

/** The same schemas with a type that depends on the name. */
const CHECKED_SCHEMAS: {
  readonly [Name in CheckedChartName]: z.ZodType<CheckedChartQuery<Name>>;
} = CHECKED_CHART_QUERIES;

function selectCheckedChart<Name extends CheckedChartName>(
  deps: ChainDataDeps,
  c: Context,
  name: Name,
): SelectedChart {
  const { query, unknown } = checkFigureQuery(c, CHECKED_SCHEMAS[name]);
  return {
    query,
    unknown,
    look: lookOf(query),
    read: (freshness) => CHECKED_CHARTS[name](deps, query, freshness),
  };
}
