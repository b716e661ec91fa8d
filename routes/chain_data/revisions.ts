/** `GET /revisions`: what sources changed in days that were complete. */
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { ChainDataDeps } from "../../services/chain_data/checks/deps.ts";
import { readRevisions } from "../../services/chain_data/series/revisions.ts";
import {
  REVISION_FIELDS,
  RevisionsAnswer,
  RevisionsQuery,
} from "../../services/chain_data/series/revisions_schema.ts";
import {
  addEmptyEntry,
  atomContent,
  byPeriod,
  csvContent,
  endOf,
  jsonContent,
} from "../http/representation.ts";
import {
  newRouter,
  successOf,
  UNKNOWN_CHAIN,
  UPSTREAM_DOWN,
} from "../http/router.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { Feed } from "feed";
import { html } from "hono/html";
import { TOKENS } from "../../services/chain_data/catalogue/chains.ts";
import { CHAIN_DATA } from "../http/paths.ts";

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

/** What selects revisions of the chains, in the order of links. */
const SELECTORS = ["metric", "from", "to", "since", "limit", "cursor"] as const;

const USUAL = RevisionsQuery.parse({});

/**
 * Writes revisions as a feed. Each selection is a feed with its own id. An entry has
 * the same id in all of them. An entry is published when its day ended, and updated when
 * the revision was seen, as is the feed. One read sees many.
 */
export function revisionsFeed(
  { chainId, chainName, revisions }: RevisionsAnswer,
  query: RevisionsQuery,
  publicUrl: string,
): string {
  const { chainIds } = query;
  const chains = chainIds ? `chainIds=${chainIds}` : `chainId=${chainId}`;
  const ofChains = `${publicUrl}${CHAIN_DATA}/revisions?${chains}`;
  const self = ofChains + SELECTORS
    .filter((name) => query[name] !== USUAL[name])
    .map((name) => `&${name}=${query[name]}`).join("");
  const feed = new Feed({
    id: self,
    title: `Firn: revisions of ${chainName ?? `chains ${chainIds}`}`,
    description: "Values of complete days that their source changed",
    link: self,
    feedLinks: { atom: `${self}&format=atom` },
    updated: new Date(revisions[0]?.seenAt ?? 0),
    author: { name: "Firn" },
    copyright: "",
    generator: "Firn",
  });
  if (revisions.length === 0) {
    addEmptyEntry(feed, { self, title: "No revision was seen" });
  }
  for (const { day, metric, seenAt, ...revision } of revisions) {
    const { oldValue, newValue, unit, cause, chainId } = revision;
    // Fees are in the token of their chain.
    const inToken = TOKENS[chainId] ?? "the token of the chain";
    const of = chainIds ? ` on ${revision.chainName}` : "";
    const days = `chainId=${chainId}&metric=${metric}&from=${day}&to=${day}`;
    feed.addItem({
      id: `${ofChains}#${
        chainIds ? `${chainId}/` : ""
      }${metric}/${day}/${seenAt}`,
      title: `${metric}${of} of ${day} was ${cause}`,
      link: `${publicUrl}${CHAIN_DATA}/metrics?${days}`,
      published: endOf(day),
      date: new Date(seenAt),
      description: String(
        html`${oldValue ?? "no value"} became ${newValue ?? "no value"}; unit ${
          unit === "avax" ? inToken : unit
        }.`,
      ),
    });
  }
  return feed.atom1();
}
