/** `GET /chart/{name}.svg`: charts of metrics and of the checked series, for embedding. */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  CHECKED_CHARTS,
  type CheckedChartQuery,
} from "../../services/charts/checked_charts.ts";
import { readMetricChart } from "../../services/charts/charts.ts";
import { shownOf } from "../../services/charts/unfinished.ts";
import { resolveView } from "../../services/charts/chart_view.ts";
import {
  type Metric,
  METRIC_NAMES,
} from "../../services/chain_data/metrics_schema.ts";
import {
  type Chart,
  CHART_NAMES,
  type ChartName,
  CHECKED_CHART_QUERIES,
  type CheckedName,
  isChecked,
  MetricChartQuery,
} from "../../services/charts/charts_schema.ts";
import type { CacheableAnswer } from "../../services/platform/cache/cacheable_answer.ts";
import type { ChainDataDeps } from "../../services/chain_data/deps.ts";
import { Fault } from "../../services/platform/fault.ts";
import type { FreshnessOptions } from "../../services/platform/cache/read_through.ts";
import { redactKeys } from "../../services/platform/observability/redact.ts";
import { drawnTable } from "../../services/charts/drawn_table.ts";
import { csvCell } from "../../services/platform/csv_cell.ts";
import { csvContent } from "../http/content.ts";
import { describeChartPaths } from "./chart_paths.ts";
import { headOfFault } from "../middleware/on_error.ts";
import { checkQuery } from "../http/query.ts";
import { invalidInput } from "../http/validation_errors.ts";
import type { SendPicture } from "../pictures/picture_cache.ts";
import type { ChartLook } from "../views/charts/chart_svg.ts";
import { newRouter } from "../http/router.ts";
import type { RenderQueue } from "../http/render_queue.ts";
import type { ResponseCache } from "../http/response_cache.ts";

const SVG = "image/svg+xml; charset=utf-8";

/** Any page may embed the image. The image may load nothing. */
const HEADERS = {
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "X-Content-Type-Options": "nosniff",
};

/** Serves charts through the response cache. */
export function charts(
  deps: ChainDataDeps,
  answers: ResponseCache,
  { renders, sendPicture }: {
    readonly renders: RenderQueue;
    readonly sendPicture: SendPicture;
  },
) {
  const router = newRouter();
  for (const path of describeChartPaths()) {
    router.openAPIRegistry.registerPath(path);
  }

  // One pattern: two that overlap would keep Hono from its fastest router.
  router.get("/:file{[^]+\\.(?:svg|png|csv)}", (c) => {
    const file = c.req.param("file");
    const name = parseName(file.slice(0, -".svg".length));
    if (file.endsWith(".csv")) return sendTable(c, name);
    return file.endsWith(".png") ? sendPng(c, name) : sendSvg(c, name);
  });

  function sendSvg(c: Context, name: ChartName) {
    const { query, look, read } = selectChart(deps, c, name);
    return answers.send(
      c,
      { ...query, ...look },
      (freshness) =>
        renders.run(freshness.client, async () => {
          const { answer, ...dates } = await read(freshness);
          const text = await draw(shownOf(answer, query), look);
          return { text, type: SVG, headers: HEADERS, ...dates };
        }),
    );
  }

  function sendPng(c: Context, name: ChartName) {
    const { query, look, read } = selectChart(deps, c, name);
    const theme = look.theme === "dark" ? "dark" : "light";
    return sendPicture(c, {
      key: JSON.stringify([name, query, theme]),
      density: look.density ?? 1,
      background: GROUNDS[theme],
      draw: async (client) => {
        const { answer } = await read({ maxStaleMs: 0, client });
        const svg = await draw(shownOf(answer, query), {
          theme,
          width: PICTURE_WIDTH,
        });
        return svg.replace(/ height="\d+"/, ` height="${PICTURE_HEIGHT}"`);
      },
    });
  }

  function sendTable(c: Context, name: ChartName) {
    if (isChecked(name)) throw noSuchTable(name);
    const { query, read } = selectMetricChart(deps, c, name);
    return answers.send(c, query, async (freshness) => {
      const { answer, ...dates } = await read(freshness);
      const { columns, rows } = drawnTable(shownOf(answer, query));
      return csvContent(dates, {
        name,
        columns: columns.map((column) => ({
          prop: column,
          header: csvCell(column),
        })),
        rows,
      });
    });
  }

  // An embedded image shows no JSON, so errors are images too.
  router.onError(async (error, c) => {
    if (!(error instanceof Fault) || /\.(?:csv|png)$/.test(c.req.path)) {
      throw error;
    }
    const { status, headers } = headOfFault(c, error);
    const { chartOfError } = await import("../views/charts/chart_svg.ts");
    const message = redactKeys(error.message);
    return c.body(String(await chartOfError({ status, message })), status, {
      ...headers,
      ...HEADERS,
      "Content-Type": SVG,
      "Access-Control-Allow-Origin": "*",
    });
  });
  return router;
}

