/** A deployment whose payments rest on one node says so. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { TREASURY } from "../support/evm/paid_chain.ts";
import { testDeps } from "../support/deps.ts";

Deno.test("/status warns while one provider's nodes alone decide payments", async (t) => {
  const cases: [
    name: string,
    settings: Record<string, string>,
    warns: boolean,
  ][] = [
    ["one node", {}, true],
    ["one node twice", {
      C_CHAIN_RPC_URL: "http://one.test/a,http://one.test/b",
    }, true],
    ["two nodes", {
      C_CHAIN_RPC_URL: "http://one.test/rpc,http://two.test/rpc",
    }, false],
    ["no treasury", { TREASURY_ADDRESS: "" }, false],
  ];
  for (const [name, settings, warns] of cases) {
    await t.step(name, async () => {
      using deps = await testDeps({
        settings: { TREASURY_ADDRESS: TREASURY, ...settings },
      });
      const app = createApp(deps);
      const { warnings } = await (await app.request("/status.json")).json();
      assertEquals(warnings.length, warns ? 1 : 0);
      if (!warns) return;
      assertStringIncludes(warnings[0], "C_CHAIN_RPC_URL");
      const headers = { Accept: "text/html" };
      const page = await app.request("/status", { headers });
      assertStringIncludes(await page.text(), warnings[0]);
    });
  }
});
