/** How far the data can be trusted: `GET /quality`, `GET /disputes` and `GET /revisions`. */
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
  atomContent,
  byPeriod,
  csvContent,
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
import {
  type CheckName,
  CHECKS,
} from "../../services/chain_data/catalogue/cross_checks_schema.ts";
import { C_CHAIN } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { CHAIN_DATA } from "../http/paths.ts";
import { parseDay, startOfDay } from "../../services/platform/days.ts";
import { readRevisions } from "../../services/chain_data/series/revisions.ts";
import {
  REVISION_FIELDS,
  RevisionsAnswer,
  RevisionsQuery,
} from "../../services/chain_data/series/revisions_schema.ts";
import { TOKENS } from "../../services/chain_data/catalogue/chains.ts";

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

const REVISION_COLUMNS = REVISION_FIELDS.map((field) =>
  field === "day" ? "period" : field
);

/** Serves quality, disputes and revisions. */
export function quality(
  deps: ChainDataDeps,
  answers: ResponseCache,
): OpenAPIHono {
  return newRouter()
    .openapi(getQuality, (c) => {
      return answers.send(
        c,
        {},
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
    })
    .openapi(getRevisions, (c) => {
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
              columns: REVISION_COLUMNS,
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
  const self = `${publicUrl}${CHAIN_DATA}/disputes`;
  return feedOf(
    {
      self,
      atom: `${self}?format=atom`,
      title: "open disputes between data sources",
      description: "Days on which two sources of a series disagree",
      updated: sorted[0]?.foundAt ?? checkedAt ?? 0,
      none: "No dispute is open",
    },
    sorted,
    (dispute) => {
      const { day, foundAt } = dispute;
      const { id, title, path } = entryOf(dispute);
      return {
        id: `${self}#${id}/${day}`,
        title,
        link: `${publicUrl}${CHAIN_DATA}/${path}from=${day}&to=${day}`,
        day,
        updated: foundAt,
        description: describe(dispute),
      };
    },
  );
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
  return feedOf(
    {
      self,
      atom: `${self}&format=atom`,
      title: `revisions of ${chainName ?? `chains ${chainIds}`}`,
      description: "Values of complete days that their source changed",
      updated: revisions[0]?.seenAt ?? 0,
      none: "No revision was seen",
    },
    revisions,
    ({ day, metric, seenAt, ...revision }) => {
      const { oldValue, newValue, unit, cause, chainId } = revision;
      // Fees are in the token of their chain.
      const inToken = TOKENS[chainId] ?? "the token of the chain";
      const of = chainIds ? ` on ${revision.chainName}` : "";
      const ofChain = chainIds ? `${chainId}/` : "";
      const days = `chainId=${chainId}&metric=${metric}&from=${day}&to=${day}`;
      return {
        id: `${ofChains}#${ofChain}${metric}/${day}/${seenAt}`,
        title: `${metric}${of} of ${day} was ${cause}`,
        link: `${publicUrl}${CHAIN_DATA}/metrics?${days}`,
        day,
        updated: seenAt,
        description: `${oldValue ?? "no value"} became ${
          newValue ?? "no value"
        }; unit ${unit === "avax" ? inToken : unit}.`,
      };
    },
  );
}

/** An entry of a feed: a day of a series. */
interface Entry {
  readonly id: string;
  readonly title: string;
  readonly link: string;
  /** The entry is published when this day ends. */
  readonly day: string;
  readonly updated: string;
  /** Plain text. */
  readonly description: string;
}

/** Writes items as an Atom feed. Without any it has one entry: some readers take a feed without entries for no feed. */
function feedOf<Item>(
  { self, atom, title, description, updated, none }: {
    readonly self: string;
    readonly atom: string;
    readonly title: string;
    readonly description: string;
    readonly updated: string | number;
    /** The title of the only entry of a feed without items. */
    readonly none: string;
  },
  items: readonly Item[],
  show: (item: Item) => Entry,
): string {
  const feed = new Feed({
    id: self,
    title: `Firn: ${title}`,
    description,
    link: self,
    feedLinks: { atom },
    updated: new Date(updated),
    author: { name: "Firn" },
    copyright: "",
    generator: "Firn",
  });
  if (items.length === 0) {
    feed.addItem({
      id: `${self}#none`,
      title: none,
      link: self,
      date: new Date(0),
    });
  }
  for (const { day, updated, description, ...entry } of items.map(show)) {
    feed.addItem({
      ...entry,
      published: new Date(startOfDay(parseDay(day) + 1)),
      date: new Date(updated),
      description: String(html`${description}`),
    });
  }
  return feed.atom1();
}
