import { assertEquals } from "@std/assert";
import { formatDay, parseDay } from "../../../../services/platform/days.ts";
import type { ExplorerMetric } from "../../../../services/chain_data/catalogue/series_id.ts";
import {
  chainIndex,
  explorerIndex,
} from "../../../../services/chain_data/checks/explorer_client.ts";
import type { Http } from "../../../../services/platform/http/http_client.ts";
import {
  assertFaults,
  CALL_OPTIONS,
  type FailureRow,
  httpThat,
} from "../../../support/upstreams.ts";
import type { IndexMetric } from "../../../../services/chain_data/catalogue/cross_checks_schema.ts";
import type { DailyRows } from "../../../../services/chain_data/series/daily_rows.ts";

const BASE_URL = "http://up.test/v2/network/mainnet/evm/43114/etherscan/api";
const DAYS = {
  ...CALL_OPTIONS,
  from: parseDay("2025-07-03"),
  to: parseDay("2025-07-06"),
};

const read = (http: Http, series: ExplorerMetric = "txCount") =>
  explorerIndex(http, BASE_URL).readDaily(series, DAYS);

const ok = (...result: unknown[]) =>
  Response.json({ status: "1", message: "OK", result });

const row = (UTCDate: string, transactionCount: unknown = 1) => ({
  UTCDate,
  transactionCount,
});

Deno.test("readDaily requests the days of a metric and reads its field", async () => {
  const cases: [ExplorerMetric, action: string, field: string][] = [
    ["txCount", "dailytx", "transactionCount"],
    ["feesPaid", "dailytxnfee", "transactionFee_Eth"],
    ["blocks", "dailyblkcount", "blockCount"],
  ];
  for (const [series, action, field] of cases) {
    const { http, asked } = httpThat(() =>
      ok(
        { UTCDate: "2025-07-03", unixTimeStamp: "1751500800", [field]: 7 },
        { UTCDate: "2025-07-05", [field]: "1302.5" },
      )
    );
    assertEquals(await read(http, series), {
      body: [
        { day: parseDay("2025-07-03"), value: 7 },
        { day: parseDay("2025-07-05"), value: 1302.5 },
      ],
      unread: [],
      source: "explorer index (up.test)",
    });
    assertEquals(asked.map(({ url }) => url), [
      `${BASE_URL}?module=stats&action=${action}` +
      "&startdate=2025-07-03&enddate=2025-07-06&sort=asc",
    ]);
  }
});

Deno.test("readDaily drops days outside the requested range", async () => {
  const days = ["2025-07-02", "2025-07-03", "2025-07-06", "2025-07-07"];
  const { http } = httpThat(() => ok(...days.map((day) => row(day))));
  const { body } = await read(http);
  assertEquals(
    body.map(({ day }) => formatDay(day)),
    ["2025-07-03", "2025-07-06"],
  );
});

Deno.test('readDaily treats "no records" as an empty list', async () => {
  const answers = [
    { status: "1", message: "OK", result: [] },
    { status: "0", message: "No records found", result: [] },
    { status: "0", message: "No transactions found", result: null },
    { status: "0", message: "No data found", result: "No data found" },
    { status: "0", message: "NOTOK", result: "No data found." },
  ];
  for (const answer of answers) {
    const { http } = httpThat(() => Response.json(answer));
    assertEquals((await read(http)).body, [], JSON.stringify(answer));
  }
});

