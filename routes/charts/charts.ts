/** Mounts the explorer and the charts: `GET /chart/{name}.svg`, `.png` and `.csv`, and `GET /embed/chart/{name}`: charts as images, files and frames. */
import type { Context } from "hono";
import {
  type Metric,
  METRIC_NAMES,
  MetricName,
} from "../../services/chain_data/catalogue/metrics_schema.ts";
import {
  type Chart,
  CHART_NAMES,
  type ChartName,
  CHECKED_CHART_NAMES,
  CHECKED_CHART_QUERIES,
  type CheckedChartName,
  type Hidden,
  isChecked,
  MetricChartQuery,
  ValidLook,
} from "../../services/charts/charts_schema.ts";
import { shownOf } from "../../services/charts/marks.ts";
import type { ChainDataDeps } from "../../services/chain_data/checks/deps.ts";
import { Fault } from "../../services/platform/fault.ts";
import { redactKeys } from "../../services/platform/observability/redact.ts";
import { csvCell, shortened } from "../../services/platform/text.ts";
import { drawnTable, readMetricChart } from "../../services/charts/charts.ts";
import { csvContent } from "../http/representation.ts";
import { headOfFault } from "../pages/on_error.ts";
import { drawableName } from "../pages/drawable_names.ts";
import { PICTURE, type SendPicture } from "../pages/picture_cache.ts";
import type { ChartLook } from "./chart_svg.ts";
import {
  anyOrigin,
  BAD_QUERY,
  json,
  newRouter,
  UNKNOWN_CHAIN,
  UPSTREAM_DOWN,
} from "../http/router.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { prefersJson } from "../pages/page.ts";
import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { resolveView } from "../../services/charts/chart_view.ts";
import {
  CHECKED_CHARTS,
  type CheckedChartQuery,
} from "../../services/charts/checked_charts.ts";
import type {
  CacheableAnswer,
  FreshnessOptions,
} from "../../services/platform/cache.ts";
import {
  checkFigureQuery,
  checkInput,
  givenQuery,
} from "../http/validation_errors.ts";
import { embedContent } from "../pages/page_content.ts";
import { CHECKS } from "../../services/chain_data/catalogue/cross_checks_schema.ts";
import { ErrorBody } from "../../services/platform/wire_schema.ts";
import type { DownloadsDeps } from "../../services/downloads/downloads.ts";
import { EMBEDS } from "../http/paths.ts";
import { explorer } from "./explorer.ts";

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
  { sendPicture }: {
    readonly sendPicture: SendPicture;
  },
) {
  const router = newRouter();
  router.use(anyOrigin());
  for (const path of describeChartPaths()) {
    router.openAPIRegistry.registerPath(path);
  }

  // One pattern: two that overlap would keep Hono from its fastest router.
  router.get("/:file{[^]+\\.(?:svg|png|csv)}", (c) => {
    const file = c.req.param("file");
    const given = file.slice(0, -".svg".length);
    if (file.endsWith(".csv")) return sendTable(c, given);
    const name = parseChartName(given);
    return file.endsWith(".png") ? sendPng(c, name) : sendSvg(c, name);
  });

  function sendSvg(c: Context, name: ChartName) {
    const { query, unknown, look, read } = selectChart(deps, c, name);
    return answers.send(
      c,
      { ...query, ...look, unknown },
      async (freshness) => {
        const { answer, ...dates } = await read(freshness);
        const text = await draw(shownOf(answer, query), look, unknown);
        return { text, type: SVG, headers: HEADERS, ...dates };
      },
    );
  }

  function sendPng(c: Context, name: ChartName) {
    const { query, unknown, look, read } = selectChart(deps, c, name);
    const theme = look.theme === "dark" ? "dark" : "light";
    return sendPicture(c, {
      // The query of a checked series also holds the look. Only its theme has an effect.
      key: JSON.stringify([
        name,
        { ...query, ...lookOf({}) },
        theme,
        unknown,
      ]),
      file: name,
      density: look.density ?? 1,
      background: GROUNDS[theme],
      draw: async (client) => {
        const { answer } = await read({ maxStaleMs: 0, client });
        const named = inDrawableNames(shownOf(answer, query));
        const svg = await draw(named, { theme, width: PICTURE_WIDTH }, unknown);
        return svg.replace(/ height="\d+"/, ` height="${PICTURE_HEIGHT}"`);
      },
    });
  }

  function sendTable(c: Context, given: string) {
    const checked = CHECKED_CHART_NAMES.find((name) => name === given);
    if (checked !== undefined) throw noSuchTable(checked);
    const { metric: name } = checkInput(TablePath, { metric: given });
    const { query, unknown, read } = selectMetricChart(deps, c, name, {
      isForFile: true,
    });
    return answers.send(c, { ...query, unknown }, async (freshness) => {
      const { answer, ...dates } = await read(freshness);
      const { columns, rows } = drawnTable(shownOf(answer, query));
      return csvContent(dates, {
        name: fileNameOf(answer, unknown),
        columns: columns.map((column) => ({
          prop: column,
          header: csvCell(column),
        })),
        rows,
      });
    });
  }

  // An embedded SVG shows no JSON, so its errors are images, too. Errors of a PNG or CSV are JSON.
  router.onError(async (error, c) => {
    const isImage = !/\.(?:csv|png)$/.test(c.req.path) && !prefersJson(c);
    if (!(error instanceof Fault) || !isImage) throw error;
    const { status, headers } = headOfFault(c, error);
    const { chartOfError } = await import("./chart_svg.ts");
    const message = redactKeys(error.message);
    const look = ValidLook.parse(c.req.query());
    const image = String(await chartOfError({ status, message }, look));
    return c.body(image, status, {
      ...headers,
      ...HEADERS,
      "Content-Type": SVG,
      "Vary": "Accept",
    });
  });
  return router;
}

