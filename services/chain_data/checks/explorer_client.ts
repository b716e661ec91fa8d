/**
 * Clients of the explorer index: daily statistics of the C-Chain in parts, and daily
 * totals of any chain, the whole history of a metric in one call.
 */
import { Day } from "../../platform/wire_schema.ts";
import type { CallOptions } from "../../platform/rate_limit/call_budget.ts";
import { formatDay, parseDay } from "../../platform/days.ts";
import {
  type DailyRows,
  readDailyRows,
  type RowFields,
} from "../series/daily_rows.ts";
import type { ExplorerMetric } from "../catalogue/series_id.ts";
import {
  etherscan,
  EXPLORER,
  rowsOf,
} from "../../platform/http/etherscan_client.ts";
import { getAnswer, type Http } from "../../platform/http/http_client.ts";
import {
  Numeric,
  NumericOfAnyUnit,
} from "../../platform/http/numeric_schema.ts";
import { nameSource } from "../../platform/http/upstream_answer.ts";
import type { IndexMetric } from "../catalogue/cross_checks_schema.ts";
import { z } from "zod";
import { GENESIS_DAY } from "../catalogue/fields_schema.ts";

/** The action and the value field of each metric. */
const SERIES = {
  txCount: { action: "dailytx", field: "transactionCount" },
  feesPaid: { action: "dailytxnfee", field: "transactionFee_Eth" },
  blocks: { action: "dailyblkcount", field: "blockCount" },
} as const satisfies Record<ExplorerMetric, { action: string; field: string }>;

const FIELDS = {
  dayField: "UTCDate",
  day: Day.transform(parseDay),
};

/** The days to read, both included, and the call options. */
interface DayRangeOptions extends CallOptions {
  readonly from: number;
  readonly to: number;
}

/** Creates a client of the explorer index at a base URL. */
export function explorerIndex(http: Http, baseUrl: string) {
  const { host } = new URL(baseUrl);
  const call = etherscan(http, baseUrl);

  return {
    /** Base URL, as configured. */
    baseUrl,

    /** Name of the source before the first response. */
    source: nameSource(EXPLORER, { host, simulated: false }),

    /**
     * Reads the daily values of a metric, oldest first. A day without a row is
     * absent.
     */
    async readDaily(
      series: ExplorerMetric,
      { from, to, ...options }: DayRangeOptions,
    ): Promise<DailyRows> {
      const { action, field } = SERIES[series];
      const params = {
        module: "stats",
        action,
        startdate: formatDay(from),
        enddate: formatDay(to),
        sort: "asc",
      };
      const { body, simulated } = await call(
        params,
        (rows) =>
          readDailyRows(rows, {
            ...FIELDS,
            valueField: field,
            value: series === "feesPaid" ? NumericOfAnyUnit : Numeric,
          }),
        options,
      );
      const isAsked = ({ day }: { readonly day: number | null }) =>
        day === null || day >= from && day <= to;
      return {
        body: body.points.filter(isAsked),
        unread: body.unread.filter(isAsked),
        source: nameSource(EXPLORER, { host, simulated }),
      };
    },
  };
}

/** The explorer index client. */
export type ExplorerIndex = ReturnType<typeof explorerIndex>;

/** The base URLs of the index; null if it answers about no other chain. */
interface ChainIndexUrls {
  readonly chains: string | null;
  readonly aggregations: string | null;
}

/** A timestamp begins with its day. */
const PAIRS: RowFields = {
  dayField: "day",
  day: z.string().transform((at) => at.slice(0, 10)).pipe(Day).transform(
    parseDay,
  ),
  valueField: "value",
  value: Numeric,
};

const FEES: RowFields = {
  ...FIELDS,
  valueField: "transactionFee_Eth",
  value: NumericOfAnyUnit,
};

/** Returns the pairs of an answer as rows. */
function pairsOf(json: unknown): unknown[] {
  return z.array(z.unknown()).parse(json).map((pair) =>
    Array.isArray(pair) ? { day: pair[0], value: pair[1] } : pair
  );
}

/** Creates a client. `keyed` sends the API key, and only calls of `urls.chains` use it. */
export function chainIndex(
  { http, keyed }: { readonly http: Http; readonly keyed: Http },
  { chains, aggregations }: ChainIndexUrls,
) {
  const aggregated = (kind: "txs" | "addresses", chainId: number) =>
    aggregations === null ? null : {
      ...{ http, fields: PAIRS, rows: pairsOf },
      url:
        `${aggregations}/all/aggregations/${kind}?includedChainIds=${chainId}&unit=day`,
    };
  const requestOf = (metric: IndexMetric, chainId: number, to: number) => {
    switch (metric) {
      case "txCount":
        return aggregated("txs", chainId);
      case "activeAddresses":
        return aggregated("addresses", chainId);
      case "feesPaid":
        return chains === null ? null : {
          ...{ http: keyed, fields: FEES, rows: rowsOf },
          url:
            `${chains}/${chainId}/etherscan/api?module=stats&action=dailytxnfee&startdate=${GENESIS_DAY}&enddate=${
              formatDay(to)
            }&sort=asc`,
        };
    }
  };

  return {
    /** Returns whether the index can be asked for a metric of other chains than the C-Chain. */
    answers: (metric: IndexMetric): boolean => requestOf(metric, 1, 0) !== null,

    /** Returns the URL of the history of a metric of a chain through a day; null if the index has none. */
    urlOf: (metric: IndexMetric, chainId: number, to: number): string | null =>
      requestOf(metric, chainId, to)?.url ?? null,

    /**
     * Reads the daily values of a metric of a chain through the day `to`. A chain that
     * the index does not know has no rows.
     */
    async readDaily(
      metric: IndexMetric,
      chainId: number,
      { to, ...options }: CallOptions & { readonly to: number },
    ): Promise<DailyRows> {
      const request = requestOf(metric, chainId, to);
      if (request === null) {
        throw new Error(`Cannot read ${metric}: no source is configured`);
      }
      const { body, simulated } = await getAnswer(
        request.http,
        new Request(request.url),
        (json) => readDailyRows(request.rows(json), request.fields),
        options,
      );
      const { host } = new URL(request.url);
      const isAsked = ({ day }: { readonly day: number | null }) =>
        day === null || day <= to;
      return {
        body: body.points.filter(isAsked),
        unread: body.unread.filter(isAsked),
        source: nameSource(EXPLORER, { host, simulated }),
      };
    },
  };
}

/** The client of the explorer index's daily totals of any chain. */
export type ChainIndex = ReturnType<typeof chainIndex>;
