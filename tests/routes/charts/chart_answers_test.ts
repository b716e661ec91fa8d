/** Answers of charts over HTTP: errors as images, caching, and an unreachable source. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { askChart } from "../../support/charts/chart_requests.ts";
import { createApp } from "../../../routes/app.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";

const HOUR_MS = 3_600_000;

async function askMetrics(deps: TestDeps, query: string) {
  const url = `/api/chain-data/metrics?${query}`;
  const response = await createApp(deps).request(url);
  return { status: response.status, body: await response.json() };
}

Deno.test("GET /chart/{metric}.svg rejects the same queries as GET /metrics, as an image", async (t) => {
  using deps = await testDeps();
  const queries = [
    "range=2y",
    "interval=hour",
    "chainId=abc",
    "chainId=0",
    "from=2026-02-30",
    "from=2026-11-02&to=2026-11-01",
    "range=30d&from=2026-11-01",
    "from=2026-11-22",
    "to=2020-09-20",
    "chainId=999999999",
  ];
  for (const query of queries) {
    await t.step(query, async () => {
      const expected = await askMetrics(deps, query);
      const { status, response, elements } = await askChart(
        deps,
        `txCount.svg?${query}`,
      );
      assertEquals(status, expected.status);
      const [summary] = elements.filter(({ name }) => name === "desc");
      assertEquals(summary!.text, expected.body.error);
      const { headers } = response;
      assertEquals(headers.get("Content-Type"), "image/svg+xml; charset=utf-8");
      assertEquals(headers.get("Cache-Control"), "no-store");
      assertEquals(headers.get("Access-Control-Allow-Origin"), "*");
    });
  }
  const others: [path: string, accepted: RegExp][] = [
    ["gas.svg", /metric "gas": expected one of txCount, .*validators$/],
    ["%3Cb%3E.svg", /metric "<b>": expected one of/],
    ["txCount.svg?chainId=1&chainId=1", /expected each chain once/],
    ["txCount.svg?chainId=1&chainId=x", /"x": expected an EVM chain id/],
    ["txCount.svg?chainId=1,2", /"1,2": expected one chain in each parameter/],
    [
      "txCount.svg?base=7",
      /Invalid base "7": expected values=index together with it/,
    ],
    [
      "feesPaid.svg?chainId=43114&chainId=4337&values=total",
      /each chain has its own token; expected one of index, absolute, or metric txCount or gasUsed or newContracts( or \w+)*$/,
    ],
    ["block-production.svg?window=8", /expected one of 7, 30, 90/],
    ["transaction-fees.svg?interval=week", /expected one of month, day/],
  ];
  for (const [path, accepted] of others) {
    await t.step(path, async () => {
      const { status, elements } = await askChart(deps, path);
      assertEquals(status, 400);
      const [summary] = elements.filter(({ name }) => name === "desc");
      assertMatch(summary!.text, accepted);
    });
  }
});

Deno.test("the image of an error has the asked width and theme, where these are valid", async () => {
  using deps = await testDeps();
  const image = async (query: string) => {
    const { status, text, elements } = await askChart(
      deps,
      `txCount.svg?${query}`,
    );
    assertEquals(status, 400);
    const svg = elements.find(({ name }) => name === "svg")!.attributes;
    const lines = elements.filter(({ name }) => name === "text")
      .map(({ text }) => text);
    return { width: svg.width, box: svg.viewBox!, text, lines };
  };
  const narrow = await image("range=2y&width=320&theme=dark");
  assertEquals([narrow.width, narrow.box.split(" ")[2]], ["320", "320"]);
  assert(!narrow.text.includes("prefers-color-scheme"));
  assert(narrow.text.includes("#121b22"));
  const message = narrow.lines.slice(1, -1);
  assert(message.every((line) => line.length <= 42), message.join("\n"));
  assertMatch(message.join(" "), /^Invalid range "2y": expected one of .*all$/);
  const usual = await image("range=2y&width=5&theme=pink");
  assertEquals(usual.width, "800");
  assert(usual.text.includes("prefers-color-scheme"));
});

Deno.test("a chart is cached like its data and allows every origin", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const path = "/chart/txCount.svg?range=30d";
  const data = await app.request("/api/chain-data/metrics?range=30d");
  for (const turn of ["drawn", "warm"]) {
    const { headers, status } = await app.request(path);
    assertEquals(status, 200);
    for (const name of ["Cache-Control", "Last-Modified", "Vary"]) {
      assertEquals(
        headers.get(name),
        data.headers.get(name),
        `${name} ${turn}`,
      );
    }
    assertMatch(headers.get("ETag")!, /^"[\w-]{22}"$/);
    assertEquals(headers.get("Access-Control-Allow-Origin"), "*");
    assertEquals(headers.get("Cross-Origin-Resource-Policy"), "cross-origin");
    assertEquals(headers.get("X-Content-Type-Options"), "nosniff");
    assertMatch(headers.get("Content-Security-Policy")!, /^default-src 'none'/);
  }
  const { headers } = await app.request(path);
  const ifNoneMatch = { "If-None-Match": headers.get("ETag")! };
  const again = await app.request(path, { headers: ifNoneMatch });
  assertEquals([again.status, await again.text()], [304, ""]);
  const head = await app.request(path, { method: "HEAD" });
  assertEquals([head.status, await head.text()], [200, ""]);
});

Deno.test("an unreachable source is a 503 with Retry-After, unless the request accepts stale data", async () => {
  using deps = await testDeps();
  const path = "txCount.svg?range=30d";
  assertEquals((await askChart(deps, path)).status, 200);
  deps.advance(HOUR_MS + 1000);
  deps.upstreams.metricsApi.switch.set({ mode: "refuse" });
  const { response, status, elements } = await askChart(deps, path);
  assertEquals(status, 503);
  assert(Number(response.headers.get("Retry-After")) > 0);
  const [summary] = elements.filter(({ name }) => name === "desc");
  assertMatch(summary!.text, /metrics\.test/);
  const stale = await askChart(deps, path, {
    headers: { "Cache-Control": "max-stale" },
  });
  assertEquals(stale.status, 200);
  assert(Number(stale.response.headers.get("Age")) > HOUR_MS / 1000);
});
