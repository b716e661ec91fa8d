/** The open API of chain data: the catalogue, the metrics and the checked series. */
import { createRoute, type OpenAPIHono, type z } from "@hono/zod-openapi";
import type { DownloadsDeps } from "../../services/downloads/downloads.ts";
import { CHAIN_DATA, CHARTS, SERVICE_LINKS } from "../http/paths.ts";
import {
  anyOrigin,
  newRouter,
  successOf,
  UNKNOWN_CHAIN,
  UPSTREAM_DOWN,
} from "../http/router.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { chainsPages, metricPages } from "./page_routes.ts";
import { proofPages } from "./proof_pages.ts";
import { quality } from "./quality.ts";
import {
  ChainDataAnswer,
  describeChainData,
} from "../../services/chain_data/quality/about.ts";
import { readChains } from "../../services/chain_data/checks/coverage.ts";
import {
  C_CHAIN,
  FormatQuery,
  MetricsAnswer,
  MetricsQuery,
} from "../../services/chain_data/catalogue/metrics_schema.ts";
import { ChainsAnswer } from "../../services/chain_data/catalogue/chains_schema.ts";
import type { ChainDataDeps } from "../../services/chain_data/checks/deps.ts";
import { NoQuery } from "../../services/platform/wire_schema.ts";
import {
  byPeriod,
  csvContent,
  jsonContent,
  type Table,
} from "../http/representation.ts";
import { readCheckedMetrics } from "../../services/chain_data/checks/index_checks.ts";
import {
  BlocksAnswer,
  FeesAnswer,
  TransactionsAnswer,
  ValidatorsAnswer,
} from "../../services/chain_data/checks/checked_series_schema.ts";
import {
  CHECK_NAMES,
  type CheckName,
  CHECKS,
  COMPARED_FIELDS,
  STAKING_FIELDS,
} from "../../services/chain_data/catalogue/cross_checks_schema.ts";
import {
  CHECKED_SERIES,
  type CheckedQueries,
} from "../../services/chain_data/overview/checked_series.ts";

const getChainData = createRoute({
  operationId: "getChainData",
  description:
    "The catalogue: each metric with its unit, its kind and how days are aggregated, each endpoint with its parameters, the sources, and the rules about incomplete points and gaps.",
  tags: ["Chain data"],
  method: "get",
  path: "/",
  summary: "Describe this API: metrics, endpoints, sources and rules",
  request: { query: NoQuery },
  responses: successOf(ChainDataAnswer, "The description"),
});

const getChains = createRoute({
  operationId: "getChains",
  description:
    "Every mainnet chain that the Metrics API tracks, with its EVM chain id, its name and the symbol of its token. `chainId` of `/metrics` takes these ids.",
  tags: ["Chain data"],
  method: "get",
  path: "/chains",
  summary: "List the tracked mainnet chains",
  request: { query: FormatQuery },
  responses: {
    ...successOf(ChainsAnswer, "The chains, ordered by id", ["csv"]),
    ...UPSTREAM_DOWN,
  },
});

const CHAIN_COLUMNS = [
  "chainId",
  "chainName",
  "token",
  "blockchainId",
  "subnetId",
];

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

/** How an endpoint is described, and the columns of its CSV. */
interface Endpoint {
  readonly description: string;
  readonly summary: string;
  readonly answer: z.ZodType;
  /** What the series is about, in the name of a downloaded file. */
  readonly subject: string | number;
  readonly columns: Table["columns"];
}

const COUNTED_FIELDS = ["complete", "comparedDayCount", "disputedDays"];
/** CSV has no nesting, so the fields of `snapshot` become columns. */
const SNAPSHOT_COLUMNS = [...STAKING_FIELDS, "takenAt"].map((field) => ({
  header: `snapshot${field.charAt(0).toUpperCase()}${field.slice(1)}`,
  prop: ["snapshot", field],
}));

