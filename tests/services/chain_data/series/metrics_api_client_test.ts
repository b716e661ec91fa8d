import { assertEquals, assertRejects } from "@std/assert";
import { formatDay, parseDay } from "../../../../services/platform/days.ts";
import { Fault } from "../../../../services/platform/fault.ts";
import { metricsApi } from "../../../../services/chain_data/series/metrics_api_client.ts";
import { CALL_OPTIONS, httpThat } from "../../../support/upstreams.ts";

const ID = { subject: 43114, metric: "txCount" } as const;

/** A client whose upstream returns the given pages. It records the requests. */
function clientOf(...pages: (unknown | Response)[]) {
  const asked: string[] = [];
  const { http } = httpThat(({ url }) => {
    const page = pages[asked.push(new URL(url).search) - 1];
    return page instanceof Response ? page : Response.json(page);
  }, { timeoutMs: 1_000 });
  return { client: metricsApi(http, "http://up.test/"), asked };
}

const point = (day: string, value: unknown) => ({
  timestamp: Date.parse(day) / 1000,
  value,
});

Deno.test("readDaily reads all pages of a history", async () => {
  const { client, asked } = clientOf(
    { results: [point("2026-11-19", 3)], nextPageToken: "a b" },
    { results: [point("2026-11-18", 2)], nextPageToken: "" },
  );
  const { body, source } = await client.readDaily(ID, CALL_OPTIONS);
  assertEquals(body, [
    { day: parseDay("2026-11-19"), value: 3 },
    { day: parseDay("2026-11-18"), value: 2 },
  ]);
  assertEquals(asked, [
    "?pageSize=2160&timeInterval=day",
    "?pageSize=2160&timeInterval=day&pageToken=a+b",
  ]);
  assertEquals(source, "Avalanche Metrics API (up.test)");
});

Deno.test("readDaily stops at a repeated token, at a repeated page, and after fifty pages", async () => {
  const cases: [
    day: (nth: number) => string,
    token: (nth: number) => string,
  ][] = [
    [() => "2026-11-19", () => "same"],
    [(nth) => nth === 0 ? "2026-11-20" : "2026-11-19", (nth) => `token ${nth}`],
    [(nth) => `2026-11-${20 - nth % 2}`, (nth) => `token ${nth % 2}`],
    [(nth) => formatDay(parseDay("2026-11-19") - nth), (nth) => `page ${nth}`],
  ];
  const asks: number[] = [];
  for (const [day, token] of cases) {
    const pages = Array.from({ length: 60 }, (_, nth) => ({
      results: [point(day(nth), 3)],
      nextPageToken: token(nth),
    }));
    const { client, asked } = clientOf(...pages);
    await assertRejects(
      () => client.readDaily(ID, CALL_OPTIONS),
      Fault,
      "Cannot read",
    );
    asks.push(asked.length);
  }
  assertEquals(asks, [2, 3, 3, 50]);
});

Deno.test("readDaily requests only the days from fromDay on", async () => {
  const { client, asked } = clientOf({ results: [] });
  const fromDay = parseDay("2026-11-05");
  await client.readDaily(ID, { ...CALL_OPTIONS, fromDay });
  assertEquals(asked, [
    `?pageSize=2160&timeInterval=day&startTimestamp=${
      Date.parse("2026-11-05") / 1000
    }`,
  ]);
});

Deno.test("readDaily accepts numeric strings, and null for an absent day", async () => {
  const { client } = clientOf({
    results: [point("2026-11-19", "12.5"), point("2026-11-18", null)],
  });
  const { body } = await client.readDaily(
    { ...ID, metric: "feesPaid" },
    CALL_OPTIONS,
  );
  assertEquals(body, [{ day: parseDay("2026-11-19"), value: 12.5 }]);
});

Deno.test("readDaily treats null results as an empty list", async () => {
  const { client } = clientOf({ results: null });
  const { body } = await client.readDaily(
    { ...ID, metric: "gasUsed" },
    CALL_OPTIONS,
  );
  assertEquals(body, []);
});

Deno.test("readDaily fails if a later page fails", async () => {
  const first = { results: [point("2026-11-19", 3)], nextPageToken: "next" };
  const broken = [
    new Response("oops", { status: 500 }),
    new Response("{"),
    { results: { "2026-11-18": 1 } },
  ];
  for (const second of broken) {
    const { client } = clientOf(first, second);
    await assertRejects(
      () => client.readDaily(ID, CALL_OPTIONS),
      Fault,
    );
  }
});

Deno.test("readDaily reads series of the Primary Network without an interval", async () => {
  const { client, asked } = clientOf({
    results: [point("2026-11-19", 163406319077503700)],
  });
  const { body } = await client.readDaily(
    { subject: "primary-network", metric: "validatorWeight" },
    CALL_OPTIONS,
  );
  assertEquals(body[0]!.value / 1e9, 163406319.0775037);
  assertEquals(asked, ["?pageSize=2160"]);
});

const listed = (evmChainId: unknown) => ({
  evmChainId,
  chainName: "c_chain",
  blockchainId: "2q9e4r",
  subnetId: "1111",
  network: "mainnet",
});

Deno.test("listChains reads all pages and only the needed fields", async () => {
  const { client, asked } = clientOf(
    { chains: [listed(1)], nextPageToken: "t" },
    { chains: [listed("43114")] },
  );
  const { body } = await client.listChains(CALL_OPTIONS);
  assertEquals(body.map(({ chainId }) => chainId), [1, 43114]);
  assertEquals(Object.keys(body[0]!).length, 4);
  assertEquals(asked[0], "?network=mainnet");
});

Deno.test("listChains rejects a list without the C-Chain", async () => {
  const { client } = clientOf({ chains: [listed(1)] });
  await assertRejects(
    () => client.listChains(CALL_OPTIONS),
    Fault,
    "lacks the C-Chain",
  );
});
