import { assert, assertEquals } from "@std/assert";
import { dayOf, isoDay } from "../../../simnet/series/days.ts";
import { EXPLORER_PATH } from "../../../simnet/explorer/explorer.ts";
import {
  DISPUTED_DAYS,
  MISSING_DAYS,
  RECENT_DISPUTE,
} from "../../../simnet/explorer/explorer_days.ts";
import { dailyValue } from "../../../simnet/series/series.ts";
import { C_CHAIN } from "../../../simnet/chains.ts";
import { type Json, testNet, TODAY } from "../support.ts";

const net = testNet();

const FIELDS = {
  dailytx: { field: "transactionCount", metric: "txCount" },
  dailytxnfee: { field: "transactionFee_Eth", metric: "feesPaid" },
} as const;

async function stats(action: string, more = ""): Promise<Json> {
  const query = `module=stats&action=${action}&sort=asc${more}`;
  return (await net.get(`${EXPLORER_PATH}?${query}`)).body;
}

function daysOf(rows: Json[]): string[] {
  return rows.map(({ UTCDate }) => UTCDate);
}

function differenceOf(
  rows: Json[],
  field: string,
  metric: "txCount" | "feesPaid",
): number {
  const add = (values: number[]) => values.reduce((a, b) => a + b);
  const ours = rows.map(({ UTCDate }) =>
    dailyValue(C_CHAIN, metric, dayOf(UTCDate))
  );
  return Math.abs(add(rows.map((row) => Number(row[field]))) / add(ours) - 1);
}

Deno.test("the explorer returns the whole series with a partial value for today", async () => {
  const { status, message, result } = await stats("dailytx");
  assertEquals([status, message], ["1", "OK"]);
  assertEquals(result[0].UTCDate, "2020-09-23");
  assertEquals(result.at(-1).UTCDate, isoDay(TODAY));
  const [yesterday, today] = result.slice(-2).map((row: Json) =>
    row.transactionCount
  );
  assert(today < yesterday / 2);
  const { result: reversed } = await stats("dailytx", "&sort=desc");
  assertEquals(reversed.length, result.length);
});

Deno.test("the explorer differs by the disputed days and by the shift between days", async () => {
  for (const [action, { field, metric }] of Object.entries(FIELDS)) {
    const { result } = await stats(action);
    const disputed: string[] = [];
    for (const row of result.slice(0, -1)) {
      const ours = dailyValue(C_CHAIN, metric, dayOf(row.UTCDate));
      const difference = ours === 0 ? 0 : differenceOf([row], field, metric);
      if (difference > 0.005) disputed.push(row.UTCDate);
      else assert(difference <= 0.0021, `${row.UTCDate} ${difference}`);
      assert(difference < 0.03);
    }
    const relative = isoDay(TODAY - RECENT_DISPUTE.age);
    const expected = [...Object.keys(DISPUTED_DAYS[metric]), relative];
    assertEquals(disputed, expected);
    const present = new Set(daysOf(result));
    assert(MISSING_DAYS.every((day) => !present.has(day)));
    assertEquals(
      result.length + MISSING_DAYS.length,
      TODAY - dayOf("2020-09-23") + 1,
    );
  }
});

Deno.test("the explorer returns errors with status 0", async () => {
  const refused = async (query: string) => {
    const { status, body } = await net.get(`${EXPLORER_PATH}?${query}`);
    assertEquals(status, 200);
    assertEquals([body.status, body.message], ["0", "NOTOK"]);
    assertEquals(typeof body.result, "string");
  };
  await refused("module=stats&action=dailygas");
  await refused("module=stats&action=constructor");
  await refused("module=logs&action=dailytx");
  await refused("module=stats&action=dailytx&startdate=yesterday");
  await refused("module=stats&action=dailytx&enddate=2026-13-01");
  assertEquals(await stats("dailytx", "&enddate=2019-01-01"), {
    status: "0",
    message: "No records found",
    result: [],
  });
});