const ENDPOINTS: Readonly<Record<CheckName, Endpoint>> = {
  transactions: {
    description:
      "Months by default, days with `interval=day`. A second source counts the same transactions, and every point shows whether they agree within the tolerance.",
    summary:
      "Read C-Chain transactions with month-over-month and year-over-year change",
    answer: TransactionsAnswer,
    subject: C_CHAIN,
    columns: ["period", ...CHECKS.transactions.columns, ...COUNTED_FIELDS],
  },
  fees: {
    description:
      "Fees that were paid for transactions. A second source counts the same fees, and every point shows whether they agree within the tolerance.",
    summary: "Read C-Chain fees in AVAX, by month or day",
    answer: FeesAnswer,
    subject: C_CHAIN,
    columns: ["period", ...CHECKS.fees.columns, ...COUNTED_FIELDS],
  },
  blocks: {
    description:
      "Blocks a day from the index. Some days are counted again by RPC, and the calls that anyone can repeat are in the answer. The endpoint stays available with the last daily read.",
    summary:
      "Read C-Chain blocks a day and the mean block time over a trailing window",
    answer: BlocksAnswer,
    subject: C_CHAIN,
    columns: ["period", ...CHECKS.blocks.columns, "complete"],
  },
  stake: {
    description:
      "Daily counts and stakes from the Metrics API, with snapshots that the service takes from a node of the platform chain once a day.",
    summary:
      "Read validators and delegators of the Primary Network with their stakes",
    answer: ValidatorsAnswer,
    subject: "primary-network",
    columns: [
      "period",
      ...STAKING_FIELDS,
      ...SNAPSHOT_COLUMNS,
      ...COMPARED_FIELDS,
      "complete",
    ],
  },
};

/** Mounts the open API of chain data, and the pages of chains, on the app. */
export function mountChainData(
  app: OpenAPIHono,
  deps: DownloadsDeps,
  { answers, pages }: {
    readonly answers: ResponseCache;
    readonly pages: ResponseCache;
  },
): void {
  app.use(`${CHAIN_DATA}/*`, anyOrigin());
  app.route(CHAIN_DATA, series(deps, answers));
  app.route(CHAIN_DATA, quality(deps, answers));
  app.route("/chains", chainsPages(deps, pages));
  app.route(CHARTS, metricPages(deps, pages));
  app.route("/", proofPages(deps, pages));
}

/** Serves the description, the chain list, the metrics and the checked series. */
function series(deps: ChainDataDeps, answers: ResponseCache): OpenAPIHono {
  const router = newRouter()
    .openapi(getChainData, (c) => {
      const describe = () => ({
        ...jsonContent(describeChainData(deps)),
        headers: { Link: SERVICE_LINKS },
      });
      return answers.send(c, {}, () => Promise.resolve(describe()));
    })
    .openapi(getChains, (c) => {
      const query = c.req.valid("query");
      return answers.send(c, query, async (freshness) => {
        const cacheable = await readChains(deps, freshness);
        if (query.format === "json") return jsonContent(cacheable);
        const { chains: rows } = cacheable.answer;
        return csvContent(cacheable, {
          name: "chains",
          columns: CHAIN_COLUMNS,
          rows,
        });
      });
    })
    .openapi(getMetrics, (c) => {
      const query = c.req.valid("query");
      return answers.send(c, query, async (freshness) => {
        const cacheable = await readCheckedMetrics(deps, query, freshness);
        if (query.format === "json") return jsonContent(cacheable);
        const { chainId, metric, from, to, series } = cacheable.answer;
        return csvContent(cacheable, {
          name: [chainId, metric, from, to].join("-"),
          columns: ["period", metric, "complete"],
          rows: series.map(({ day, value, complete }) => ({
            period: day,
            [metric]: value,
            complete,
          })),
        });
      });
    });

  function serveChecked<Name extends CheckName>(name: Name) {
    const { endpoint, operationId } = CHECKS[name];
    const { description, summary, answer, subject, columns } = ENDPOINTS[name];
    const { query: schema, read } = CHECKED_SERIES[name];
    const route = createRoute({
      operationId,
      description,
      tags: ["Chain data"],
      method: "get",
      path: `/${endpoint}`,
      summary,
      request: { query: schema as z.ZodObject },
      responses: {
        ...successOf(answer, "The series with its checks", ["csv"]),
        ...UPSTREAM_DOWN,
      },
    });
    router.openapi(route, (c) => {
      const query = c.req.valid("query") as CheckedQueries[Name];
      return answers.send(c, query, async (freshness) => {
        const cacheable = await read(deps, query, freshness);
        if (query.format === "json") return jsonContent(cacheable);
        const { from, to, series } = cacheable.answer;
        return csvContent(cacheable, {
          name: [subject, endpoint, from, to].join("-"),
          columns,
          rows: series.map(byPeriod),
        });
      });
    });
  }

  CHECK_NAMES.forEach((name) => serveChecked(name));
  return router;
}
