/** Client of the explorer index's daily totals of any chain: the whole history of a metric in one call. */
import { z } from "zod";
import type { IndexMetric } from "../catalogue/series_id.ts";
import { GENESIS_DAY } from "../catalogue/day_query_schema.ts";
import { formatDay, parseDay } from "../../platform/days.ts";
import { maxOf } from "../../platform/extremes.ts";
import { EXPLORER, rowsOf } from "../../platform/http/etherscan_client.ts";
import { Refused } from "../../platform/http/error_response.ts";
import { getAnswer, type Http } from "../../platform/http/http_client.ts";
import { Numeric } from "../../platform/http/numeric_schema.ts";
import { nameSource, type Sourced } from "../../platform/http/source_names.ts";
import type { CallOptions } from "../../platform/rate_limit/call_budget.ts";
import { Day } from "../../platform/wire_schema.ts";
import type { DailyValue } from "../series/series.ts";

/** The base URLs of the index; null if it answers about no other chain. */
interface ChainIndexUrls {
  readonly chains: string | null;
  readonly aggregations: string | null;
}

/** A timestamp that begins with its day, and the total of that day. */
const Pair = z.tuple([z.string(), Numeric.nullable()]).rest(z.unknown())
  .transform(([at, value]) => ({ day: at.slice(0, 10), value }))
  .pipe(z.object({ day: Day, value: z.number().nullable() }));

const FeeRow = z.object({
  UTCDate: Day,
  transactionFee_Eth: Numeric.nullable(),
})
  .transform(({ UTCDate, transactionFee_Eth }) => ({
    day: UTCDate,
    value: transactionFee_Eth,
  }));

type Row = z.ZodType<{ day: string; value: number | null }>;

/** Unreadable rows of which the whole answer is worthless: this many, and a tenth of all. */
const MIN_UNREADABLE = 10;

/** Creates a client. `keyed` sends the API key, and only calls of `urls.chains` use it. */
export function chainIndex(
  { http, keyed }: { readonly http: Http; readonly keyed: Http },
  { chains, aggregations }: ChainIndexUrls,
) {
  const aggregated = (kind: "txs" | "addresses", chainId: number) =>
    aggregations === null ? null : {
      ...{ http, row: Pair as Row, rows: z.array(z.unknown()).parse },
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
          ...{ http: keyed, row: FeeRow as Row, rows: rowsOf },
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

    /**
     * Reads the daily values of a metric of a chain through the day `to`. Rows are
     * judged one by one: one that cannot be read, or whose day has two values, is set
     * aside. A chain that the index does not know has no rows.
     */
    async readDaily(
      metric: IndexMetric,
      chainId: number,
      { to, ...options }: CallOptions & { readonly to: number },
    ): Promise<Sourced<DailyValue[]> & { readonly setAsideCount: number }> {
      const request = requestOf(metric, chainId, to);
      if (request === null) {
        throw new Error(`Cannot read ${metric}: no source is configured`);
      }
      const { body, simulated } = await getAnswer(
        request.http,
        new Request(request.url),
        (json) => readRows(request.rows(json), request.row),
        options,
      );
      const { host } = new URL(request.url);
      return {
        body: body.values.filter(({ day }) => day <= to),
        setAsideCount: body.setAsideCount,
        source: nameSource(EXPLORER, { host, simulated }),
      };
    },
  };
}

/** The client of the explorer index's daily totals of any chain. */
export type ChainIndex = ReturnType<typeof chainIndex>;

function readRows(
  rows: readonly unknown[],
  schema: Row,
): { values: DailyValue[]; setAsideCount: number } {
  const read = rows.flatMap((row) => schema.safeParse(row).data ?? []);
  const unreadable = rows.length - read.length;
  if (unreadable >= MIN_UNREADABLE && unreadable * 10 > rows.length) {
    throw new Refused(`${unreadable} of ${rows.length} rows are unreadable`);
  }
  const values = new Map<string, Set<number | null>>();
  for (const { day, value } of read) {
    values.set(day, (values.get(day) ?? new Set()).add(value));
  }
  const days = [...values].map(([day, [value = null, ...others]]) => ({
    day: parseDay(day),
    value: others.length === 0 ? value : null,
  }));
  const known = days.filter((row): row is DailyValue => row.value !== null);
  const newest = maxOf(known.map(({ day }) => day));
  // Days without a value after the newest one are not published yet.
  const absent = days.filter(({ day, value }) =>
    value === null && day < newest
  );
  return { values: known, setAsideCount: unreadable + absent.length };
}
