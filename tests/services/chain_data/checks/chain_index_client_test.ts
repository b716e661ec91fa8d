import type { IndexMetric } from "../../../../services/chain_data/catalogue/check_rules_schema.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { chainIndex } from "../../../../services/chain_data/checks/chain_index_client.ts";
import type { DailyRows } from "../../../../services/chain_data/series/daily_rows.ts";
import { Fault } from "../../../../services/platform/fault.ts";
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

Deno.test("readDaily() judges rows one by one, wherever the bad one stands", async (t) => {
  const day = (date: number, value: unknown) => [
    `2025-07-0${date}T00:00:00.000Z`,
    value,
  ];
  const good: unknown[] = [day(1, "10"), day(2, "20"), day(3, "30")];
  const bad: Record<string, unknown> = {
    "a null": null,
    "an object": {},
    "an empty text": ["2025-06-30T00:00:00.000Z", ""],
    "words": ["2025-06-30T00:00:00.000Z", "many"],
    "a missing value": ["2025-06-30T00:00:00.000Z"],
    "a negative value": ["2025-06-30T00:00:00.000Z", -1],
    "no day": ["yesterday", 1],
  };
  for (const [name, row] of Object.entries(bad)) {
    for (const at of [0, 1, 3]) {
      await t.step(`${name} as row ${at}`, async () => {
        const { client } = clientThat(() => good.toSpliced(at, 0, row));
        assertEquals(show(await client.readDaily("txCount", 1, TO)), {
          days: [["2025-07-01", 10], ["2025-07-02", 20], ["2025-07-03", 30]],
          setAsideCount: 1,
        });
      });
    }
  }
  await t.step("two values of one day: neither is used", async () => {
    const { client } = clientThat(() => [...good, day(2, 21), day(1, "10")]);
    assertEquals(show(await client.readDaily("txCount", 1, TO)), {
      days: [["2025-07-01", 10], ["2025-07-03", 30]],
      setAsideCount: 2,
    });
  });
  await t.step(
    "a null after the newest value is not published yet, one before it is set aside",
    async () => {
      const { client } = clientThat(
        () => [...good, day(4, null), day(5, null)],
      );
      assertEquals(
        show(await client.readDaily("txCount", 1, TO)).setAsideCount,
        0,
      );
      const within = clientThat(() => [day(1, null), ...good.slice(1)]);
      assertEquals(show(await within.client.readDaily("txCount", 1, TO)), {
        days: [["2025-07-02", 20], ["2025-07-03", 30]],
        setAsideCount: 1,
      });
    },
  );
});

Deno.test("readDaily() fails where a tenth of the rows, and at least ten, are unreadable", async () => {
  const rows = (good: number, bad: number) => [
    ...Array.from({ length: good }, (_, nth) => [
      `${formatDay(parseDay("2024-01-01") + nth)}T00:00:00.000Z`,
      nth,
    ]),
    ...Array(bad).fill(null),
  ];
  const read = (good: number, bad: number) =>
    clientThat(() => rows(good, bad)).client.readDaily("txCount", 1, TO);
  assertEquals(show(await read(5, 9)).setAsideCount, 9);
  assertEquals(show(await read(90, 10)).setAsideCount, 10);
  await assertRejects(
    () => read(89, 10),
    Fault,
    "Cannot read cdn.test: answer has another shape than documented: 10 of 99 rows",
  );
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
