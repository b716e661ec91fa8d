import { assertEquals, assertRejects } from "@std/assert";
import { startSimnet } from "../../simnet/start.ts";
import type { UpstreamName } from "../../simnet/upstreams.ts";
import { waitUntil } from "../support/wait_until.ts";
import { NOW } from "./support.ts";

Deno.test("startSimnet() serves all upstreams as soon as it returns", async () => {
  await using simnet = startSimnet({ now: () => NOW });
  const { urls, calls } = simnet;
  const post = (method: string) => ({
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method }),
  });
  const responses = await Promise.all([
    fetch(`${urls.metricsApi}/v2/chains?network=mainnet`),
    fetch(`${urls.explorer}?module=stats&action=dailytx`),
    fetch(urls.cChainRpc, post("eth_chainId")),
    fetch(urls.pChainRpc, post("platform.getHeight")),
    fetch(`${urls.portal}/finalized-head`),
  ]);
  for (const response of responses) {
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("X-Simulated"), "simnet");
    await response.json();
  }
  assertEquals(calls.explorer, [{
    at: NOW.getTime(),
    path: `${new URL(urls.explorer).pathname}?module=stats&action=dailytx`,
    rpcMethods: [],
  }]);
  assertEquals(calls.cChainRpc[0]!.rpcMethods, ["eth_chainId"]);
});

Deno.test("startSimnet() takes switches over HTTP, and aborts connections", async () => {
  await using simnet = startSimnet();
  const names = Object.keys(simnet.urls) as UpstreamName[];
  for (const name of names) {
    const url = new URL("/-/switch", simnet.urls[name]);
    const body = '{"mode":"refuse"}';
    const changed = await fetch(url, { method: "PUT", body });
    assertEquals(changed.headers.get("X-Simulated"), "simnet");
    assertEquals((await changed.json()).mode, "refuse");
    assertEquals(simnet.switches[name].get().mode, "refuse");
    await assertRejects(
      async () => await (await fetch(simnet.urls[name])).text(),
      TypeError,
    );
  }
});

Deno.test("startSimnet() marks failures as simulated", async () => {
  await using simnet = startSimnet();
  simnet.switches.metricsApi.set({ mode: "status", status: 500 });
  const response = await fetch(simnet.urls.metricsApi);
  assertEquals(response.headers.get("X-Simulated"), "simnet");
  await response.body?.cancel();
});

Deno.test("startSimnet() closes at once and aborts slow responses", async () => {
  const simnet = startSimnet();
  simnet.switches.explorer.set({ mode: "slow", delayMs: 60_000 });
  const pending = fetch(simnet.urls.explorer).then((response) =>
    response.text()
  );
  const refused = assertRejects(() => pending, TypeError);
  await waitUntil(() => simnet.calls.explorer.length > 0);
  await simnet[Symbol.asyncDispose]();
  await refused;
});
