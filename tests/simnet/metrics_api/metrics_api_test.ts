import { assert, assertEquals, assertMatch } from "@std/assert";
import { NOW, testNet } from "../support.ts";

const DAY_SECONDS = 86_400;
const TX_COUNT = "/v2/chains/43114/metrics/txCount";

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
