import { assert, assertEquals } from "@std/assert";
import { openSources } from "../../../../services/operator/doctor/sources_client.ts";

/** Asks each source once, and returns the URLs that were sent. */
async function askEach(explorerApiKey: string | null): Promise<string[]> {
  const sent: string[] = [];
  const sources = openSources({
    urls: {
      metricsApi: "http://metrics.test/v2",
      metricsApis: new Map(),
      chainNodes: new Map(),
      explorer: "http://explorer.test/api",
      chainIndex: { chains: null, aggregations: null },
      portal: null,
      nodes: ["http://node.test/rpc"],
      platformChain: "http://p-chain.test/rpc",
      proofChains: {},
    },
    explorerApiKey,
    fetch: (input, init) => {
      sent.push(new Request(input, init).url);
      return Promise.resolve(Response.json({}));
    },
    sleep: () => Promise.resolve(),
    timeoutMs: 1_000,
  });
  await sources.metrics("/chains");
  await sources.explorer({ module: "stats" });
  await sources.node(0, "eth_chainId", []);
  await sources.platformChain("platform.getHeight");
  return sent;
}

Deno.test("the explorer index alone gets its key, as from the service", async () => {
  const others = [
    "http://metrics.test/v2/chains",
    "http://node.test/rpc",
    "http://p-chain.test/rpc",
  ];
  const explorer = "http://explorer.test/api?module=stats";
  const [metrics, ...nodes] = others;
  assertEquals(await askEach(null), [metrics, explorer, ...nodes]);
  assertEquals(
    await askEach("a key"),
    [metrics, `${explorer}&apikey=a+key`, ...nodes],
  );
});

Deno.test("every call follows a pause that keeps to the two calls a second of the explorer index", async () => {
  const events: string[] = [];
  const sources = openSources({
    urls: {
      metricsApi: "http://metrics.test/v2",
      metricsApis: new Map(),
      chainNodes: new Map(),
      explorer: "http://explorer.test/api",
      chainIndex: { chains: null, aggregations: null },
      portal: null,
      nodes: ["http://node.test/rpc"],
      platformChain: "http://p-chain.test/rpc",
      proofChains: {},
    },
    explorerApiKey: null,
    fetch: () => {
      events.push("call");
      return Promise.resolve(Response.json({}));
    },
    sleep: (ms) => {
      assert(ms > 500, `${ms}`);
      return Promise.resolve(void events.push("pause"));
    },
    timeoutMs: 1_000,
  });
  await sources.explorer({ module: "stats" });
  await sources.explorer({ module: "account" });
  assertEquals(events, ["pause", "call", "pause", "call"]);
});
