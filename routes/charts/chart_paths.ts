/** The paths of charts, for OpenAPI. */
import { z } from "@hono/zod-openapi";
import { CHECKS } from "../../services/chain_data/catalogue/check_rules_schema.ts";
import { MetricName } from "../../services/chain_data/catalogue/metrics_schema.ts";
import {
  CHART_NAMES,
  CHECKED_CHART_QUERIES,
  MetricChartQuery,
} from "../../services/charts/charts_schema.ts";
import { ErrorBody } from "../../services/platform/wire_schema.ts";
import { PICTURE } from "../pages/picture_cache.ts";
import {
  BAD_QUERY,
  json,
  UNKNOWN_CHAIN,
  UPSTREAM_DOWN,
} from "../http/router.ts";

const AnyChartName = z.enum(CHART_NAMES).meta({
  description: "A metric or the name of a checked series",
  example: "txCount",
});

/** Describes the paths for OpenAPI. Hono has no OpenAPI route for a pattern inside a path segment. */
export function describeChartPaths() {
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
export function describeChartEmbed() {
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
