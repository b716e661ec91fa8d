import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import type { BehaviourChange } from "../../simnet/switches.ts";
import { type TestNet, testNet } from "./support.ts";

const PATH = "/v2/chains/43114/metrics/txCount?pageSize=5";

async function ask(net: TestNet, change: BehaviourChange): Promise<Response> {
  net.upstreams.metricsApi.switch.set(change);
  return await net.fetch(`http://simnet${PATH}`);
}

Deno.test("a switch has each mode:", async (t) => {
  const net = testNet();
  await t.step("ok: answers normally", async () => {
    const response = await ask(net, { mode: "ok" });
    assertEquals((await response.json()).results.length, 5);
  });
  await t.step("refuse: rejects like fetch", async () => {
    await assertRejects(() => ask(net, { mode: "refuse" }), TypeError);
  });
  await t.step("slow: answers late", async () => {
    const startedAt = performance.now();
    const response = await ask(net, { mode: "slow", delayMs: 60 });
    assert(performance.now() - startedAt >= 55);
    assertEquals((await response.json()).results.length, 5);
  });
  await t.step("slow: stops when the signal aborts", async () => {
    net.upstreams.metricsApi.switch.set({ mode: "slow", delayMs: 60_000 });
    const caller = new AbortController();
    const { signal } = caller;
    const pending = net.fetch(`http://simnet${PATH}`, { signal });
    caller.abort(new DOMException("Caller gave up", "TimeoutError"));
    await assertRejects(() => pending, DOMException, "Caller gave up");
  });
  await t.step("status: answers with status and headers", async () => {
    const headers = { "Retry-After": "7" };
    const change = { mode: "status", status: 429, headers } as const;
    const response = await ask(net, change);
    assertEquals(response.status, 429);
    assertEquals(response.headers.get("Retry-After"), "7");
    assertEquals((await response.json()).statusCode, 429);
  });
  await t.step("html: answers a page with 200", async () => {
    const response = await ask(net, { mode: "html" });
    assertEquals(response.status, 200);
    assertMatch(response.headers.get("content-type")!, /^text\/html/);
    assertMatch(await response.text(), /^<!DOCTYPE html>/);
  });
  await t.step("garbage: answers invalid JSON", async () => {
    const response = await ask(net, { mode: "garbage" });
    assertEquals(response.status, 200);
    await assertRejects(() => response.json(), SyntaxError);
  });
  await t.step("shape: answers JSON of another shape", async () => {
    const response = await ask(net, { mode: "shape" });
    assertEquals(response.status, 200);
    assertEquals("results" in await response.json(), false);
  });
  await t.step("cut: fails from the second page on", async () => {
    const response = await ask(net, { mode: "cut" });
    const { nextPageToken } = await response.json();
    const { status } = await net.get(`${PATH}&pageToken=${nextPageToken}`);
    assertEquals(status, 500);
  });
});

Deno.test("a switch with `after` first answers that many requests", async () => {
  const net = testNet();
  net.upstreams.metricsApi.switch.set({ mode: "status", after: 2 });
  const statuses: number[] = [];
  for (let n = 0; n < 4; n++) statuses.push((await net.get(PATH)).status);
  assertEquals(statuses, [200, 200, 503, 503]);
});

Deno.test("a switch affects its own upstream only", async () => {
  const net = testNet();
  net.upstreams.explorer.switch.set({ mode: "refuse" });
  assertEquals((await net.get(PATH)).status, 200);
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
