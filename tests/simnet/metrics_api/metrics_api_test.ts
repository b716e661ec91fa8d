import { assert, assertEquals, assertMatch } from "@std/assert";
import { METRICS } from "../../../simnet/series/series.ts";
import { ANOMALY_CHAIN_IDS } from "../../../simnet/series/anomalies.ts";
import { NOW, type Point, type TestNet, testNet, TODAY } from "../support.ts";

const DAY_SECONDS = 86_400;
const TX_COUNT = "/v2/chains/43114/metrics/txCount";

async function readAllPages(net: TestNet, path: string): Promise<Point[]> {
  const points: Point[] = [];
  for (let token: string | undefined = ""; token !== undefined;) {
    const { body } = await net.get(`${path}${token && `&pageToken=${token}`}`);
    points.push(...body.results);
    token = body.nextPageToken;
  }
  return points;
}

Deno.test("GET /v2/chains pages through all chains without overlap", async () => {
  const net = testNet({ chains: 200, chainPageSize: 77 });
  const sizes: number[] = [];
  const ids = new Set<number>();
  for (let token: string | undefined = ""; token !== undefined;) {
    const query = token && `&pageToken=${token}`;
    const { body } = await net.get(`/v2/chains?network=mainnet${query}`);
    sizes.push(body.chains.length);
    for (const { evmChainId } of body.chains) ids.add(evmChainId);
    token = body.nextPageToken;
  }
  assertEquals(sizes, [77, 77, 46]);
  assertEquals(ids.size, 200);
});

Deno.test("GET /v2/chains/:id describes a chain", async () => {
  const { body } = await testNet().get("/v2/chains/43114");
  assertEquals(body, {
    evmChainId: 43114,
    chainName: "c_chain",
    blockchainId: "2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5",
    subnetId: "11111111111111111111111111111111LpoYY",
    network: "mainnet",
  });
  const other = await testNet().get("/v2/chains?network=fuji");
  assertEquals(other.body, { chains: [] });
});

Deno.test("GET /v2/chains/:id/metrics/:metric", async (t) => {
  const net = testNet();
  await t.step(
    "is newest first, with 100 points by default",
    async () => {
      const { status, headers, body } = await net.get(TX_COUNT);
      assertEquals(status, 200);
      assertMatch(headers.get("content-type")!, /^application\/json/);
      assertEquals(body.results.length, 100);
      assertEquals(body.results[0].timestamp, (TODAY - 2) * DAY_SECONDS);
      assertEquals(body.results[99].timestamp, (TODAY - 101) * DAY_SECONDS);
      assert(body.nextPageToken);
    },
  );
  await t.step("pages to the first day without overlap", async () => {
    for (const pageSize of [2160, 700]) {
      const points = await readAllPages(
        net,
        `${TX_COUNT}?pageSize=${pageSize}`,
      );
      const timestamps = points.map(({ timestamp }) => timestamp);
      assertEquals(timestamps.at(-1), Date.parse("2020-09-23") / 1_000);
      const steps = timestamps.slice(1).map((at, n) => timestamps[n]! - at);
      assertEquals(new Set(steps), new Set([DAY_SECONDS]));
    }
  });
  await t.step("respects both timestamps, inclusive", async () => {
    const [to, from] = [TODAY - 10, TODAY - 12].map((day) => day * DAY_SECONDS);
    const points = await net.history(
      43114,
      "txCount",
      `startTimestamp=${from}&endTimestamp=${to}`,
    );
    assertEquals(points.length, 3);
    assertEquals([points[0]!.timestamp, points[2]!.timestamp], [to, from]);
  });
  await t.step("answers every metric of the C-Chain", async () => {
    for (const metric of METRICS) {
      assertEquals((await net.history(43114, metric)).length, 2_160, metric);
    }
  });
  await t.step(
    "returns null, no points and gaps for the anomalies",
    async () => {
      const { nullAddresses, never, missingWeek } = ANOMALY_CHAIN_IDS;
      const path = `/v2/chains/${nullAddresses}/metrics/cumulativeAddresses`;
      assertEquals((await net.get(path)).body, { results: null });
      assertEquals(await net.history(never, "txCount"), []);
      assertEquals(
        await net.history(never, "txCount", "timeInterval=month"),
        [],
      );
      const days = (await net.history(missingWeek, "txCount"))
        .map(({ timestamp }) => TODAY - timestamp / DAY_SECONDS);
      assert(days.includes(56) && days.includes(64));
      assert(!days.some((age) => age >= 57 && age <= 63));
    },
  );
  await t.step(
    "has the first day of weeks and months as timestamp",
    async () => {
      const [week] = await net.history(43114, "txCount", "timeInterval=week");
      const [month] = await net.history(43114, "txCount", "timeInterval=month");
      assertEquals(week!.timestamp, Date.parse("2026-11-09") / 1_000);
      assertEquals(month!.timestamp, Date.parse("2026-10-01") / 1_000);
    },
  );
});

Deno.test("GET /v2/networks/mainnet/metrics/:metric", async () => {
  const net = testNet();
  const path = "/v2/networks/mainnet/metrics";
  const points = await readAllPages(
    net,
    `${path}/validatorWeight?pageSize=2160`,
  );
  assertEquals(points[0]!.timestamp, (TODAY - 2) * DAY_SECONDS);
  assertEquals(points.at(-1)!.timestamp, Date.parse("2020-09-10") / 1_000);
  assert(points.every(({ value }) => value > Number.MAX_SAFE_INTEGER));
  const { body } = await net.get(`${path}/validatorCount?subnetId=other`);
  assertEquals(body, { results: [] });
});

Deno.test("the Metrics API returns errors in the real format", async (t) => {
  const net = testNet();
  const { body } = await net.get(TX_COUNT);
  const token = body.nextPageToken;
  const refusals: [path: string, status: number, message: RegExp][] = [
    [`${TX_COUNT}?pageSize=2161`, 400, /pageSize/],
    [`${TX_COUNT}?pageSize=0`, 400, /pageSize/],
    [`${TX_COUNT}?timeInterval=year`, 400, /timeInterval/],
    [`${TX_COUNT}?pageToken=two`, 400, /pageToken/],
    [`/v2/chains/43114/metrics/gasUsed?pageToken=${token}`, 400, /pageToken/],
    ["/v2/chains/43114/metrics/avgTps?timeInterval=month", 400, /day/],
    ["/v2/chains/43114/metrics/gas", 400, /metric/],
    ["/v2/networks/mainnet/metrics/stake", 400, /metric/],
    ["/v2/chains/1/metrics/txCount", 404, /Chain not found/],
    ["/v2/chains/1", 404, /Chain not found/],
    ["/v2/nothing", 404, /Cannot GET/],
  ];
  for (const [path, status, message] of refusals) {
    await t.step(`${path} with ${status}`, async () => {
      const answer = await net.get(path);
      assertEquals(answer.status, status);
      assertEquals(answer.body.statusCode, status);
      assertEquals(typeof answer.body.error, "string");
      assertEquals(Array.isArray(answer.body.message), status === 400);
      assertMatch([answer.body.message].flat()[0], message);
    });
  }
});

Deno.test("the Metrics API publishes a new day when the clock advances", async () => {
  let now = NOW;
  const net = testNet({ now: () => now });
  const [before] = await net.history(43114, "txCount");
  now = new Date(NOW.getTime() + DAY_SECONDS * 1_000);
  const [newest, settled] = await net.history(43114, "txCount");
  assertEquals(newest!.timestamp, before!.timestamp + DAY_SECONDS);
  assert(settled!.value > 5 * before!.value);
});