/** Size in which a picture is drawn before it is enlarged to 1200 × 630 pixels; a higher chart is fitted in. */
const PICTURE_WIDTH = 840;
const PICTURE_HEIGHT = 441;

/** What is beside a chart that is higher. */
const GROUNDS = { light: "#ffffff", dark: "#121b22" } as const;

/** Draws a chart as SVG. */
async function draw(chart: Chart, look: ChartLook): Promise<string> {
  // Loaded with the first chart: the module imports d3 packages.
  const { chartDocument } = await import("../views/charts/chart_svg.ts");
  return String(await chartDocument(chart, look));
}

/** How an image is drawn. */
type ImageLook = Pick<MetricChartQuery, "theme" | "width" | "density">;

/** The checked query of a request, and the reader of its chart. */
interface SelectedChart {
  readonly query: Pick<MetricChartQuery, "unfinished" | "upgrades">;
  readonly look: ImageLook;
  readonly read: (
    freshness: FreshnessOptions,
  ) => Promise<CacheableAnswer<Chart>>;
}

function lookOf({ theme, width, density }: ImageLook): ImageLook {
  return { theme, width, density };
}

function selectChart(
  deps: ChainDataDeps,
  c: Context,
  name: ChartName,
): SelectedChart {
  return isChecked(name)
    ? selectCheckedChart(deps, c, name)
    : selectMetricChart(deps, c, name);
}

function selectMetricChart(
  deps: ChainDataDeps,
  c: Context,
  name: Metric,
): SelectedChart {
  const { chainId: chainIds, ...given } = checkQuery(c, MetricChartQuery);
  const { range, from, to, interval } = given;
  const view = resolveView(given, {
    name,
    chainCount: chainIds.length,
    interval,
  }, "all");
  const { unfinished, upgrades } = given;
  const query = {
    range,
    from,
    to,
    metric: name,
    chainIds,
    interval,
    view,
    unfinished,
    upgrades,
  };
  return {
    query,
    look: lookOf(given),
    read: (freshness) => readMetricChart(deps, query, freshness),
  };
}

/** The same schemas with a type that depends on the name. */
const CHECKED_SCHEMAS: {
  readonly [Name in CheckedName]: z.ZodType<CheckedChartQuery<Name>>;
} = CHECKED_CHART_QUERIES;

function selectCheckedChart<Name extends CheckedName>(
  deps: ChainDataDeps,
  c: Context,
  name: Name,
): SelectedChart {
  const query = checkQuery(c, CHECKED_SCHEMAS[name]);
  return {
    query,
    look: lookOf(query),
    read: (freshness) => CHECKED_CHARTS[name](deps, query, freshness),
  };
}

/** Builds the fault of a CSV that another endpoint has. */
function noSuchTable(name: CheckedName): Fault {
  const expected = METRIC_NAMES.join(", ");
  return new Fault(
    `Invalid metric "${name}": expected one of ${expected}; the series is at /api/chain-data/${name}?format=csv`,
    { kind: "badInput", parameter: "metric", accepted: [...METRIC_NAMES] },
  );
}

const ChartPath = z.object({ metric: z.enum(CHART_NAMES) });

function parseName(metric: string): ChartName {
  const data = { metric };
  const checked = ChartPath.safeParse(data);
  if (checked.success) return checked.data.metric;
  const { error } = checked;
  throw invalidInput({ target: "path", data, error, queries: () => [] });
}