/** Size in which a picture is drawn before it is enlarged to 1200 × 630 pixels; a higher chart is fitted in. */
const PICTURE_WIDTH = 840;
const PICTURE_HEIGHT = 441;

/** Returns a chart with names that the fonts of pictures have: a chain id where they lack a letter. */
function inDrawableNames(chart: Chart): Chart {
  const { lines, chainNames } = chart;
  const fallback = (chainId: number | null = null) =>
    chainId === null ? "a chain" : `Chain ${chainId}`;
  return {
    ...chart,
    lines: lines.map((line) => ({
      ...line,
      chainName: drawableName(line.chainName, fallback(line.chainId)),
    })),
    // A total is one line of several chains.
    chainNames: chainNames.map((name, index) =>
      drawableName(
        name,
        fallback(
          lines.length === chainNames.length ? lines[index]?.chainId : null,
        ),
      )
    ),
  };
}

/** The background beside a chart that is too high for the proportions of the picture. */
const GROUNDS = { light: "#ffffff", dark: "#121b22" } as const;

/** Draws a chart as SVG. */
async function draw(
  chart: Chart,
  look: ChartLook,
  unknown: readonly string[],
): Promise<string> {
  // Loaded with the first chart: the module imports d3 packages.
  const { chartDocument } = await import("./chart_svg.ts");
  return String(await chartDocument(chart, look, unknownWords(unknown)));
}

/** Names a file by chain, metric, unit and days: `c-chain-txCount-count-2026-10-01-2026-10-31`. */
function fileNameOf(
  { name, axis, chainNames, lines, unit }: Chart,
  unknown: readonly string[],
): string {
  const tokens = new Set(lines.map(({ token }) => token ?? "native"));
  return [
    chainNames.length === 1
      ? chainNames[0]!.toLowerCase()
      : `${chainNames.length}-chains`,
    name,
    unit === "avax" ? [...tokens].join("-") : unit,
    ...axis.length === 0 ? [] : [axis[0]!, axis.at(-1)!],
    // A line in the file would be read as data.
    ...unknownWords(unknown),
  ].join("-").replaceAll(/[^\w-]+/g, "-");
}

/** Names the parameters that nobody knows; nothing without one. */
function unknownWords(unknown: readonly string[]): string[] {
  return unknown.map((name) =>
    `unknown parameter ${redactKeys(shortened(name))}`
  );
}

