/** Values that no sum can hold, and two rows for one day: no surface shows them, and both are gaps. */
import { assert, assertEquals, assertNotMatch } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { foldBuckets } from "../../services/chain_data/series/buckets.ts";
import { seriesOf } from "../../services/chain_data/series/series.ts";
import { Aggregation } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { parseDay } from "../../services/platform/days.ts";
import { MAX_NUMBER } from "../../services/platform/http/numeric_schema.ts";
import { altered, type Rows } from "../support/altered_sources.ts";
import { succeed } from "../support/jobs.ts";
import { connectInside } from "../support/mcp.ts";

/** Two of them have no finite sum. */
const BEYOND = 1.7e308;

/** Days of October 2026 with such a value, and one of which two rows tell different values. */
const HUGE = ["2026-10-05", "2026-10-06"];
const TWICE = "2026-10-14";

/** The fields of a row that hold values. */
const VALUES = [
  "value",
  "transactionCount",
  "transactionFee_Eth",
  "blockCount",
];

/** Opens a service that has read sources with such rows. */
async function outOfRange() {
  const { deps, alter } = await altered({ chains: 3 });
  const dayOf = (row: Rows[number]) =>
    row["timestamp"] === undefined
      ? String(row["UTCDate"])
      : new Date(Number(row["timestamp"]) * 1000).toISOString().slice(0, 10);
  const withValue = (row: Rows[number], change: (value: number) => number) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        VALUES.includes(name) ? change(Number(value)) : value,
      ]),
    );
  alter.rows = (rows) =>
    rows.flatMap((row) =>
      HUGE.includes(dayOf(row))
        ? [withValue(row, () => BEYOND)]
        : dayOf(row) === TWICE
        ? [row, withValue(row, (value) => 3 * value + 1)]
        : [row]
    );
  for (const job of ["refresh-chains", "refresh-series", "cross-check"]) {
    await succeed(deps, job);
  }
  return deps;
}

const METRICS_PATH = "/api/chain-data/metrics";

/** What no answer may contain. */
const NO_FIGURE = /"value":null|Infinity|NaN|1\.7e\+?308|\b17\d{100}/;

/** Every surface that folds days, or adds them up. */
const SURFACES = [
  ...["txCount", "feesPaid", "gasUsed", "maxTps", "cumulativeTxCount"].flatMap(
    (metric) =>
      ["day", "week", "month"].flatMap((interval) =>
        ["json", "csv"].map((format) =>
          `${METRICS_PATH}?range=90d&metric=${metric}&interval=${interval}&format=${format}`
        )
      ),
  ),
  ...["json", "csv"].flatMap((format) => [
    `${METRICS_PATH}?range=90d&chainId=2044&interval=month&format=${format}`,
    `/api/chain-data/monthly-transactions?format=${format}`,
    `/api/chain-data/transaction-fees?format=${format}`,
    `/api/chain-data/block-production?format=${format}`,
  ]),
  "/chart/txCount.svg?range=90d&interval=month",
  "/chart/txCount.csv?range=90d&interval=month&chainId=43114&chainId=2044",
  "/chart/feesPaid.svg?range=90d&interval=week&chainId=43114&chainId=2044&values=index",
  "/?metric=txCount&chainId=43114&chainId=2044&range=90d&interval=month",
  "/chains?range=90d",
];

Deno.test("a value that no sum can hold is shown by no surface as null, infinite or huge, and neither of two rows for a day wins", async (t) => {
  using deps = await outOfRange();
  const app = createApp(deps);
  for (const path of SURFACES) {
    await t.step(path, async () => {
      const response = await app.request(path);
      const text = await response.text();
      assertEquals(response.status, 200, text);
      assertNotMatch(text, NO_FIGURE);
    });
  }
  for (const metric of ["txCount", "feesPaid", "gasUsed"]) {
    const ask = async (query: string) =>
      await (await app.request(`${METRICS_PATH}?metric=${metric}&${query}`))
        .json();
    const { series, gaps } = await ask("from=2026-10-01&to=2026-10-31");
    const days: string[] = series.map(({ day }: { day: string }) => day);
    assertEquals([...HUGE, TWICE].filter((day) => days.includes(day)), []);
    assertEquals(days.length, 28);
    assertEquals(
      gaps.map((
        { from, to, reason }: Record<string, string>,
      ) => [from, to, typeof reason]),
      [[HUGE[0], HUGE[1], "string"], [TWICE, TWICE, "string"]],
    );
    const month = await ask("interval=month&from=2026-10-01&to=2026-10-31");
    assertEquals(month.series[0].missingDays, [...HUGE, TWICE]);
  }
  await using mcp = await connectInside(deps);
  for (
    const tool of [
      "get_metrics",
      "get_monthly_transactions",
      "get_transaction_fees",
      "get_block_production",
    ]
  ) {
    const given = tool === "get_metrics" ? { interval: "month" } : {};
    const { isError, text, answer } = await mcp.call(tool, given);
    assertEquals(isError, false, text);
    assertNotMatch(text + JSON.stringify(answer), NO_FIGURE);
  }
});

Deno.test("foldBuckets() has a finite value for every month of the largest values that are read", () => {
  const start = parseDay("2026-10-01");
  const series = seriesOf(
    Array.from({ length: 31 }, (_, nth) => ({
      day: start + nth,
      value: MAX_NUMBER,
    })),
  );
  for (const fold of Aggregation.options) {
    const [month, ...others] = foldBuckets(
      series,
      { start, end: start + 30 },
      { interval: "month", fold, today: start + 60 },
    );
    assertEquals(others, []);
    assert(Number.isFinite(month!.value), fold);
    assertEquals(month!.value, (fold === "sum" ? 31 : 1) * MAX_NUMBER);
  }
});