Deno.test("readDaily turns every failure into a fault", async (t) => {
  const refusal = (result: unknown, message: string | null = "NOTOK") => () =>
    Response.json({ status: "0", message, result });
  const failures: FailureRow[] = [
    [
      "a refusal",
      refusal("Error! Invalid API Key."),
      /it refuses our access$/,
    ],
    ["a bare refusal", refusal(null), /it refused the call$/],
    ["a refusal without a word", refusal("", null), /it refused the call$/],
    [
      "an endless refusal",
      refusal("x\n\u{7}".repeat(900)),
      /it refused the call$/,
    ],
    [
      "a refusal with rows",
      refusal([row("2025-07-03")], "Late"),
      /it refused the call$/,
    ],
    ["too many calls", refusal("Max rate limit reached"), /reached$/, 30_000],
    [
      "too many calls, as success",
      () =>
        Response.json({
          status: "1",
          message: "OK",
          result: "Max daily rate limit reached",
        }),
      /limit is reached$/,
      30_000,
    ],
    [
      "success without a list",
      () => Response.json({ status: "1", message: "OK", result: null }),
      /shape/,
    ],
    ["other field", () => ok({ UTCDate: "2025-07-03", txs: 1 }), /shape/],
    [
      "a day twice",
      () => ok(row("2025-07-03", 1), row("2025-07-03", 2)),
      /shape/,
    ],
    ["no calendar day", () => ok(row("2025-02-29")), /shape/],
    ["a month", () => ok(row("2025-07")), /shape/],
    ["a negative value", () => ok(row("2025-07-03", -1)), /shape/],
    ["an empty value", () => ok(row("2025-07-03", "")), /shape/],
  ];
  await assertFaults(t, read, failures);
});

const URLS = {
  chains: "http://up.test/evm",
  aggregations: "http://cdn.test/evm",
};
const TO = { ...CALL_OPTIONS, to: parseDay("2025-07-06") };

function clientThat(answer: () => unknown, urls: typeof URLS = URLS) {
  const { http, asked } = httpThat(() => Response.json(answer()));
  return {
    client: chainIndex({ http, keyed: http }, urls),
    urls: () => asked.map(({ url }) => url),
  };
}

const fees = (...result: unknown[]) => ({ status: "1", message: "OK", result });

const show = ({ body, unread = [] }: DailyRows) => ({
  days: body.map(({ day, value }) => [formatDay(day), value]),
  setAsideCount: unread.length,
});

Deno.test("readDaily() reads the whole history of a chain in one call a metric", async () => {
  const pairs = [
    ["2025-07-05T00:00:00.000Z", "17"],
    ["2025-07-07T00:00:00.000Z", "3"],
    ["2025-07-03T00:00:00.000Z", 12.5],
  ];
  const cases: [IndexMetric, () => unknown, url: string, host: string][] = [
    [
      "txCount",
      () => pairs,
      "http://cdn.test/evm/all/aggregations/txs?includedChainIds=4337&unit=day",
      "cdn.test",
    ],
    [
      "activeAddresses",
      () => pairs,
      "http://cdn.test/evm/all/aggregations/addresses?includedChainIds=4337&unit=day",
      "cdn.test",
    ],
    [
      "feesPaid",
      () =>
        fees(
          { UTCDate: "2025-07-05", transactionFee_Eth: "17" },
          { UTCDate: "2025-07-07", transactionFee_Eth: "3" },
          { UTCDate: "2025-07-03", transactionFee_Eth: 12.5 },
        ),
      "http://up.test/evm/4337/etherscan/api?module=stats&action=dailytxnfee&startdate=2020-09-21&enddate=2025-07-06&sort=asc",
      "up.test",
    ],
  ];
  for (const [metric, answer, url, host] of cases) {
    const { client, urls } = clientThat(answer);
    const read = await client.readDaily(metric, 4337, TO);
    assertEquals(show(read), {
      days: [["2025-07-05", 17], ["2025-07-03", 12.5]],
      setAsideCount: 0,
    }, "the day after `to` is left out");
    assertEquals(read.source, `explorer index (${host})`);
    assertEquals(urls(), [url]);
  }
});

Deno.test("readDaily() has no rows of a chain that the index does not know", async () => {
  const aggregated = clientThat(() => []);
  assertEquals((await aggregated.client.readDaily("txCount", 1, TO)).body, []);
  const listed = clientThat(() => ({
    status: "0",
    message: "No records found",
    result: [],
  }));
  assertEquals((await listed.client.readDaily("feesPaid", 1, TO)).body, []);
});