/** Builds the fault for a CSV that another endpoint serves. */
function noSuchTable(name: CheckedChartName): Fault {
  const expected = METRIC_NAMES.join(", ");
  return new Fault(
    `Invalid metric "${name}": expected one of ${expected}; the series is at /api/chain-data/${name}?format=csv`,
    { kind: "badInput", parameter: "metric", accepted: [...METRIC_NAMES] },
  );
}

const ChartPath = z.object({ metric: z.enum(CHART_NAMES) });
const TablePath = z.object({ metric: z.enum(METRIC_NAMES) });

/** Returns the chart that a path names. Throws a fault that lists the names. */
function parseChartName(metric: string): ChartName {
  return checkInput(ChartPath, { metric }).metric;
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
function lookOf({ theme, width, density }: ImageLook): ImageLook {
  return { theme, width, density };
}

/** Selects the chart of a request. Throws a fault for an invalid query. */
function selectChart(
  deps: ChainDataDeps,
  c: Context,
  name: ChartName,
): SelectedChart {
  return isChecked(name)
    ? selectCheckedChart(deps, c, name)
    : selectMetricChart(deps, c, name);
}

/** Selects the chart of a metric. */
function selectMetricChart(
  deps: ChainDataDeps,
  c: Context,
  name: Metric,
  { isForFile } = { isForFile: false },
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
    read: (freshness) =>
      readMetricChart(deps, { ...query, isForFile }, freshness),
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

/** Parameters that the explorer does not have. */
const LOOKS = ["theme", "width", "density"];

/** Serves the pages through the cache of pages. */
function chartEmbeds(
  deps: ChainDataDeps,
  pages: ResponseCache,
) {
  const { publicUrl } = deps;
  const router = newRouter();
  router.openAPIRegistry.registerPath(describeChartEmbed());

  router.get("/chart/:metric", (c) => {
    const name = parseChartName(c.req.param("metric"));
    const selected = selectChart(deps, c, name);
    const { query, unknown, look: { theme }, read } = selected;
    const given = new URLSearchParams(
      Object.entries(givenQuery(c)).flatMap(([name, values]) =>
        values.map((value) => [name, value])
      ),
    );
    for (const look of [...LOOKS, ...unknown]) given.delete(look);
    const explored = new URLSearchParams([["metric", name], ...given]);
    return pages.send(
      c,
      { ...query, theme, unknown },
      async (freshness) => {
        const { answer, ...dates } = await read(freshness);
        // Loaded with the first embed: the module imports d3 packages.
        const { chartEmbed } = await import("./chart_svg.ts");
        const page = chartEmbed(shownOf(answer, query), {
          theme,
          notes: unknownWords(unknown),
          explorer: `${publicUrl}/?${explored}`,
        });
        return await embedContent(String(await page), dates);
      },
    );
  });

  router.onError(async (error, c) => {
    if (!(error instanceof Fault)) throw error;
    return await answerEmbedFault(c, error, publicUrl);
  });
  return router;
}

/**
 * Answers a fault with a page for the frame of another site, which may not load the
 * styles of the other pages.
 */
export async function answerEmbedFault(
  c: Context,
  fault: Fault,
  publicUrl: string,
): Promise<Response> {
  const { status, headers } = headOfFault(c, fault);
  const { embedOfError } = await import("./chart_svg.ts");
  const message = redactKeys(fault.message);
  return c.html(embedOfError({ message, publicUrl }), status, headers);
}

const AnyChartName = z.enum(CHART_NAMES).meta({
  description: "A metric or the name of a checked series",
  example: "txCount",
});

/** Describes the paths for OpenAPI. Hono has no OpenAPI route for a pattern inside a path segment. */
function describeChartPaths() {
  const content = { "image/svg+xml": { schema: { type: "string" as const } } };
  const answer = (description: string) => ({ description, content });
  const responses = {
    200: answer("The chart with title, source and date"),
    304: { description: "The client's copy is current" },
    400: answer("An image with the error message"),
    412: answer("An image that says that If-Match names another version"),
    429: answer("An image that says that the rate limit is reached"),
    503: answer("An image that names the unreachable upstream"),
  };
  const params = z.object({ metric: MetricName });
  return [
    {
      operationId: "getMetricChart",
      description:
        "An SVG image with the parameters of `/api/chain-data/metrics`, for one chain or, with a repeated `chainId`, for up to ten. Other parameters say how the values are drawn. Errors are images, too, so that an embedding page shows them.",
      tags: ["Embeds"],
      method: "get" as const,
      path: "/{metric}.svg",
      summary:
        "Draw a chart of one metric of one or several chains, for embedding",
      request: { params, query: MetricChartQuery },
      responses: {
        ...responses,
        404: answer("An image that says that the chain is unknown"),
      },
    },
    {
      operationId: "getMetricChartTable",
      description:
        "A CSV file of what the chart draws, with the same parameters: `period`, one column for each chain, and `complete`, which is true if each chain has a complete value or has not begun. A cell is empty if a chain has no value.",
      tags: ["Embeds"],
      method: "get" as const,
      path: "/{metric}.csv",
      summary: "Read one metric of several chains, aligned by day, as CSV",
      request: { params, query: MetricChartQuery },
      responses: {
        200: {
          description: "The values by day",
          content: { "text/csv": { schema: { type: "string" as const } } },
        },
        304: { description: "The client's copy is current" },
        ...BAD_QUERY,
        ...UNKNOWN_CHAIN,
        412: json(ErrorBody, "If-Match names another version"),
        ...UPSTREAM_DOWN,
      },
    },
    {
      operationId: "getChartPicture",
      description:
        "The chart as a PNG of 1200 × 630 pixels, or 2400 × 1260 with `density=2`. It takes the parameters of the SVG chart, but `width` has no effect. Errors are JSON.",
      tags: ["Embeds"],
      method: "get" as const,
      path: "/{metric}.png",
      summary: "Draw a chart as a picture",
      request: {
        params: z.object({ metric: AnyChartName }),
        query: MetricChartQuery,
      },
      responses: { ...PICTURE, ...UNKNOWN_CHAIN, ...UPSTREAM_DOWN },
    },
    ...Object.values(CHECKS).map(({ endpoint: name, operationId }) => ({
      operationId: `${operationId}Chart`,
      description:
        `An SVG image with the parameters of \`/api/chain-data/${name}\`. Days on which two sources disagree are marked.`,
      tags: ["Embeds"],
      method: "get" as const,
      path: `/${name}.svg`,
      summary: `Draw a chart of /api/chain-data/${name}, for embedding`,
      request: { query: CHECKED_CHART_QUERIES[name] },
      responses,
    })),
  ];
}

/** Describes the path of charts for frames. */
function describeChartEmbed() {
  const content = { "text/html": { schema: { type: "string" as const } } };
  const answer = (description: string) => ({ description, content });
  return {
    operationId: "getChartEmbed",
    description:
      "A page for an iframe on any site: the chart, its source, and a link to the same view of the explorer. It takes the parameters of the SVG chart, but `width` has no effect: the chart fills the iframe. It runs no script and sets no cookie. Errors are pages, too.",
    tags: ["Embeds"],
    method: "get" as const,
    path: "/chart/{metric}",
    summary: "Draw a chart as a page for an iframe",
    request: {
      params: z.object({
        metric: AnyChartName,
      }),
      query: MetricChartQuery,
    },
    responses: {
      200: answer("The page"),
      304: { description: "The client's copy is current" },
      400: answer("A page with the error message"),
      404: answer("A page that says that the chain is unknown"),
      412: answer("A page that says that If-Match names another version"),
      503: answer("A page that names the unreachable upstream"),
    },
  };
}

/** Mounts the routers of charts on the app. */
export function mountCharts(
  app: OpenAPIHono,
  deps: DownloadsDeps,
  { answers, pages, sendPicture }: {
    readonly answers: ResponseCache;
    readonly pages: ResponseCache;
    readonly sendPicture: SendPicture;
  },
): void {
  app.route("/", explorer(deps, pages));
  app.route("/chart", charts(deps, answers, { sendPicture }));
  app.route(EMBEDS, chartEmbeds(deps, pages));
}
