import { assert, assertEquals } from "@std/assert";
import { parse } from "@std/csv";
import { createApp } from "../../../routes/app.ts";
import { METRIC_NAMES } from "../../../services/chain_data/catalogue/metrics_schema.ts";
import { testDeps } from "../../support/deps.ts";

Deno.test("GET /api/chain-data lists the metrics and whether they are summable", async () => {
  using deps = await testDeps();
  const response = await createApp(deps).request("/api/chain-data");
  assertEquals(response.status, 200);
  const { metrics, parameters, sources } = await response.json();
  assertEquals(
    metrics.map(({ metric }: { metric: string }) => metric),
    METRIC_NAMES,
  );
  assertEquals(metrics[0], {
    metric: "txCount",
    meaning: "transactions included in blocks that day",
    unit: "count",
    kind: "per day",
    aggregation: "sum",
    summable: true,
  });
  const summable = metrics.filter((rule: { summable: boolean }) =>
    rule.summable
  );
  const names = summable.map(({ metric }: { metric: string }) => metric);
  assertEquals(names.slice(0, 6), [
    "txCount",
    "feesPaid",
    "gasUsed",
    "newAddresses",
    "newContracts",
    "newDeployers",
  ]);
  assertEquals(parameters.range, ["30d", "90d", "1y", "all"]);
  assertEquals(sources[0].url, "http://metrics.test");
});

/** The catalogue of the contract, and how the guide says that days become weeks and months. */
const CONTRACT = `
txCount | transactions included in blocks that day | count | per day | sum
activeAddresses | distinct addresses that sent or received a transaction | count | per day | mean
activeSenders | distinct addresses that originated (and paid for) a transaction | count | per day | mean
feesPaid | total fees burned or paid that day, denominated in the native token | avax | per day | sum
gasUsed | total gas consumed by the day's transactions | gas | per day | sum
avgTps | mean transactions per second across the day | tps | per day | mean
maxTps | highest transactions per second reached that day | tps | per day | max
avgGps | mean gas consumed per second | gas-per-second | per day | mean
maxGps | highest gas per second reached that day | gas-per-second | per day | max
cumulativeTxCount | every transaction ever processed by the chain | count | running total | last
cumulativeAddresses | every address that ever appeared on the chain | count | running total | last
cumulativeContracts | every contract ever deployed | count | running total | last
cumulativeDeployers | distinct addresses that deployed at least one contract | count | running total | last
`.trim().split("\n").map((row) => row.split(" | "));

Deno.test("the metrics of the contract come first, each with its meaning, unit, kind and fold", async () => {
  using deps = await testDeps();
  const response = await createApp(deps).request("/api/chain-data");
  const { metrics } = await response.json();
  assertEquals(
    metrics.slice(0, CONTRACT.length).map((rule: Record<string, string>) => [
      rule.metric,
      rule.meaning,
      rule.unit,
      rule.kind,
      rule.aggregation,
    ]),
    CONTRACT,
  );
});

Deno.test("GET /api/chain-data needs no upstream", async () => {
  using deps = await testDeps();
  deps.upstreams.metricsApi.switch.set({ mode: "refuse" });
  const response = await createApp(deps).request("/api/chain-data");
  assertEquals(response.status, 200);
  await response.body?.cancel();
});

Deno.test("every endpoint in GET /api/chain-data exists", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const { endpoints } = await (await app.request("/api/chain-data")).json();
  assert(endpoints.length > 0);
  for (const { path } of endpoints) {
    const response = await app.request(`/api/chain-data${path}`);
    assertEquals(response.status, 200, path);
    await response.body?.cancel();
  }
});

Deno.test("GET /chains lists the tracked chains and tokens of several pages", async () => {
  using deps = await testDeps({ chainPageSize: 9, chains: 200 });
  const response = await createApp(deps).request("/api/chain-data/chains");
  const { count, chains, source } = await response.json();
  assertEquals(count, 200);
  assertEquals(chains.length, 200);
  assert(source.startsWith("simulated"));
  const cChain = chains.find((chain: { chainId: number }) =>
    chain.chainId === 43114
  );
  assertEquals([cChain.chainName, cChain.token], ["C-Chain", "AVAX"]);
  const ids = chains.map(({ chainId }: { chainId: number }) => chainId);
  assertEquals(ids, ids.toSorted((a: number, b: number) => a - b));
});

Deno.test("GET /chains as CSV writes an unknown token as an empty cell", async () => {
  using deps = await testDeps();
  const response = await createApp(deps).request(
    "/api/chain-data/chains?format=csv",
  );
  const [header, ...rows] = parse(await response.text());
  assertEquals(header, [
    "chainId",
    "chainName",
    "token",
    "blockchainId",
    "subnetId",
  ]);
  assertEquals(rows.length, 30);
  assertEquals(rows.find(([id]) => id === "43114")?.[2], "AVAX");
});

Deno.test("endpoints without parameters reject every parameter", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  for (
    const path of [
      "/api/chain-data?x=1",
      "/api/chain-data/chains?metric=txCount",
    ]
  ) {
    const response = await app.request(path);
    assertEquals(response.status, 400);
    await response.body?.cancel();
  }
});
