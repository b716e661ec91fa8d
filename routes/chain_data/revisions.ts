/** `GET /revisions`: what sources changed in days that were complete. */
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { ChainDataDeps } from "../../services/chain_data/deps.ts";
import { readRevisions } from "../../services/chain_data/series/revisions.ts";
import {
  REVISION_FIELDS,
  RevisionsAnswer,
  RevisionsQuery,
} from "../../services/chain_data/series/revisions_schema.ts";
import {
  atomContent,
  byPeriod,
  csvContent,
  jsonContent,
} from "../http/content.ts";
import { revisionsFeed } from "./revisions_feed.ts";
import {
  newRouter,
  successOf,
  UNKNOWN_CHAIN,
  UPSTREAM_DOWN,
} from "../http/router.ts";
import type { ResponseCache } from "../http/response_cache.ts";

const getRevisions = createRoute({
  operationId: "getRevisions",
  description:
    "Each change of a day that was complete, with its value before and after. Growth of an incomplete day is not a revision. `asOf` of `/metrics` returns the values of an earlier instant.",
  tags: ["Chain data"],
  method: "get",
  path: "/revisions",
  summary: "List the values that sources changed afterwards, last seen first",
  request: { query: RevisionsQuery },
  responses: {
    ...successOf(
      RevisionsAnswer,
      "The revisions; an Atom feed with format=atom",
      ["csv", "atom"],
    ),
    ...UNKNOWN_CHAIN,
    ...UPSTREAM_DOWN,
  },
});

const COLUMNS = REVISION_FIELDS.map((field) =>
  field === "day" ? "period" : field
);

/** Serves the revisions. */
export function revisions(
  deps: ChainDataDeps,
  answers: ResponseCache,
): OpenAPIHono {
  return newRouter().openapi(getRevisions, (c) => {
    const query = c.req.valid("query");
    return answers.send(c, query, async () => {
      const cacheable = await readRevisions(deps, query);
      const { answer } = cacheable;
      switch (query.format) {
        case "json":
          return jsonContent(cacheable);
        case "csv":
          return csvContent(cacheable, {
            name: answer.chainId === null
              ? "revisions"
              : `${answer.chainId}-revisions`,
            columns: COLUMNS,
            rows: answer.revisions.map(byPeriod),
          });
        case "atom":
          return atomContent(
            cacheable,
            revisionsFeed(answer, query, deps.publicUrl),
          );
      }
    });
  });
}
