/** Rate limits of agents' messages with a key. */
import { assertEquals } from "@std/assert";
import { exampleOf } from "../../../simnet/accounts.ts";
import { enrol } from "../../support/callers.ts";
import { limited } from "../../support/clients.ts";

const METRICS = "/api/chain-data/metrics?range=30d";

Deno.test("calls of tools beyond the burst of a key have the limit of refused keys", async () => {
  using service = await limited(2);
  const { key } = await enrol(service.deps);
  const score = {
    name: "get_score",
    arguments: { address: exampleOf("ordinary") },
  };
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: score,
  });
  const headers = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "X-Api-Key": key,
  };
  const statuses: number[] = [];
  for (let nth = 0; nth < 63; nth++) {
    const answer = await service.ask("/mcp", { method: "POST", body, headers });
    await answer.body?.cancel();
    statuses.push(answer.status);
  }
  // The key may make 60 calls a minute; two more are refused as calls of the tool.
  assertEquals(statuses.indexOf(429), 62);
});

Deno.test("calls of tools that a key pays for do not count, and all others with a key have the limit of refused keys", async (t) => {
  const address = exampleOf("ordinary");
  const mcp = (name: string, args: unknown) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args },
  });
  const scored = mcp("get_score", { address });
  const wrong = `firn_live_${"x".repeat(38)}`;
  const cases: [
    what: string,
    body: unknown,
    key: "valid" | "wrong" | "none",
    refusedAs: "requests" | "refusedKeys" | null,
  ][] = [
    ["a score over MCP", scored, "valid", null],
    ["a refused key", scored, "wrong", "refusedKeys"],
    ["an open tool", mcp("list_metrics", {}), "valid", "refusedKeys"],
    [
      "an open tool, wrong key",
      mcp("list_metrics", {}),
      "wrong",
      "refusedKeys",
    ],
    ["an open tool, no key", mcp("list_metrics", {}), "none", "requests"],
  ];
  for (const [what, body, kind, refusedAs] of cases) {
    await t.step(what, async () => {
      using service = await limited(2);
      const { ask, deps } = service;
      const { key } = await enrol(deps);
      const sent = { valid: key, wrong, none: null }[kind];
      const call = () =>
        ask("/mcp", {
          method: "POST",
          body: JSON.stringify(body),
          headers: {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            ...(sent !== null && { "X-Api-Key": sent }),
          },
        });
      for (let nth = 0; nth < 2; nth++) {
        const answer = await call();
        assertEquals(answer.status, 200);
        await answer.body?.cancel();
      }
      const third = await call();
      assertEquals(third.status, refusedAs === null ? 200 : 429);
      const { of = null } = await third.json();
      assertEquals(of, refusedAs);
      // The calls used up the client's requests without a key only if they
      // count as such.
      const open = await ask(METRICS);
      assertEquals(open.status, refusedAs === "requests" ? 429 : 200);
    });
  }
});
