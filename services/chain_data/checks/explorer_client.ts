/** Daily statistics of the C-Chain, read from the explorer index. */
import { z } from "zod";
import { Day } from "../../platform/wire_schema.ts";
import type { CallOptions } from "../../platform/rate_limit/call_budget.ts";
import { formatDay, parseDay } from "../../platform/days.ts";
import type { DailyValue } from "../series/series.ts";
import type { ExplorerMetric } from "../series/series_id.ts";
import { etherscan, EXPLORER } from "../../platform/http/etherscan_client.ts";
import type { Http } from "../../platform/http/http_client.ts";
import { Numeric } from "../../platform/http/numeric_schema.ts";
import { nameSource, type Sourced } from "../../platform/http/source.ts";

/** The series that the index has, and where each one's values stand. */
const SERIES = {
  txCount: { action: "dailytx", field: "transactionCount" },
  feesPaid: { action: "dailytxnfee", field: "transactionFee_Eth" },
  blocks: { action: "dailyblkcount", field: "blockCount" },
} as const satisfies Record<ExplorerMetric, { action: string; field: string }>;

/** Which days to read, both ends included, and for whom. */
export interface DayRangeOptions extends CallOptions {
  readonly from: number;
  readonly to: number;
}

/** The explorer index at a base URL. */
export function explorerIndex(http: Http, baseUrl: string) {
  const { host } = new URL(baseUrl);
  const ask = etherscan(http, baseUrl);

  return {
    /** Base URL, as configured. */
    baseUrl,

    /** What it is called before it has answered. */
    source: nameSource(EXPLORER, { host, simulated: false }),

    /**
     * Reads the daily values of a series, oldest first. A day without a row is
     * absent; an answer that has a day twice is no answer.
     */
    async readDaily(
      series: ExplorerMetric,
      { from, to, ...options }: DayRangeOptions,
    ): Promise<Sourced<DailyValue[]>> {
      const { action, field } = SERIES[series];
      const params = {
        module: "stats",
        action,
        startdate: formatDay(from),
        enddate: formatDay(to),
        sort: "asc",
      };
      const { body, simulated } = await ask(
        params,
        (rows) => rowsWith(field).parse(rows),
        options,
      );
      return {
        body: body.filter(({ day }) => day >= from && day <= to),
        source: nameSource(EXPLORER, { host, simulated }),
      };
    },
  };
}

function rowsWith(field: string) {
  const row = z.looseObject({ UTCDate: Day })
    .transform((fields) => ({
      day: parseDay(fields.UTCDate),
      value: fields[field],
    }))
    .pipe(z.object({ day: z.int(), value: Numeric }));
  return z.array(row)
    .refine((rows) => new Set(rows.map(({ day }) => day)).size === rows.length);
}

/** The explorer index client. */
export type ExplorerIndex = ReturnType<typeof explorerIndex>;
