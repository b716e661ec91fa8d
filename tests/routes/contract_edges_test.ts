/** Edges of both contracts: what a client sends that is only just out of range, or in another spelling. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { Proof } from "../../services/accounts/account_schema.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { enrol } from "../support/callers.ts";
import { testDeps } from "../support/deps.ts";

Deno.test("a chain id of any length that nobody tracks is a 404, and no number a 400", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const statusOf = async (chainId: string) => {
    const path = `/api/chain-data/metrics?chainId=${chainId}`;
    const response = await app.request(path);
    await response.body?.cancel();
    return response.status;
  };
  for (const digits of [6, 15, 16, 17, 40, 78]) {
    assertEquals(await statusOf("9".repeat(digits)), 404, `${digits} digits`);
  }
  for (const id of ["0", "x", "1.5", "-1", "0x1", "1e3", "9".repeat(79)]) {
    assertEquals(await statusOf(id), 400, id);
  }
});

Deno.test("a batch of too many addresses is a 400, whatever it weighs", async () => {
  using deps = await testDeps();
  const { key } = await enrol(deps, { plan: "builder" });
  const app = createApp(deps);
  for (const count of [51, 400, 1_400]) {
    const response = await app.request("/api/v1/score/batch", {
      method: "POST",
      headers: { "X-Api-Key": key, "Content-Type": "application/json" },
      body: JSON.stringify({
        addresses: Array.from(
          { length: count },
          (_, nth) => `0x${nth.toString(16).padStart(40, "0")}`,
        ),
      }),
    });
    const text = await response.text();
    assertEquals(response.status, 400, `${count}: ${text}`);
    assertStringIncludes(text, "50");
  }
});

Deno.test("every answer says nosniff: of both APIs, cached or refused, of files and of pages", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const address = exampleOf("ordinary");
  const paths = [
    "/api/v1",
    "/api/v1/health",
    "/api/v1/nothing",
    `/api/v1/score/${address}`,
    "/api/chain-data/metrics",
    "/api/chain-data/metrics",
    "/api/chain-data/metrics?format=csv",
    "/api/chain-data/metrics?metric=x",
    "/api/account",
    `/api/tools/score-badge/${address}`,
    "/api/tools/score-badge/x",
    `/api/profiles/${address}`,
    "/mcp",
    "/status.json",
    "/openapi.json",
    "/chart/txCount.svg",
    "/downloads/index.json",
    "/static/firn.svg",
    "/embed/chart/txCount",
    "/",
    "/",
    "/nothing",
  ];
  for (const path of paths) {
    const response = await app.request(path);
    await response.body?.cancel();
    assertEquals(
      response.headers.get("X-Content-Type-Options"),
      "nosniff",
      `${path} ${response.status}`,
    );
  }
});

Deno.test("/mcp answers every Accept that clients send", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const accepts = [
    undefined,
    "*/*",
    "application/json",
    "application/*",
    "text/event-stream",
    "application/json, text/plain, */*",
  ];
  for (const accept of accepts) {
    const response = await app.request("/mcp", {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        ...accept !== undefined && { Accept: accept },
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    const text = await response.text();
    assertEquals(response.status, 200, `${accept}: ${text}`);
    assertEquals(response.headers.get("Content-Type"), "application/json");
  }
});

Deno.test("a signature of no bytes is a matter for the contract of the account", () => {
  const proof = { nonce: "abcdefgh12345678", signature: "0x" };
  assertEquals(Proof.safeParse(proof).success, true);
  const odd = { ...proof, signature: "0x1" };
  assertEquals(Proof.safeParse(odd).success, false);
});
