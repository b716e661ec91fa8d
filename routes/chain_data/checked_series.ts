/** The four checked series: `GET /monthly-transactions`, `/transaction-fees`, `/block-production` and `/validators`. */
import { createRoute, type OpenAPIHono, type z } from "@hono/zod-openapi";
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
import type { ChainDataDeps } from "../../services/chain_data/checks/deps.ts";
import { C_CHAIN } from "../../services/chain_data/catalogue/metrics_schema.ts";
import {
  byPeriod,
  csvContent,
  jsonContent,
  type Table,
} from "../http/representation.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { newRouter, successOf, UPSTREAM_DOWN } from "../http/router.ts";

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

/** Serves the checked series. */
export function crossChecked(
  deps: ChainDataDeps,
  answers: ResponseCache,
): OpenAPIHono {
  const router = newRouter();

  function serve<Name extends CheckName>(name: Name) {
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

  CHECK_NAMES.forEach((name) => serve(name));
  return router;
}
