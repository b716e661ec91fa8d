/** `GET /quality` and `GET /disputes`. */
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { NoQuery } from "../../services/platform/wire_schema.ts";
import {
  type Dispute,
  DISPUTE_FIELDS,
  DisputesAnswer,
  DisputesQuery,
} from "../../services/chain_data/checks/checked_series_schema.ts";
import { QualityAnswer } from "../../services/chain_data/quality/quality_schema.ts";
import type { ChainDataDeps } from "../../services/chain_data/checks/deps.ts";
import { readDisputes } from "../../services/chain_data/checks/disputes.ts";
import { readQuality } from "../../services/chain_data/quality/quality.ts";
import {
  addEmptyEntry,
  atomContent,
  byPeriod,
  csvContent,
  endOf,
  jsonContent,
} from "../http/representation.ts";
import { newRouter, successOf } from "../http/router.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { Feed } from "feed";
import { html } from "hono/html";
import {
  type CheckName,
  CHECKS,
} from "../../services/chain_data/catalogue/cross_checks_schema.ts";
import { C_CHAIN } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { CHAIN_DATA } from "../http/paths.ts";

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
  ...DISPUTE_FIELDS.filter((field) => field !== "chainId"),
  "source",
  "crossCheckSource",
  "foundAt",
  "chainId",
  "chainName",
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

/**
 * Writes the disputes as a feed, the last found first. An entry keeps its id while the
 * dispute is open. It is published when its day ended, and updated when the dispute was
 * found, as is the feed. One run finds many.
 */
export function disputesFeed(
  { disputes, checkedAt }: DisputesAnswer,
  publicUrl: string,
): string {
  const sorted = disputes.toSorted((a, b) =>
    b.foundAt.localeCompare(a.foundAt) || b.day.localeCompare(a.day)
  );
  const newest = sorted[0]?.foundAt;
  const self = `${publicUrl}${CHAIN_DATA}/disputes`;
  const feed = new Feed({
    id: self,
    title: "Firn: open disputes between data sources",
    description: "Days on which two sources of a series disagree",
    link: self,
    feedLinks: { atom: `${self}?format=atom` },
    updated: new Date(newest ?? checkedAt ?? 0),
    author: { name: "Firn" },
    copyright: "",
    generator: "Firn",
  });
  if (sorted.length === 0) {
    addEmptyEntry(feed, { self, title: "No dispute is open" });
  }
  for (const dispute of sorted) {
    const { day } = dispute;
    const { id, title, path } = entryOf(dispute);
    feed.addItem({
      id: `${self}#${id}/${day}`,
      title,
      link: `${publicUrl}${CHAIN_DATA}/${path}from=${day}&to=${day}`,
      published: endOf(day),
      date: new Date(dispute.foundAt),
      description: String(html`${describe(dispute)}`),
    });
  }
  return feed.atom1();
}

/** The id and title of an entry, and the path of the series that shows both values or ours. */
function entryOf({ series, chainId, chainName, day }: Dispute) {
  if (isCheckName(series)) {
    const { endpoint, dailyQuery } = CHECKS[series];
    return {
      id: series,
      title: `${series} of ${day} are disputed`,
      path: `${endpoint}?${dailyQuery}`,
    };
  }
  return {
    id: `${series}/${chainId}`,
    title: `${series} of ${chainName} on ${day} is disputed`,
    path: `metrics?metric=${series}&chainId=${chainId}&`,
  };
}

function isCheckName(series: Dispute["series"]): series is CheckName {
  return Object.hasOwn(CHECKS, series);
}

function describe(dispute: Dispute): string {
  const { value, crossCheckValue, differencePct, tolerancePct } = dispute;
  // Only the C-Chain's own token is AVAX.
  const unit = dispute.unit === "avax" && dispute.chainId !== C_CHAIN
    ? dispute.token ?? "native tokens"
    : dispute.unit;
  const difference = differencePct === null
    ? ""
    : `, a difference of ${differencePct} %`;
  return `${dispute.source}: ${value} ${unit}. ` +
    `${dispute.crossCheckSource}: ${crossCheckValue} ${unit}${difference}; ` +
    `tolerance ${tolerancePct} %.`;
}
