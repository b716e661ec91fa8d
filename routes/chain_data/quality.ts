/** `GET /quality` and `GET /disputes`. */
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { NoQuery } from "../../services/platform/wire_schema.ts";
import {
  DISPUTE_FIELDS,
  DisputesAnswer,
  DisputesQuery,
} from "../../services/chain_data/checks/disputes_schema.ts";
import { QualityAnswer } from "../../services/chain_data/quality/quality_schema.ts";
import type { ChainDataDeps } from "../../services/chain_data/deps.ts";
import { readDisputes } from "../../services/chain_data/checks/disputes.ts";
import { readQuality } from "../../services/chain_data/quality/quality.ts";
import {
  atomContent,
  byPeriod,
  csvContent,
  jsonContent,
} from "../http/content.ts";
import { disputesFeed } from "./disputes_feed.ts";
import { newRouter, successOf } from "../http/router.ts";
import type { ResponseCache } from "../http/response_cache.ts";

const getQuality = createRoute({
  operationId: "getQuality",
  description:
    "For each source: the newest day and the age of the data. For each checked series: the share of days that agree. Also the chains whose own figures contradict each other.",
  tags: ["Chain data"],
  method: "get",
  path: "/quality",
  summary:
    "Show how current each source is, how far sources agree, and which chains have figures that contradict each other",
  request: { query: NoQuery },
  responses: successOf(
    QualityAnswer,
    "The quality of the stored data; no upstream is called",
  ),
});

const getDisputes = createRoute({
  operationId: "getDisputes",
  description:
    "Every day with the values of both sources and their difference in percent. `format=atom` is a feed to subscribe to.",
  tags: ["Chain data"],
  method: "get",
  path: "/disputes",
  summary: "List every day on which two sources disagree, newest first",
  request: { query: DisputesQuery },
  responses: successOf(
    DisputesAnswer,
    "The open disputes; an Atom feed with format=atom",
    ["csv", "atom"],
  ),
});

const DISPUTE_COLUMNS = [
  "period",
  ...DISPUTE_FIELDS,
  "source",
  "crossCheckSource",
  "foundAt",
];

/** Serves quality and disputes. */
export function quality(
  deps: ChainDataDeps,
  answers: ResponseCache,
): OpenAPIHono {
  return newRouter()
    .openapi(getQuality, (c) => {
      const query = c.req.valid("query");
      return answers.send(
        c,
        query,
        async () => jsonContent(await readQuality(deps)),
      );
    })
    .openapi(getDisputes, (c) => {
      const query = c.req.valid("query");
      return answers.send(c, query, async () => {
        const cacheable = await readDisputes(deps);
        switch (query.format) {
          case "json":
            return jsonContent(cacheable);
          case "csv":
            return csvContent(cacheable, {
              name: "disputes",
              columns: DISPUTE_COLUMNS,
              rows: cacheable.answer.disputes.map(byPeriod),
            });
          case "atom":
            return atomContent(
              cacheable,
              disputesFeed(cacheable.answer, deps.publicUrl),
            );
        }
      });
    });
}
