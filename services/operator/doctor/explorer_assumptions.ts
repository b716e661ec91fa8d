/** Assumptions about the explorer index. */
import { z } from "zod";
import {
  CHECKS,
  INDEX_CHECKS,
} from "../../chain_data/catalogue/cross_checks_schema.ts";
import { C_CHAIN } from "../../chain_data/catalogue/metrics_schema.ts";
import { rowsOf } from "../../platform/http/etherscan_client.ts";
import { Numeric, WholeNumber } from "../../platform/http/numeric_schema.ts";
import { dayAt, formatDay } from "../../platform/days.ts";
import { Day } from "../../platform/wire_schema.ts";
import {
  type Assumption,
  assumptionsAbout,
  hasShape,
  isNear,
  NotExamined,
  type Observation,
  requirePart,
} from "./assumption.ts";
import { dailyTransactions, recentValues } from "./metrics_api_assumptions.ts";
import { INDEX_FORMS, type Sources } from "./sources_client.ts";

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

const Pairs = z.array(z.tuple([z.string(), Numeric]).rest(z.unknown()))
  .transform((pairs) =>
    new Map(pairs.map(([at, value]) => [at.slice(0, 10), value]))
  );

/** An L1 with a long history, which other projects read from the index. */
const INDEXED_L1 = 53_935;

/** Fewer days than this are not a whole history. */
const MIN_HISTORY_DAYS = 400;

/** Tells which forms of the daily totals answer with a whole history. */
async function examineForms(sources: Sources): Promise<Observation> {
  const seen: string[] = [];
  for (const [nth, form] of INDEX_FORMS.entries()) {
    const reply = await sources.index(form, "txs", INDEXED_L1);
    const days = Pairs.safeParse(reply?.body).data?.size;
    if (reply?.status === 200 && days !== undefined && days > 0) {
      seen.push(`${form}: ${days} days`);
      return {
        holds: nth === 0 && days >= MIN_HISTORY_DAYS,
        seen: seen.join("; "),
      };
    }
    seen.push(
      reply === null
        ? `${form}: no URL`
        : `${form}: ${reply.error ?? `status ${reply.status}`}`,
    );
  }
  return { holds: false, seen: seen.join("; ") };
}

const ADDRESS_TOLERANCE = INDEX_CHECKS.activeAddresses.tolerancePct;

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
    "services/chain_data/catalogue/cross_checks_schema.ts",
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
    "daily totals of an L1 come whole in one call, without a key",
    `EXPLORER_AGGREGATIONS_URL, services/chain_data/checks/explorer_client.ts`,
    examineForms,
  ),
  about(
    `active addresses differ from the Metrics API by at most ${ADDRESS_TOLERANCE} %`,
    "services/chain_data/catalogue/cross_checks_schema.ts",
    async (sources) => {
      const ours = await recentValues(sources, "activeAddresses");
      const reply = await sources.index(INDEX_FORMS[0], "addresses", C_CHAIN);
      if (reply === null) throw new NotExamined("no URL");
      const theirs = requirePart(reply, Pairs);
      const shared = [...ours].filter(([day]) => theirs.has(day));
      return {
        holds: shared.length > 0 &&
          shared.every(([day, value]) =>
            isNear(theirs.get(day)!, value, ADDRESS_TOLERANCE)
          ),
        seen:
          shared.map(([day, value]) =>
            `${(100 * (theirs.get(day)! / value - 1)).toFixed(2)} %`
          ).join(", ") || "no day in both",
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
