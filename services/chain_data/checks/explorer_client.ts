/** Client of the explorer index: daily statistics of the C-Chain. */
import { Day } from "../../platform/wire_schema.ts";
import type { CallOptions } from "../../platform/rate_limit/call_budget.ts";
import { formatDay, parseDay } from "../../platform/days.ts";
import { type DailyRows, readDailyRows } from "../series/daily_rows.ts";
import type { ExplorerMetric } from "../catalogue/series_id.ts";
import { etherscan, EXPLORER } from "../../platform/http/etherscan_client.ts";
import type { Http } from "../../platform/http/http_client.ts";
import {
  Numeric,
  NumericOfAnyUnit,
} from "../../platform/http/numeric_schema.ts";
import { nameSource } from "../../platform/http/upstream_answer.ts";

/** The action and the value field of each metric. */
const SERIES = {
  txCount: { action: "dailytx", field: "transactionCount" },
  feesPaid: { action: "dailytxnfee", field: "transactionFee_Eth" },
  blocks: { action: "dailyblkcount", field: "blockCount" },
} as const satisfies Record<ExplorerMetric, { action: string; field: string }>;

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

const FIELDS = {
  dayField: "UTCDate",
  day: Day.transform(parseDay),
};

/** The explorer index client. */
export type ExplorerIndex = ReturnType<typeof explorerIndex>;
