import type { IndexMetric } from "../../../../services/chain_data/catalogue/cross_checks_schema.ts";
import { assertEquals } from "@std/assert";
import { chainIndex } from "../../../../services/chain_data/checks/chain_index_client.ts";
import type { DailyRows } from "../../../../services/chain_data/series/daily_rows.ts";
import { formatDay, parseDay } from "../../../../services/platform/days.ts";
import { CALL_OPTIONS, httpThat } from "../../../support/upstreams.ts";

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
