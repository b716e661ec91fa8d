/** `GET /metrics`: one metric of one chain. */
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import {
  type Metric,
  MetricsAnswer,
  MetricsQuery,
} from "../../services/chain_data/catalogue/metrics_schema.ts";
import type { ChainDataDeps } from "../../services/chain_data/checks/deps.ts";
import { readCheckedMetrics } from "../../services/chain_data/checks/index_checks.ts";
import { csvContent, jsonContent } from "../http/representation.ts";
import {
  newRouter,
  successOf,
  UNKNOWN_CHAIN,
  UPSTREAM_DOWN,
} from "../http/router.ts";
import type { ResponseCache } from "../http/response_cache.ts";

const getMetrics = createRoute({
  operationId: "getMetrics",
  description:
    "Points are UTC buckets, oldest first. A point that can still change has `complete: false`. Missing days are listed in `gaps` and never filled in.",
  tags: ["Chain data"],
  method: "get",
  path: "/metrics",
  summary: "Read a daily, weekly or monthly series of one metric of one chain",
  request: { query: MetricsQuery },
  responses: {
    ...successOf(MetricsAnswer, "The series", ["csv"]),
    ...UNKNOWN_CHAIN,
    ...UPSTREAM_DOWN,
  },
});

/** Serves the metrics. */
export function metrics(
  deps: ChainDataDeps,
  answers: ResponseCache,
): OpenAPIHono {
  return newRouter().openapi(getMetrics, (c) => {
    const query = c.req.valid("query");
    return answers.send(c, query, async (freshness) => {
      const cacheable = await readCheckedMetrics(deps, query, freshness);
      if (query.format === "json") return jsonContent(cacheable);
      const { chainId, metric, from, to, series } = cacheable.answer;
      return csvContent(cacheable, {
        name: [chainId, metric, from, to].join("-"),
        columns: ["period", metric, "complete"],
        rows: series.map((point) => toRow(metric, point)),
      });
    });
  });
}

function toRow(
  metric: Metric,
  { day, value, complete }: MetricsAnswer["series"][number],
) {
  return { period: day, [metric]: value, complete };
}
