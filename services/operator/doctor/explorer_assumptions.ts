/** Assumptions about the explorer index. */
import { z } from "zod";
import { CHECKS } from "../../chain_data/catalogue/check_rules_schema.ts";
import { rowsOf } from "../../platform/http/etherscan_client.ts";
import { Numeric, WholeNumber } from "../../platform/http/numeric_schema.ts";
import { dayAt, formatDay } from "../../platform/days.ts";
import { Day } from "../../platform/wire_schema.ts";
import {
  type Assumption,
  assumptionsAbout,
  hasShape,
  isNear,
  type Observation,
  requirePart,
} from "./assumption.ts";
import { dailyTransactions } from "./metrics_api_assumptions.ts";
import type { Sources } from "./sources_client.ts";

/** An address that never sent or received anything. */
const UNUSED = "0x6669726e20646f63746f7220756e75736564000c";

/** The rows of a reply. An error in words is a problem of the schema. */
const Rows = z.unknown().transform((body, context) => {
  try {
    return rowsOf(body);
  } catch (error) {
    const message = error instanceof Error && !(error instanceof z.ZodError)
      ? error.message
      : "not status, message and result";
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  }
});

const daysWith = (field: string) =>
  Rows.pipe(
    z.array(z.object({ UTCDate: Day, [field]: Numeric })).length(3),
  ).transform((rows) =>
    rows.map((row) => ({
      day: String(row.UTCDate),
      value: Number(row[field]),
    }))
  );

const Transactions = daysWith("transactionCount");

const Records = Rows.pipe(
  z.array(z.object({
    from: z.string(),
    nonce: WholeNumber,
    timeStamp: WholeNumber,
    gasUsed: WholeNumber,
    gasPrice: WholeNumber,
  })).min(1).refine(
    (rows) => rows.every(({ timeStamp }) => timeStamp <= rows[0]!.timeStamp),
    "not newest first",
  ),
);

/** Age of the newest day that is compared: every source has it complete. */
const COMPLETE_DAYS = 7;

/** Reads daily statistics of three days that every source has complete. */
function readDays(sources: Sources, action: string, now: number) {
  const last = dayAt(now) - COMPLETE_DAYS;
  return sources.explorer({
    module: "stats",
    action,
    startdate: formatDay(last - 2),
    enddate: formatDay(last),
    sort: "asc",
  });
}

const readRecords = (sources: Sources, address: string) =>
  sources.explorer({
    module: "account",
    action: "txlist",
    address,
    page: "1",
    offset: "2",
    sort: "desc",
  });

/** Examines daily statistics whose values must be within a range. */
function daily(
  action: string,
  field: string,
  [least, most]: readonly [number, number],
): Assumption["examine"] {
  return async (sources, { now }) =>
    hasShape(
      await readDays(sources, action, now),
      daysWith(field),
      (rows): Observation => ({
        holds: rows.every(({ value }) => value >= least && value <= most),
        seen: `${rows[0]!.value} on ${rows[0]!.day}`,
      }),
    );
}

const CLIENT = "services/chain_data/checks/explorer_client.ts";
const TOLERANCE = CHECKS.transactions.tolerancePct.day;

const about = assumptionsAbout("explorer index");

/** What the code assumes of the explorer index. */
export const EXPLORER_ASSUMPTIONS: readonly Assumption[] = [
  about(
    "daily transactions need no key and have a row for each day",
    `EXPLORER_API_URL, ${CLIENT}`,
    daily("dailytx", "transactionCount", [0, 1e9]),
  ),
  about(
    "daily fees need no key and are in AVAX",
    `EXPLORER_API_URL, ${CLIENT}`,
    daily("dailytxnfee", "transactionFee_Eth", [0.1, 1e6]),
  ),
  about(
    "daily block counts need no key and have a row for each day",
    `EXPLORER_API_URL, ${CLIENT}`,
    daily("dailyblkcount", "blockCount", [1, 864_000]),
  ),
  about(
    `daily transactions differ from the Metrics API by at most ${TOLERANCE} %`,
    "services/chain_data/catalogue/check_rules_schema.ts",
    async (sources, { now }) => {
      const ours = await dailyTransactions(sources);
      const reply = await readDays(sources, "dailytx", now);
      const rows = requirePart(reply, Transactions);
      const differences = rows.map(({ day, value }) =>
        100 * (value / (ours.get(day) ?? NaN) - 1)
      );
      return {
        holds: rows.every(({ day, value }) =>
          isNear(value, ours.get(day) ?? NaN, TOLERANCE)
        ),
        seen: differences.map((percent) => `${percent.toFixed(2)} %`)
          .join(", "),
      };
    },
  ),
  about(
    "a transaction list has sender, nonce, time and gas, newest first",
    "services/scores/signals/explorer_accounts_client.ts",
    async (sources, { token }) =>
      hasShape(await readRecords(sources, token), Records, (rows) => ({
        holds: true,
        seen: `${rows.length} records`,
      })),
  ),
  about(
    "an address without transactions has an empty list",
    "services/platform/http/etherscan_client.ts",
    async (sources) =>
      hasShape(await readRecords(sources, UNUSED), Rows, (rows) => ({
        holds: rows.length === 0,
        seen: `${rows.length} records`,
      })),
  ),
];
