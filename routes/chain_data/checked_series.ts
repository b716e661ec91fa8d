/** The four checked series: `GET /monthly-transactions`, `/transaction-fees`, `/block-production` and `/validators`. */
import { createRoute, type OpenAPIHono, type z } from "@hono/zod-openapi";
import { readBlockProduction } from "../../services/chain_data/blocks/block_production.ts";
import {
  readFees,
  readTransactions,
} from "../../services/chain_data/checks/checked_totals.ts";
import {
  FeesAnswer,
  TotalsQuery,
  TransactionsAnswer,
} from "../../services/chain_data/checks/checked_series_schema.ts";
import {
  ValidatorsAnswer,
  ValidatorsQuery,
} from "../../services/chain_data/validators/validators_schema.ts";
import {
  BlocksAnswer,
  BlocksQuery,
} from "../../services/chain_data/blocks/block_production_schema.ts";
import {
  C_CHAIN,
  type Format,
} from "../../services/chain_data/metrics_schema.ts";
import type { CacheableAnswer } from "../../services/platform/cache/cacheable_answer.ts";
import type { ChainDataDeps } from "../../services/chain_data/deps.ts";
import { readValidators } from "../../services/chain_data/validators/validators.ts";
import {
  byPeriod,
  csvContent,
  jsonContent,
  type Table,
} from "../http/content.ts";
import type { Content } from "../http/representation.ts";
import { newRouter, successOf, UPSTREAM_DOWN } from "../http/router.ts";
import type { ResponseCache } from "../http/response_cache.ts";

function route<Query extends z.ZodObject, Answer extends z.ZodType>(
  path: string,
  { operationId, description, summary, query, answer }: {
    readonly operationId: string;
    readonly description: string;
    readonly summary: string;
    readonly query: Query;
    readonly answer: Answer;
  },
) {
  return createRoute({
    operationId,
    description,
    tags: ["Chain data"],
    method: "get",
    path,
    summary,
    request: { query },
    responses: {
      ...successOf(answer, "The series with its checks", ["csv"]),
      ...UPSTREAM_DOWN,
    },
  });
}

const getTransactions = route("/monthly-transactions", {
  operationId: "getMonthlyTransactions",
  description:
    "Months by default, days with `interval=day`. A second source counts the same transactions, and every point shows whether they agree within the tolerance.",
  summary:
    "Read C-Chain transactions with month-over-month and year-over-year change",
  query: TotalsQuery,
  answer: TransactionsAnswer,
});
const getFees = route("/transaction-fees", {
  operationId: "getTransactionFees",
  description:
    "Fees that were paid for transactions. A second source counts the same fees, and every point shows whether they agree within the tolerance.",
  summary: "Read C-Chain fees in AVAX, by month or day",
  query: TotalsQuery,
  answer: FeesAnswer,
});
const getBlocks = route("/block-production", {
  operationId: "getBlockProduction",
  description:
    "Blocks a day from the index. Some days are counted again by RPC, and the calls that anyone can repeat are in the answer. The endpoint stays available with the last daily read.",
  summary:
    "Read C-Chain blocks a day and the mean block time over a trailing window",
  query: BlocksQuery,
  answer: BlocksAnswer,
});
const getValidators = route("/validators", {
  operationId: "getValidators",
  description:
    "Daily counts and stakes from the Metrics API, with snapshots that the service takes from a node of the platform chain once a day.",
  summary:
    "Read validators and delegators of the Primary Network with their stakes",
  query: ValidatorsQuery,
  answer: ValidatorsAnswer,
});

const TRANSACTION_COLUMNS = [
  "period",
  "txCount",
  "crossCheckTxCount",
  "differencePct",
  "agrees",
  "monthOverMonthPct",
  "yearOverYearPct",
  "complete",
  "comparedDayCount",
  "disputedDays",
];
const FEE_COLUMNS = [
  "period",
  "feesPaid",
  "crossCheckFeesPaid",
  "differencePct",
  "agrees",
  "complete",
  "comparedDayCount",
  "disputedDays",
];
const BLOCK_COLUMNS = ["period", "blocks", "meanBlockTimeSeconds", "complete"];
const COUNT_COLUMNS = [
  "validators",
  "delegators",
  "validatorStake",
  "delegatorStake",
  "totalStake",
];
/** CSV has no nesting, so the fields of `snapshot` become columns. */
const SNAPSHOT_COLUMNS = [...COUNT_COLUMNS, "takenAt"].map((field) => ({
  header: `snapshot${field.charAt(0).toUpperCase()}${field.slice(1)}`,
  prop: ["snapshot", field],
}));
const VALIDATOR_COLUMNS = [
  "period",
  ...COUNT_COLUMNS,
  ...SNAPSHOT_COLUMNS,
  "differencePct",
  "agrees",
  "complete",
];

/** Writes a checked series in the requested format. */
function show(
  cacheable: CacheableAnswer<{
    readonly series: readonly (Record<string, unknown> & { day: string })[];
    readonly from: string;
    readonly to: string;
  }>,
  format: Format,
  { name, columns }: Omit<Table, "rows">,
): Content {
  const { from, to } = cacheable.answer;
  return format === "json" ? jsonContent(cacheable) : csvContent(cacheable, {
    name: [name, from, to].join("-"),
    columns,
    rows: cacheable.answer.series.map(byPeriod),
  });
}

/** Serves the checked series. */
export function crossChecked(
  deps: ChainDataDeps,
  answers: ResponseCache,
): OpenAPIHono {
  return newRouter()
    .openapi(getTransactions, (c) => {
      const query = c.req.valid("query");
      return answers.send(c, query, async (freshness) => {
        const cacheable = await readTransactions(deps, query, freshness);
        return show(cacheable, query.format, {
          name: `${C_CHAIN}-monthly-transactions`,
          columns: TRANSACTION_COLUMNS,
        });
      });
    })
    .openapi(getFees, (c) => {
      const query = c.req.valid("query");
      return answers.send(c, query, async (freshness) => {
        const cacheable = await readFees(deps, query, freshness);
        return show(cacheable, query.format, {
          name: `${C_CHAIN}-transaction-fees`,
          columns: FEE_COLUMNS,
        });
      });
    })
    .openapi(getBlocks, (c) => {
      const query = c.req.valid("query");
      return answers.send(c, query, async () => {
        const cacheable = await readBlockProduction(deps, query);
        return show(cacheable, query.format, {
          name: `${C_CHAIN}-block-production`,
          columns: BLOCK_COLUMNS,
        });
      });
    })
    .openapi(getValidators, (c) => {
      const query = c.req.valid("query");
      return answers.send(c, query, async (freshness) => {
        const cacheable = await readValidators(deps, query, freshness);
        return show(cacheable, query.format, {
          name: "primary-network-validators",
          columns: VALIDATOR_COLUMNS,
        });
      });
    });
}
