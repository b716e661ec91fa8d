/** The explorer index: daily statistics of the C-Chain in Etherscan's dialect. */
import { z } from "zod";
import { Day } from "../contract/wire.ts";
import type { Reading } from "../domain/budget.ts";
import { formatDay, parseDay } from "../domain/days.ts";
import type { DailyValue } from "../domain/series.ts";
import type { IndexMetric } from "../domain/series_id.ts";
import { getAnswer, type Http } from "./http.ts";
import { Numeric } from "./numeric.ts";
import { refusedInWords } from "./refused.ts";
import { nameSource, type Sourced } from "./source.ts";

/** The series that the index has, and where each one's values stand. */
const SERIES = {
  txCount: { action: "dailytx", field: "transactionCount" },
  feesPaid: { action: "dailytxnfee", field: "transactionFee_Eth" },
  blocks: { action: "dailyblkcount", field: "blockCount" },
} as const satisfies Record<IndexMetric, { action: string; field: string }>;

/** Which days to read, both ends included, and for whom. */
export interface DaysReading extends Reading {
  readonly from: number;
  readonly to: number;
}

/** Status 0 stands for refusals and for lists without a row alike. */
const Envelope = z.object({
  status: Numeric,
  message: z.string().nullish(),
  result: z.union([z.string(), z.array(z.unknown())]).nullish(),
});

const NAME = "explorer index";

/** The explorer index at a base URL. */
export function explorerIndex(http: Http, baseUrl: string) {
  const { host } = new URL(baseUrl);

  return {
    /** Base URL, as configured. */
    baseUrl,

    /** What it is called before it has answered. */
    source: nameSource(NAME, { host, simulated: false }),

    /**
     * Reads the daily values of a series, oldest first. A day without a row is
     * absent; an answer that has a day twice is no answer.
     */
    async readDaily(
      series: IndexMetric,
      { from, to, ...reading }: DaysReading,
    ): Promise<Sourced<DailyValue[]>> {
      const { action, field } = SERIES[series];
      const url = new URL(baseUrl);
      url.search = new URLSearchParams({
        module: "stats",
        action,
        startdate: formatDay(from),
        enddate: formatDay(to),
        sort: "asc",
      }).toString();
      const { body, simulated } = await getAnswer(
        http,
        new Request(url),
        (json) => readValues(json, field),
        reading,
      );
      return {
        body: body.filter(({ day }) => day >= from && day <= to),
        source: nameSource(NAME, { host, simulated }),
      };
    },
  };
}

/** Makes daily values of an answer; throws where it has none to give. */
function readValues(json: unknown, field: string): DailyValue[] {
  const { status, message, result } = Envelope.parse(json);
  const words = typeof result === "string" && result || (message ?? "");
  if (status === 1 && typeof result !== "string") {
    return rowsWith(field).parse(result);
  }
  const isEmpty = !Array.isArray(result) || result.length === 0;
  if (isEmpty && [words, message].some(saysNothingFound)) return [];
  throw refusedInWords(words);
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

function saysNothingFound(words: string | null | undefined): boolean {
  return /^no (data|records|transactions) found/i.test(words ?? "");
}

/** The explorer index client. */
export type ExplorerIndex = ReturnType<typeof explorerIndex>;
