/** `GET /chart/{name}.svg`: charts of metrics and of the checked series, for embedding. */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  CHECKED_CHARTS,
  type CheckedChartQuery,
} from "../../services/charts/checked_charts.ts";
import { readMetricChart } from "../../services/charts/charts.ts";
import { withoutUnfinished } from "../../services/charts/unfinished.ts";
import { MetricName } from "../../services/chain_data/metrics_schema.ts";
import {
  type Chart,
  CHART_NAMES,
  type ChartName,
  CHECKED_CHART_QUERIES,
  CHECKED_NAMES,
  type CheckedName,
  isChecked,
  MetricChartQuery,
} from "../../services/charts/charts_schema.ts";
import type { CacheableAnswer } from "../../services/platform/cache/cacheable_answer.ts";
import type { ChainDataDeps } from "../../services/chain_data/deps.ts";
import { Fault } from "../../services/platform/fault.ts";
import type { FreshnessOptions } from "../../services/platform/cache/read_through.ts";
import { redactKeys } from "../../services/platform/observability/redact.ts";
import { headOfFault } from "../middleware/on_error.ts";
import { checkQuery } from "../http/query.ts";
import { invalidInput } from "../http/validation_errors.ts";
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
  renders: RenderQueue,
) {
  const router = newRouter();
  for (const path of describePaths()) router.openAPIRegistry.registerPath(path);

  router.get("/:file{[^]+\\.svg}", (c) => {
    const name = parseName(c.req.param("file").slice(0, -".svg".length));
    const { query, read } = selectChart(deps, c, name);
    return answers.send(
      c,
      query,
      (freshness) =>
        renders.run(freshness.client, async () => {
          const { answer, ...dates } = await read(freshness);
          // Loaded with the first chart: the module imports d3 packages.
          const { chartDocument } = await import(
            "../views/charts/chart_svg.ts"
          );
          const drawn = query.unfinished === "hide"
            ? withoutUnfinished(answer)
            : answer;
          const text = String(await chartDocument(drawn));
          return { text, type: SVG, headers: HEADERS, ...dates };
        }),
    );
  });

  // An embedded image shows no JSON, so errors are images too.
  router.onError(async (error, c) => {
    if (!(error instanceof Fault)) throw error;
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

/** The checked query of a request, and the reader of its chart. */
interface SelectedChart {
  readonly query: Pick<MetricChartQuery, "unfinished">;
  readonly read: (
    freshness: FreshnessOptions,
  ) => Promise<CacheableAnswer<Chart>>;
}

function selectChart(
  deps: ChainDataDeps,
  c: Context,
  name: ChartName,
): SelectedChart {
  if (isChecked(name)) return selectCheckedChart(deps, c, name);
  const query = { ...checkQuery(c, MetricChartQuery), metric: name };
  return {
    query,
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
    read: (freshness) => CHECKED_CHARTS[name](deps, query, freshness),
  };
}

const ChartPath = z.object({ metric: z.enum(CHART_NAMES) });

function parseName(metric: string): ChartName {
  const data = { metric };
  const checked = ChartPath.safeParse(data);
  if (checked.success) return checked.data.metric;
  const { error } = checked;
  throw invalidInput({ target: "path", data, error, queries: () => [] });
}

const CHECKED_OPERATIONS: Readonly<Record<CheckedName, string>> = {
  "monthly-transactions": "getMonthlyTransactionsChart",
  "transaction-fees": "getTransactionFeesChart",
  "block-production": "getBlockProductionChart",
  "validators": "getValidatorsChart",
};

/** Describes the paths for OpenAPI. Hono has no OpenAPI route for a pattern inside a path segment. */
function describePaths() {
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
        "An SVG image with the parameters of `/api/chain-data/metrics`. Errors are images, too, so that an embedding page shows them.",
      tags: ["Embeds"],
      method: "get" as const,
      path: "/{metric}.svg",
      summary: "Draw a chart of one metric of one chain, for embedding",
      request: { params, query: MetricChartQuery },
      responses: {
        ...responses,
        404: answer("An image that says that the chain is unknown"),
      },
    },
    ...CHECKED_NAMES.map((name) => ({
      operationId: CHECKED_OPERATIONS[name],
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
