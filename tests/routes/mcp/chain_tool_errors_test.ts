/** Errors, arguments and caching of the open tools of `/mcp`. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { testDeps } from "../../support/deps.ts";
import { connectInside } from "../../support/mcp.ts";

/** Ids of chains that do not exist, from 990 on. */
const unknown = (length: number) =>
  Array.from({ length }, (_, nth) => 990 + nth);

Deno.test("an error of a tool has the body of the HTTP endpoint", async (t) => {
  using deps = await testDeps();
  const app = createApp(deps);
  await using mcp = await connectInside(deps);
  const cases: [query: Record<string, string>, status: number][] = [
    [{ metric: "price" }, 400],
    [{ range: "2y" }, 400],
    [{ chainId: "0" }, 400],
    [{ from: "2026-02-01", to: "2026-01-01" }, 400],
    [{ chainId: "999" }, 404],
  ];
  for (const [query, status] of cases) {
    const search = new URLSearchParams(query);
    await t.step(`${search}`, async () => {
      const http = await app.request(`/api/chain-data/metrics?${search}`);
      assertEquals(http.status, status);
      const { answer, isError } = await mcp.call("get_metric_series", query);
      assertEquals(isError, true);
      assertEquals(answer, await http.json());
    });
  }
});

Deno.test("arguments that no schema of HTTP has are refused by name", async (t) => {
  using deps = await testDeps();
  await using mcp = await connectInside(deps);
  const cases: [tool: string, given: Record<string, unknown>, says: RegExp][] =
    [
      [
        "get_metric_series",
        { format: "csv" },
        /^Unknown argument "format": expected one of metric, range, from, to, interval, chainId, .*cursor$/,
      ],
      [
        "list_disputes",
        { page: 2 },
        /^Unknown argument "page": expected one of cursor$/,
      ],
      [
        "get_metric_series",
        { cursor: 3 },
        /^Invalid cursor "3": expected nextCursor/,
      ],
      [
        "get_metric_series",
        { cursor: "x" },
        /^Invalid cursor "x": expected nextCursor/,
      ],
      [
        "compare_chains",
        {},
        /^Missing chainIds: expected an array of 2 to 10 different EVM chain ids$/,
      ],
      ["compare_chains", { chainIds: [1, 1] }, /^Invalid chainIds "\[1,1\]"/],
      ["compare_chains", { chainIds: unknown(11) }, /^Invalid chainIds/],
      ["compare_chains", { chainIds: unknown(10) }, /^Cannot find chain 990/],
      [
        "compare_chains",
        { chainIds: ["x", 43114] },
        /^Invalid chainIds\[0\] "x": expected an EVM chain id/,
      ],
      [
        "compare_chains",
        { chainIds: { a: "b" } },
        /^Invalid chainIds "{"a":"b"}": expected an array/,
      ],
      [
        "get_checked_series",
        {},
        /^Missing series: expected one of transactions, fees, blocks, stake$/,
      ],
      [
        "get_checked_series",
        { series: "price" },
        /^Invalid series "price": expected one of transactions, fees, blocks, stake$/,
      ],
      [
        "get_checked_series",
        { series: "stake", interval: "day" },
        /^Unknown parameter "interval"/,
      ],
      [
        "get_chain_quality",
        { chainId: "x" },
        /^Invalid chainId "x": expected an EVM chain id/,
      ],
      ["get_chain_quality", { chainId: true }, /^Invalid chainId "true"/],
      ["get_chain_quality", { chainId: [7] }, /^Invalid chainId "\[7\]"/],
      ["get_chain_quality", { chainId: "0xa86a" }, /^Invalid chainId "0xa86a"/],
      ["get_chain_quality", { chainId: 999 }, /^Cannot find chain 999/],
      ["list_chains", { search: 1 }, /^Invalid search "1": expected a text/],
      [
        "list_chains",
        { search: "x".repeat(61) },
        /^Invalid search "x{60}…": expected a text of at most 60 characters$/,
      ],
    ];
  for (const [tool, given, says] of cases) {
    await t.step(`${tool} ${JSON.stringify(given)}`, async () => {
      const { answer, isError } = await mcp.call(tool, given);
      assertEquals(isError, true);
      assertMatch(answer.message, says);
    });
  }
});

Deno.test("a warm answer calls no upstream, and ends with its hour", async () => {
  using deps = await testDeps();
  await using mcp = await connectInside(deps);
  const calls = () => deps.upstreams.metricsApi.calls.length;
  await mcp.call("get_metric_series", { range: "30d" });
  const before = calls();
  const { answer } = await mcp.call("get_metric_series", { range: "30d" });
  assertEquals(calls(), before);
  deps.advance(2 * 3_600_000);
  const later = await mcp.call("get_metric_series", { range: "30d" });
  assert(calls() > before);
  assert(later.answer.confirmedAt > answer.confirmedAt);
});
