import { assertEquals } from "@std/assert";
import { testNet } from "./support.ts";

const PATH = "/v2/chains/43114/metrics/txCount?pageSize=5";

Deno.test("a switch with `after` first answers that many requests", async () => {
  const net = testNet();
  net.upstreams.metricsApi.switch.set({ mode: "status", after: 2 });
  const statuses: number[] = [];
  for (let n = 0; n < 4; n++) statuses.push((await net.get(PATH)).status);
  assertEquals(statuses, [200, 200, 503, 503]);
});

Deno.test("PUT /-/switch changes what GET /-/switch shows", async () => {
  const net = testNet();
  const put = (body: string) =>
    net.fetch("http://simnet/-/switch", { method: "PUT", body });
  const changed = await put('{"mode":"slow","delayMs":5}');
  assertEquals((await changed.json()).delayMs, 5);
  assertEquals((await net.get("/-/switch")).body.mode, "slow");
  for (const bad of ['{"mode":"broken"}', '{"mode":"ok","x":1}', "{"]) {
    const refused = await put(bad);
    assertEquals(refused.status, 400);
    assertEquals(typeof (await refused.json()).error, "string");
  }
  assertEquals(net.upstreams.metricsApi.switch.get().mode, "slow");
  assertEquals(net.upstreams.metricsApi.calls, []);
});
